#include "app/plugin.hpp"

#include <fstream>
#include <iterator>

#include "core/log.hpp"
#include "crypto/digest.hpp"
#include "wire/account.hpp"

namespace obsync::app {

namespace {

constexpr const char* protocol_statement =
    R"({"id":"obsync-private-sync","name":"obsync","version":"1.1.5"})";

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.bad()) return std::nullopt;
  return text;
}

}  // namespace

std::string load_plugin(const std::string& folder) {
  const auto manifest = read_file(folder + "/manifest.json");
  const auto bundle = read_file(folder + "/main.js");
  const auto styles = read_file(folder + "/styles.css");
  if (!manifest || !bundle || !styles) {
    log::line(log::level::info, "plugin_unavailable").add("decision", "stating_protocol_release");
    return protocol_statement;
  }
  auto answer = wire::plugin_manifest_answer(*manifest, crypto::sha256(as_bytes(*bundle)),
                                             crypto::sha256(as_bytes(*styles)));
  if (!answer) {
    log::line(log::level::warn, "plugin_unavailable").add("decision", "manifest_unreadable");
    return protocol_statement;
  }
  log::line(log::level::info, "plugin_loaded");
  return *answer;
}

}  // namespace obsync::app
