#include "app/certificate_folder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>

#include "core/disk.hpp"
#include "crypto/certificate.hpp"

namespace obsync::app {

namespace {

namespace fs = std::filesystem;

constexpr mode_t secret_mode = 0600;
constexpr mode_t public_mode = 0644;
constexpr std::size_t file_bytes_max = 1u << 20;

class certificate_folder {
 public:
  explicit certificate_folder(std::string path) : path_(std::move(path)) {}

  bool holds(const char* name) const {
    std::error_code unknown;
    return fs::exists(fs::symlink_status(path_ + "/" + name, unknown));
  }

  result<std::string> read(const char* name) const {
    const auto file = files_->open(path_ + "/" + name);
    if (!file) return told(name, file.error());
    std::string text(file_bytes_max, '\0');
    const auto got = (*file)->read_at(0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
    if (!got) return told(name, got.error());
    text.resize(*got);
    return text;
  }

  // Under another name first, so that the real one never shows half a file.
  status write(const char* name, const std::string& text, mode_t mode) const {
    const std::string whole = path_ + "/" + name;
    const std::string beside = whole + ".new";
    ::unlink(beside.c_str());
    const auto file = files_->create(beside);
    if (!file) return told(name, file.error());
    if (const status written = (*file)->write_at(0, as_bytes(text)); !written)
      return told(name, written.error());
    if (const status synced = (*file)->sync(); !synced) return told(name, synced.error());
    if (::chmod(beside.c_str(), mode) != 0) return error{errc::denied, whole + ": cannot set its mode"};
    if (const status renamed = files_->rename(beside, whole); !renamed) return told(name, renamed.error());
    return files_->sync_folder(path_);
  }

  // Made by root for a server that is not: whoever owns the folder shall be able to read its files.
  void give_to_owner(const char* name) const {
    struct stat info {};
    if (::geteuid() != 0 || ::stat(path_.c_str(), &info) != 0 || info.st_uid == 0) return;
    (void)!::chown((path_ + "/" + name).c_str(), info.st_uid, info.st_gid);
  }

  error refuse(const std::string& what) const { return {errc::exists, path_ + ": " + what}; }

 private:
  error told(const char* name, error reason) const {
    reason.detail = path_ + "/" + name + ": " + reason.detail;
    return reason;
  }

  std::string path_;
  std::unique_ptr<disk> files_ = make_posix_disk();
};

result<crypto::certified_key> take_pair(const certificate_folder& folder, const char* certificate,
                                        const char* key) {
  auto first = folder.read(certificate);
  if (!first) return first.error();
  auto second = folder.read(key);
  if (!second) return second.error();
  return crypto::certified_key{std::move(*first), crypto::private_key_pem(std::move(*second))};
}

result<crypto::certified_key> new_authority(const certificate_folder& folder, const std::string& name,
                                            std::int64_t now_s) {
  auto made = crypto::make_authority("obsync authority of " + name, now_s);
  if (const status kept = folder.write("ca.key", made.key.text, secret_mode); !kept) return kept.error();
  if (const status kept = folder.write("ca.crt", made.certificate, public_mode); !kept) return kept.error();
  return made;
}

// What would have to be overwritten, or was left by an interrupted run; nothing where all is well.
std::optional<error> misfit(const certificate_folder& folder) {
  const bool authority = folder.holds("ca.crt");
  if (authority != folder.holds("ca.key"))
    return folder.refuse(
        "ca.crt and ca.key belong together and one is missing; bring it back, or move the "
        "other away to begin anew");
  const bool server = folder.holds("server.crt");
  if (server != folder.holds("server.key"))
    return folder.refuse(
        "server.crt and server.key belong together and one is missing; bring it back, or "
        "move the other away");
  if (server && !authority)
    return folder.refuse(
        "server.crt is there without the authority that made it, and is not overwritten; "
        "choose another folder");
  return std::nullopt;
}

}  // namespace

result<issued_certificate> fill_certificate_folder(const std::string& path, std::vector<std::string> names,
                                                   std::int64_t now_s) {
  std::error_code failed;
  const std::string whole = fs::absolute(path, failed).lexically_normal();
  fs::create_directories(whole, failed);
  if (failed) return error{errc::denied, whole + ": " + failed.message()};
  const certificate_folder folder(whole);
  if (auto wrong = misfit(folder)) return *wrong;
  issued_certificate out{whole, std::move(names), 0, !folder.holds("ca.crt"), folder.holds("server.crt")};

  std::optional<crypto::certified_key> old;
  if (out.renewed) {
    auto pair = take_pair(folder, "server.crt", "server.key");
    if (!pair) return pair.error();
    old = std::move(*pair);
    if (out.names.empty()) out.names = crypto::names_in(old->certificate);
  }
  if (out.names.empty()) return error{errc::invalid, "name the server: --name HOST, as devices will call it"};
  // A wrong name is found before anything is written.
  const auto trial = crypto::make_authority("trial", now_s);
  if (auto tried = crypto::issue_certificate(trial, trial.key, out.names, now_s); !tried)
    return tried.error();

  const auto authority = out.new_authority ? new_authority(folder, out.names.front(), now_s)
                                           : take_pair(folder, "ca.crt", "ca.key");
  if (!authority) return authority.error();
  if (old && !crypto::is_issued_by(old->certificate, authority->certificate))
    return folder.refuse("server.crt was not made by the authority in ca.crt, and is not overwritten");
  const crypto::private_key_pem key = old ? old->key : crypto::make_private_key();
  const auto issued = crypto::issue_certificate(*authority, key, out.names, now_s);
  if (!issued) return issued.error();
  if (!old) {
    if (const status kept = folder.write("server.key", key.text, secret_mode); !kept) return kept.error();
  }
  if (const status kept = folder.write("server.crt", *issued, public_mode); !kept) return kept.error();
  folder.give_to_owner("server.key");
  folder.give_to_owner("server.crt");
  out.expires_s = crypto::expiry_of(*issued);
  return out;
}

}  // namespace obsync::app
