#include "perf/load/device.hpp"

#include <stdexcept>

namespace obsync::perf {

namespace {

std::unique_ptr<client::transport> open_wire(const server_address& at) {
  auto wire = client::make_http_transport({.server = *client::parse_endpoint(at.url), .ca_file = at.ca_file});
  if (!wire) throw std::runtime_error(wire.error().detail);
  return std::move(*wire);
}

}  // namespace

client::credential load_device::enrol(const server_address& at, const std::string& token) {
  system_clock clock;
  system_random random;
  client::real_sleeper sleeper;
  const auto wire = open_wire(at);
  client::caller unsigned_calls(*wire, clock, random, sleeper, {}, {});
  const auto made =
      client::public_routes(unsigned_calls).setup({token, "load", {"load", "linux", "1"}, {}, {}});
  if (!made) throw std::runtime_error("setup was refused: " + made.error().detail);
  return {made->device, made->device_secret};
}

load_device::load_device(const server_address& at, const client::credential& who) : wire_(open_wire(at)) {
  calls_ = std::make_unique<client::caller>(*wire_, clock_, random_, sleeper_,
                                            client::retry_policy{.attempts_max = 1}, who);
  remote_ = client::make_http_remote(*calls_);
}

load_device::~load_device() = default;

bool load_device::get(const std::string& target) {
  return calls_->perform({.method = "GET", .target = target}).ok();
}

}  // namespace obsync::perf
