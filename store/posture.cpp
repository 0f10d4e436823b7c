#include "store/posture.hpp"

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace obsync::store {

namespace {

using state = posture_finding::state;

constexpr mode_t folder_mode = 0700;
constexpr mode_t secret_mode = 0600;

struct advice {
  std::string_view reason;
  std::string_view text;
};
constexpr std::array<advice, 14> advices{{
    {"not_canonical", "write the path without links and dots, as `realpath` prints it"},
    {"foreign_owner", "it must belong to the server's user or to root; `chown` it"},
    {"writable_by_others", "other users may change it; `chmod o-w`"},
    {"writable_by_group", "its group may change it; `chmod g-w`"},
    {"unwritable", "the server's user may not write there"},
    {"symlink", "a link stands in its place; move the real thing there"},
    {"not_a_directory", "it is no folder; move it away"},
    {"not_a_regular_file", "it is no plain file; move it away"},
    {"swapped", "it changed while it was looked at; find out who does that"},
    {"repair_refused", "its mode could not be set; is the file system read-only?"},
    {"reopen_refused", "it could not be opened again after its mode was set"},
    {"reread_refused", "its mode could not be read again"},
    {"mode_not_applied", "this file system does not keep modes; use one that does"},
    {"shared_inode", "another name leads to the same file; remove that name"},
}};

class descriptor {
 public:
  explicit descriptor(int number) : number_(number) {}
  ~descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }

 private:
  int number_;
};

mode_t permissions(const struct stat& info) {
  return info.st_mode & 07777;
}

bool is_ours_or_roots(const struct stat& info) {
  return info.st_uid == ::geteuid() || info.st_uid == 0;
}

// Many systems give every user a group of their own, and let it write: that is nobody else.
bool is_private_group(gid_t group) {
  const passwd* user = ::getpwuid(::geteuid());
  if (user == nullptr || user->pw_gid != group) return false;
  const std::string name = user->pw_name;
  const ::group* found = ::getgrgid(group);
  return found != nullptr && name == found->gr_name && *found->gr_mem == nullptr;
}

// Why others could put something else in the place of what lies in this folder; empty when they cannot. With
// the sticky bit only the owner of an entry can.
std::string weakness_of(const struct stat& folder) {
  if (!is_ours_or_roots(folder)) return "foreign_owner";
  if ((folder.st_mode & S_ISVTX) != 0) return "";
  if ((folder.st_mode & S_IWOTH) != 0) return "writable_by_others";
  if ((folder.st_mode & S_IWGRP) != 0 && !is_private_group(folder.st_gid)) return "writable_by_group";
  return "";
}

std::string weakness_of_parents(std::string path) {
  while (path.size() > 1) {
    const std::size_t slash = path.rfind('/');
    path = slash == 0 ? "/" : path.substr(0, slash);
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return "unwritable";
    if (auto weak = weakness_of(info); !weak.empty()) return weak;
  }
  return "";
}

posture_finding refused(posture_finding about, std::string reason) {
  about.what = state::refused;
  about.reason = std::move(reason);
  return about;
}

// A folder the operator chose: it need not be private, but nobody else may replace what is in it.
posture_finding look_at_mount(std::string object, const std::string& path) {
  posture_finding out{std::move(object), path};
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    out.what = state::absent;
    return out;
  }
  out.mode = permissions(info);
  if (S_ISLNK(info.st_mode)) return refused(out, "symlink");
  if (!S_ISDIR(info.st_mode)) return refused(out, "not_a_directory");
  char real[PATH_MAX];
  if (::realpath(path.c_str(), real) == nullptr || path != real) return refused(out, "not_canonical");
  if (auto weak = weakness_of(info); !weak.empty()) return refused(out, weak);
  if (auto weak = weakness_of_parents(path); !weak.empty()) return refused(out, weak);
  if (::access(path.c_str(), W_OK | X_OK) != 0) return refused(out, "unwritable");
  return out;
}

