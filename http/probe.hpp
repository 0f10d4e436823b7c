// One question to a server on this machine: how the program asks itself whether it is well.
#pragma once

#include <cstdint>
#include <string>

#include "core/result.hpp"

namespace obsync::http {

struct probe_answer {
  int status = 0;
  std::string body;
};

// GET `target` at `host`, a numeric address. Over TLS no certificate is checked: nothing secret is sent, and
// a certificate for the name that devices use would not fit the address anyway. Blocks for at most ten
// seconds. errc::unavailable when nobody answers.
result<probe_answer> probe(const std::string& host, std::uint16_t port, const std::string& target, bool tls);

}  // namespace obsync::http
