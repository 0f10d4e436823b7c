// The client's own place on this machine: one folder per binding, with its identity, its state and its
// status. Everything in it is readable by its owner only. Nothing of it ever lies inside a synced folder, so
// that copying a synced folder never copies an identity.
//
//   HOME/bindings/<device id>/identity   who we are there, with the keys
//                            /ca.pem     the authorities this server's certificate must come from, if given
//                            /state.db   what the sync engine remembers
//                            /status     what a running watch last said
//                            /watching   locked while a watch runs
//   HOME/keys/<digest of folder>         a vault key made for an account that may not have been confirmed yet
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/home/binding.hpp"
#include "core/disk.hpp"
#include "core/result.hpp"

namespace obsync::client {

// `given`, else $OBSYNC_HOME, else $XDG_STATE_HOME/obsync, else ~/.local/state/obsync.
result<std::string> choose_home(const std::optional<std::string>& given);

// errc::invalid when a home at `home_path` and `folder` would lie inside each other. Both resolved; looks at
// nothing on disk, so that a home in the wrong place is refused before it is made.
status lie_apart(const std::string& home_path, const std::string& folder);

// Belongs to one thread; several processes may use one home.
class home {
 public:
  // Makes the folder (mode 0700) where it is missing and takes others' access away where they have any.
  static result<home> open(const std::string& path);

  const std::string& path() const { return path_; }

  result<std::vector<binding>> bindings() const;
  // The binding of exactly this folder; errc::not_found names the folders that are bound.
  result<binding> find(const std::string& folder) const;
  // errc::exists when this folder, one inside it or one around it is bound already; errc::invalid when it and
  // this home would lie inside each other.
  status may_bind(const std::string& folder) const;
  // Durable when it returns. Checks may_bind again, for another process may have been faster.
  status add(const binding& value);

  std::string state_path(const binding& of) const { return place(of) + "/state.db"; }
  std::string status_path(const binding& of) const { return place(of) + "/status"; }
  std::string watching_path(const binding& of) const { return place(of) + "/watching"; }

  // A key survives between its making and the binding that holds it: whatever is interrupted, nothing that
  // was encrypted with it is lost.
  status keep_key(const std::string& folder, const crypto::secret32& key);
  result<std::optional<crypto::secret32>> kept_key(const std::string& folder) const;
  status forget_key(const std::string& folder);

 private:
  explicit home(std::string path) : path_(std::move(path)), disk_(make_posix_disk()) {}
  std::string place(const binding& of) const { return path_ + "/bindings/" + of.device.hex(); }
  std::string key_path(const std::string& folder) const;

  std::string path_;
  std::unique_ptr<disk> disk_;
};

}  // namespace obsync::client
