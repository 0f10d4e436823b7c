#include "app/plugin.hpp"

#include "app/file_text.hpp"
#include "core/log.hpp"
#include "crypto/digest.hpp"
#include "wire/account.hpp"

namespace obsync::app {

namespace {

constexpr const char* protocol_statement =
    R"({"id":"obsync-private-sync","name":"obsync","version":"1.1.5"})";

}  // namespace

std::string load_plugin(const std::string& folder) {
  const auto manifest = file_text(folder + "/manifest.json");
  const auto bundle = file_text(folder + "/main.js");
  const auto styles = file_text(folder + "/styles.css");
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