posture_finding repaired(posture_finding about, int handle, const std::string& path, int flags) {
  const mode_t wanted = std::exchange(about.wanted, 0);
  if (::fchmod(handle, wanted) != 0) return refused(about, "repair_refused");
  const descriptor again(::open(path.c_str(), flags));
  if (!again.is_open()) return refused(about, "reopen_refused");
  struct stat before {
  }, after{};
  if (::fstat(handle, &before) != 0 || ::fstat(again.number(), &after) != 0)
    return refused(about, "reread_refused");
  if (before.st_ino != after.st_ino || before.st_dev != after.st_dev) return refused(about, "swapped");
  if (permissions(after) != wanted) return refused(about, "mode_not_applied");
  about.what = state::repaired;
  about.before = std::exchange(about.mode, wanted);
  return about;
}

// Something the server made itself: its mode is exactly `wanted`.
posture_finding look_at_own(std::string object, const std::string& path, bool is_folder, bool repair) {
  posture_finding out{std::move(object), path};
  struct stat info {};
  if (::lstat(path.c_str(), &info) != 0) {
    out.what = state::absent;
    return out;
  }
  out.mode = permissions(info);
  if (S_ISLNK(info.st_mode)) return refused(out, "symlink");
  if (is_folder && !S_ISDIR(info.st_mode)) return refused(out, "not_a_directory");
  if (!is_folder && !S_ISREG(info.st_mode)) return refused(out, "not_a_regular_file");
  if (info.st_uid != ::geteuid()) return refused(out, "foreign_owner");
  if (!is_folder && info.st_nlink != 1) return refused(out, "shared_inode");
  const mode_t wanted = is_folder ? folder_mode : secret_mode;
  if (out.mode == wanted) return out;
  out.what = state::repairable;
  out.wanted = wanted;
  if (!repair) return out;
  const int flags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (is_folder ? O_DIRECTORY : 0);
  const descriptor handle(::open(path.c_str(), flags));
  if (!handle.is_open()) return refused(out, "repair_refused");
  struct stat opened {};
  if (::fstat(handle.number(), &opened) != 0) return refused(out, "reread_refused");
  if (opened.st_ino != info.st_ino || opened.st_dev != info.st_dev) return refused(out, "swapped");
  return repaired(out, handle.number(), path, flags);
}

std::string octal(mode_t mode) {
  char text[16];
  std::snprintf(text, sizeof text, "%04o", static_cast<unsigned>(mode));
  return text;
}

}  // namespace

std::vector<posture_finding> look_at_posture(const posture_paths& paths, bool repair) {
  const std::string journal = paths.journal_dir + "/v1";
  return {look_at_mount("journal_mount", paths.journal_dir),
          look_at_mount("blobs_mount", paths.blobs_dir),
          look_at_own("journal_root", journal, true, repair),
          look_at_own("blobs_root", paths.blobs_dir + "/v1", true, repair),
          look_at_own("server_key", journal + "/server.key", false, repair),
          look_at_own("setup_token", journal + "/setup-token", false, repair)};
}

std::string to_text(const posture_finding& finding) {
  const std::string out = "posture " + finding.object + ": ";
  switch (finding.what) {
    case state::ok:
      return out + "ok " + octal(finding.mode);
    case state::absent:
      return out + "absent";
    case state::repaired:
      return out + "repaired " + octal(finding.before) + " -> " + octal(finding.mode);
    case state::repairable:
      return out + "wrong " + octal(finding.mode) + ", wanted " + octal(finding.wanted) + ": " + finding.path;
    case state::refused:
      break;
  }
  for (const advice& one : advices)
    if (one.reason == finding.reason)
      return out + finding.reason + ": " + finding.path + ": " + std::string(one.text);
  return out + finding.reason + ": " + finding.path;
}

status require_posture(const std::vector<posture_finding>& findings) {
  for (const posture_finding& one : findings)
    if (!one.is_fine()) return error{errc::denied, to_text(one)};
  return {};
}

}  // namespace obsync::store
