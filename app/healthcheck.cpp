#include "app/healthcheck.hpp"

#include <iostream>

#include "http/probe.hpp"

namespace obsync::app {

std::string loopback_of(const std::string& host) {
  if (host == "0.0.0.0") return "127.0.0.1";
  return host == "::" ? "::1" : host;
}

int healthcheck(const config::settings& settings) {
  const config::endpoint& listen = settings.server.listen;
  const bool tls = !settings.tls.certificate.empty();
  const auto answer = http::probe({loopback_of(listen.host), listen.port, tls}, "/readyz");
  if (!answer) {
    std::cerr << "obsyncd: no answer on " << listen.host << ":" << listen.port << ": "
              << answer.error().detail << "\n";
    return 1;
  }
  if (answer->status == 200) return 0;
  std::cerr << "obsyncd: not ready: " << answer->body << "\n";
  return 1;
}

}  // namespace obsync::app
