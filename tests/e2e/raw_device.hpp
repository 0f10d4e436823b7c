// A device without a folder: it speaks the protocol straight at the server, and remembers every request
// exactly as it was sent, so that a test can send it again.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "client/remote/caller.hpp"
#include "client/remote/enrolment.hpp"
#include "client/remote/http_remote.hpp"
#include "client/remote/sleeper.hpp"
#include "client/remote/transport.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"
#include "tests/support/made_note.hpp"
#include "tests/support/server_process.hpp"
#include "wire/version.hpp"

namespace obsync::test {

struct recorded_request {
  client::http_request request;
  bytes body;
};

// How a device reaches its server: straight at it, or through what stands in front.
struct way_in {
  std::string url;
  std::optional<std::string> ca_file = {};
  // Sent along with every request.
  std::vector<std::pair<std::string, std::string>> extra_headers = {};
};

class raw_device {
 public:
  // Sets up the account as its first device, by that way. Check `ok`.
  raw_device(const server_process& server, way_in way, const std::string& account);
  // Sets up the account as its first device, with an invitation where one is given. Check `ok`.
  raw_device(const server_process& server, const std::string& account, const std::string& invitation = {});
  // A further connection of the same device, with nonces of its own.
  raw_device(const server_process& server, const client::credential& who);
  raw_device(way_in way, const client::credential& who);
  ~raw_device();

  bool ok() const { return calls_ != nullptr; }
  client::remote& server() { return *remote_; }
  client::device_routes& routes() { return *routes_; }
  // A second device of the account, paired through this one. Check `ok`.
  std::unique_ptr<raw_device> pair_another(const server_process& server);
  // Where the server says a browser can log in for this device; empty when it does not.
  std::string login_link();
  const client::credential& who() const { return *who_; }

  std::vector<recorded_request> recorded() const;
  // Sends a request as it was recorded; the status and the body of what comes back.
  std::pair<int, std::string> replay(const recorded_request& one);

 private:
  class recorder;
  void set_up(const std::string& account, const std::string& token);
  std::unique_ptr<client::transport> open_wire() const;
  void connect();

  way_in way_;
  system_clock clock_;
  system_random random_;
  client::real_sleeper sleeper_;
  std::optional<client::credential> who_;
  std::unique_ptr<client::transport> wire_;
  std::unique_ptr<recorder> recorder_;
  std::unique_ptr<client::caller> calls_;
  std::unique_ptr<client::remote> remote_;
  std::unique_ptr<client::device_routes> routes_;
};

}  // namespace obsync::test
