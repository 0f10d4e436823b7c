#include "client/home/folder_path.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace obsync::client {

namespace {

errc errc_of(int number) {
  switch (number) {
    case ENOENT:
    case ENOTDIR:
      return errc::not_found;
    case EACCES:
    case EPERM:
    case EROFS:
      return errc::denied;
    case ENOSPC:
    case EDQUOT:
      return errc::no_space;
    default:
      return errc::io_failed;
  }
}

error failed(const std::string& path, int number) {
  return {errc_of(number), path + ": " + std::strerror(number)};
}

}  // namespace

result<std::string> resolve_path(const std::string& path) {
  if (path.empty()) return error{errc::invalid, "an empty path"};
  std::error_code code;
  const auto absolute = std::filesystem::absolute(path, code);
  if (code) return failed(path, code.value());
  auto resolved = std::filesystem::weakly_canonical(absolute, code);
  if (code) return failed(path, code.value());
  std::string text = resolved.string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

bool is_within(const std::string& path, const std::string& folder) {
  if (path == folder || folder == "/") return true;
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

result<folder_identity> identify_folder(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return failed(path, errno);
  if (!S_ISDIR(info.st_mode)) return error{errc::invalid, path + ": not a folder"};
  return folder_identity{info.st_dev, info.st_ino};
}

result<bool> ensure_folder(const std::string& path) {
  const bool made = ::mkdir(path.c_str(), 0777) == 0;
  if (!made && errno != EEXIST) return failed(path, errno);
  const auto found = identify_folder(path);
  if (!found) return found.error();
  return made;
}

}  // namespace obsync::client
