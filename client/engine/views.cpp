#include "client/engine/views.hpp"

namespace obsync::client {

std::string_view parent_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

bool is_below(std::string_view path, std::string_view folder) {
  if (folder.empty()) return !path.empty();
  return path.size() > folder.size() && path[folder.size()] == '/' && path.substr(0, folder.size()) == folder;
}

bool local_view::looked_at(std::string_view path) const {
  bool in_scope = !scope || scope->contains("");
  for (std::string_view at = path; !at.empty(); at = parent_of(at)) {
    if (blocked.contains(at)) return false;
    if (!in_scope && scope->contains(at)) in_scope = true;
  }
  return in_scope && !blocked.contains("");
}

}  // namespace obsync::client
