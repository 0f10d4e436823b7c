// A reverse proxy of Debian's before an obsyncd, run with the configuration that deploy/ ships: only names,
// ports and files are replaced. One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "tests/support/process.hpp"

namespace obsync::test {

enum class front_kind { caddy, nginx };

std::string name_of(front_kind kind);

class front_process {
 public:
  // `folder` takes its files; `certificate` and `key` are what it shows.
  front_process(front_kind kind, std::string folder, std::string certificate, std::string key);

  // Whether the program is on this machine. scripts/bootstrap installs it.
  bool installed() const;
  // Starts before the server at that port and waits until it listens; false (with its output on standard
  // error) when it does not come to that.
  bool start(std::uint16_t server_port);

  // Over TLS, by a host that resolves to this machine.
  std::string url(const std::string& host = "localhost") const;
  std::string output() const { return process_ ? process_->output() : std::string(); }

 private:
  std::string caddy_configuration(std::uint16_t server_port) const;
  std::string nginx_configuration(std::uint16_t server_port) const;

  const front_kind kind_;
  const std::string folder_;
  const std::string certificate_;
  const std::string key_;
  std::uint16_t port_ = 0;
  std::unique_ptr<process> process_;
};

}  // namespace obsync::test
