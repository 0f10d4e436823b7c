// The real obsyncd over a store in a scratch folder: started, killed, started again on the same port.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/process.hpp"

namespace obsync::test {

class server_process {
 public:
  // `folder` holds the store and the logs; `options` are further obsyncd options.
  explicit server_process(std::string folder, std::vector<std::string> options = {});

  // Starts and waits until it is ready; false (with the log on standard error) when it does not become so.
  bool start();
  // Starts and waits until it listens, ready or not.
  bool launch();
  void kill() { process_->kill(); }
  // SIGTERM; the exit status.
  int stop();
  process& running() { return *process_; }

  std::uint16_t port() const { return port_; }
  // https, at the name localhost, when the options name a certificate.
  std::string url() const;
  std::string setup_token() const;
  // An operator's verb, for example {"account", "list", "--json"}, run beside the server.
  finished operate(std::vector<std::string> words, const std::string& input = {}) const;
  // A new invitation's token; empty when it was refused.
  std::string invite(const std::string& name, const std::vector<std::string>& more = {}) const;
  // Of all starts so far.
  std::string log() const;
  const std::string& folder() const { return folder_; }

 private:
  std::vector<std::string> arguments() const;
  bool is_ready() const;

  std::string folder_;
  std::vector<std::string> options_;
  std::uint16_t port_ = 0;
  int starts_ = 0;
  mutable int operations_ = 0;
  std::unique_ptr<process> process_;
};

}  // namespace obsync::test
