// One signed device of a measurement: its credential, its connection, nothing of a folder. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "client/remote/caller.hpp"
#include "client/remote/enrolment.hpp"
#include "client/remote/http_remote.hpp"
#include "client/remote/sleeper.hpp"
#include "client/remote/transport.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"

namespace obsync::perf {

struct server_address {
  std::string url;
  std::optional<std::string> ca_file = {};
};

class load_device {
 public:
  // Sets up an account with a setup token or an invitation; throws std::runtime_error when it cannot.
  static client::credential enrol(const server_address& at, const std::string& token);
  load_device(const server_address& at, const client::credential& who);
  ~load_device();

  client::remote& server() { return *remote_; }
  // Any signed request without a body; whether it was answered well.
  bool get(const std::string& target);

 private:
  system_clock clock_;
  system_random random_;
  client::real_sleeper sleeper_;
  std::unique_ptr<client::transport> wire_;
  std::unique_ptr<client::caller> calls_;
  std::unique_ptr<client::remote> remote_;
};

}  // namespace obsync::perf
