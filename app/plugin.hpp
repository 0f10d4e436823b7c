// What the server says of the plugin it vouches for.
#pragma once

#include <optional>
#include <string>

namespace obsync::app {

// The answer of GET /v1/plugin/manifest. From manifest.json, main.js and styles.css in `folder`, when all
// three are there; otherwise the bare statement of the protocol release this server speaks, for a plugin
// refuses to pair with a server that states none.
std::string load_plugin(const std::string& folder);

}  // namespace obsync::app
