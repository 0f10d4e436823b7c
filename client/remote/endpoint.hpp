// Where a server is, read from the URL a person typed.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace obsync::client {

struct endpoint {
  bool tls = false;
  std::string host;  // a name or an address, IPv6 without its brackets
  std::uint16_t port = 0;

  // As the Host header wants it: brackets round IPv6, the port only where it is not the scheme's own.
  std::string host_header() const;
  // The canonical spelling, without a trailing slash.
  std::string url() const;
  // Whether traffic stays on this machine, so that plain HTTP shows nothing to anybody.
  bool loopback() const;
};

// `http://host[:port]` or `https://host[:port]`, with at most one slash after it. A path is refused: the
// request signature covers the target as sent, so a proxy that strips a prefix would make every request a
// forgery.
result<endpoint> parse_endpoint(std::string_view url);

}  // namespace obsync::client
