#include "client/vault/name_rule.hpp"

#include "wire/path_rule.hpp"

namespace obsync::client {

name_verdict judge_name(std::string_view name) {
  if (name.empty() || name.front() == '.') return name_verdict::passed_over;
  if (name == "Icon\r" || name == "Thumbs.db" || name == "desktop.ini") return name_verdict::passed_over;
  return wire::is_vault_path(name) ? name_verdict::synced : name_verdict::refused;
}

bool is_synced_path(std::string_view path) {
  if (!wire::is_vault_path(path)) return false;
  while (!path.empty()) {
    const auto slash = path.find('/');
    if (judge_name(path.substr(0, slash)) != name_verdict::synced) return false;
    if (slash == std::string_view::npos) break;
    path.remove_prefix(slash + 1);
  }
  return true;
}

std::string staged_name(std::string_view key) {
  return std::string(staged_prefix) + std::string(key) + ".part";
}

}  // namespace obsync::client
