// One question to a server, from its own machine: how the program asks itself whether it is well, and whether
// it can be reached where devices look for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace obsync::http {

struct probe_target {
  std::string host;  // a numeric address without brackets, or a name to be resolved
  std::uint16_t port = 0;
  bool tls = false;
  // Over TLS: the certificate must be for `host` and vouched for by an authority this machine knows.
  bool verified = false;
  std::string path = {};  // of a server that does not stand at the root; without a final slash
};

struct probe_answer {
  int status = 0;
  std::string body;
};

// Of an http:// or https:// address without user, query or fragment; nothing for any other text.
std::optional<probe_target> probe_target_of(std::string_view url);

// GET `path`. Blocks for at most ten seconds, and for the system's resolver where `host` is a name.
// errc::not_found when no address belongs to the name, errc::unavailable when nobody answers, errc::denied
// when the certificate is not what `verified` asks for.
result<probe_answer> probe(const probe_target& at, const std::string& path);

}  // namespace obsync::http
