#include "client/home/home.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "client/home/file_lock.hpp"
#include "client/home/folder_path.hpp"
#include "client/home/small_file.hpp"
#include "crypto/digest.hpp"

namespace obsync::client {

namespace {

constexpr const char* authorities_name = "ca.pem";

std::optional<std::string> environment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

// Takes from group and others what they have; a home of another user is refused.
status make_private(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return error{errc::io_failed, path + ": " + std::strerror(errno)};
  if ((info.st_mode & 077) == 0) return {};
  if (::chmod(path.c_str(), 0700) != 0) {
    return error{errc::denied, path + ": cannot be made private to you: " + std::strerror(errno)};
  }
  return {};
}

}  // namespace

result<std::string> choose_home(const std::optional<std::string>& given) {
  if (given) return resolve_path(*given);
  if (const auto set = environment("OBSYNC_HOME")) return resolve_path(*set);
  if (const auto state = environment("XDG_STATE_HOME"); state && state->starts_with('/')) {
    return resolve_path(*state + "/obsync");
  }
  if (const auto user = environment("HOME")) return resolve_path(*user + "/.local/state/obsync");
  return error{errc::invalid, "no place for obsync's own files: set HOME or OBSYNC_HOME, or give --home"};
}

result<home> home::open(const std::string& path) {
  std::error_code code;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), code);
  home out(path);
  for (const std::string& folder : {path, path + "/bindings", path + "/keys"}) {
    if (auto made = out.disk_->make_folder(folder); !made) {
      return error{made.error().code, folder + ": " + made.error().detail};
    }
    if (auto closed = make_private(folder); !closed) return closed.error();
  }
  return out;
}

result<std::vector<binding>> home::bindings() const {
  const auto entries = disk_->list(path_ + "/bindings");
  if (!entries) return entries.error();
  std::vector<binding> found;
  for (const disk_entry& entry : *entries) {
    const std::string file = path_ + "/bindings/" + entry.name + "/identity";
    const auto text = read_file(*disk_, file);
    // A folder without identity is what an interrupted enrolment leaves.
    if (!text && text.error().code == errc::not_found) continue;
    if (!text) return error{text.error().code, file + ": " + text.error().detail};
    auto value = parse_binding(*text);
    if (!value) return error{value.error().code, file + ": " + value.error().detail};
    // Named from here, so that a home can be moved.
    if (value->ca_file && !value->ca_file->starts_with('/'))
      value->ca_file = place(*value) + "/" + *value->ca_file;
    found.push_back(*std::move(value));
  }
  return found;
}

result<binding> home::find(const std::string& folder) const {
  auto all = bindings();
  if (!all) return all.error();
  std::string known;
  for (binding& candidate : *all) {
    if (candidate.folder == folder) return std::move(candidate);
    known += "\n  " + candidate.folder;
  }
  return error{errc::not_found, folder +
                                    " is not a synced folder here; use `obsync init` or `obsync join` first" +
                                    (known.empty() ? known : "\nsynced folders:" + known)};
}

status lie_apart(const std::string& home_path, const std::string& folder) {
  if (is_within(home_path, folder)) {
    return error{errc::invalid, "obsync's own files (" + home_path + ") would lie inside the synced folder " +
                                    folder + "; choose another place with --home"};
  }
  if (is_within(folder, home_path)) {
    return error{errc::invalid,
                 folder + " lies inside obsync's own files (" + home_path + "); choose another folder"};
  }
  return {};
}

status home::may_bind(const std::string& folder) const {
  if (auto apart = lie_apart(path_, folder); !apart) return apart;
  const auto all = bindings();
  if (!all) return all.error();
  for (const binding& other : *all) {
    if (other.folder == folder) {
      return error{errc::exists, folder + " is already synced with " + other.server.url() + " as \"" +
                                     other.device_name + "\"; nothing was changed"};
    }
    if (is_within(folder, other.folder)) {
      return error{errc::exists,
                   folder + " lies inside the synced folder " + other.folder + "; nothing was changed"};
    }
    if (is_within(other.folder, folder)) {
      return error{errc::exists,
                   folder + " contains the synced folder " + other.folder + "; nothing was changed"};
    }
  }
  return {};
}

status home::add(const binding& value) {
  const auto lock = file_lock::acquire(path_ + "/lock", lock_wait::yes);
  if (!lock) return lock.error();
  if (auto allowed = may_bind(value.folder); !allowed) return allowed;
  if (auto made = disk_->make_folder(place(value)); !made) return made;
  if (auto synced = disk_->sync_folder(path_ + "/bindings"); !synced) return synced;
  if (!value.ca_file)
    return replace_file(*disk_, place(value) + "/identity", to_text(value), durability::synced);
  // Copied: the file a person named may be gone tomorrow, and with it every way to the server.
  const auto authorities = read_file(*disk_, *value.ca_file);
  if (!authorities)
    return error{authorities.error().code, *value.ca_file + ": " + authorities.error().detail};
  binding kept = value;
  kept.ca_file = authorities_name;
  if (auto copied =
          replace_file(*disk_, place(value) + "/" + authorities_name, *authorities, durability::synced);
      !copied)
    return copied;
  return replace_file(*disk_, place(value) + "/identity", to_text(kept), durability::synced);
}

std::string home::key_path(const std::string& folder) const {
  return path_ + "/keys/" + crypto::sha256(as_bytes(folder)).hex().substr(0, 32);
}

status home::keep_key(const std::string& folder, const crypto::secret32& key) {
  return replace_file(*disk_, key_path(folder), key.hex() + "\n", durability::synced);
}

result<std::optional<crypto::secret32>> home::kept_key(const std::string& folder) const {
  const auto text = read_file(*disk_, key_path(folder));
  if (!text && text.error().code == errc::not_found) return std::optional<crypto::secret32>{};
  if (!text) return text.error();
  auto key = crypto::secret32::parse(std::string_view(*text).substr(0, 64));
  if (!key) return error{errc::corrupt, key_path(folder) + ": not a key"};
  return key;
}

status home::forget_key(const std::string& folder) {
  return disk_->remove(key_path(folder));
}

}  // namespace obsync::client
