#include "tests/e2e/raw_device.hpp"

#include "crypto/digest.hpp"

namespace obsync::test {

class raw_device::recorder final : public client::transport {
 public:
  using headers = std::vector<std::pair<std::string, std::string>>;
  recorder(client::transport& wire, headers extra) : wire_(wire), extra_(std::move(extra)) {}

  client::exchange_result exchange(const client::http_request& given,
                                   const client::exchange_limits& limits) override {
    client::http_request request = given;
    request.headers.insert(request.headers.end(), extra_.begin(), extra_.end());
    {
      const std::lock_guard lock(mutex_);
      seen_.push_back({request, bytes(request.body.begin(), request.body.end())});
    }
    return wire_.exchange(request, limits);
  }
  void stop() override { wire_.stop(); }

  std::vector<recorded_request> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

 private:
  client::transport& wire_;
  const headers extra_;
  mutable std::mutex mutex_;
  std::vector<recorded_request> seen_;
};

raw_device::raw_device(const server_process& server, way_in way, const std::string& account)
    : way_(std::move(way)) {
  set_up(account, server.setup_token());
}

raw_device::raw_device(const server_process& server, const std::string& account,
                       const std::string& invitation)
    : way_{server.url()} {
  set_up(account, invitation.empty() ? server.setup_token() : invitation);
}

raw_device::raw_device(const server_process& server, const client::credential& who)
    : raw_device(way_in{server.url()}, who) {}

raw_device::raw_device(way_in way, const client::credential& who) : way_(std::move(way)), who_(who) {
  connect();
}

raw_device::~raw_device() = default;

std::unique_ptr<client::transport> raw_device::open_wire() const {
  auto wire =
      client::make_http_transport({.server = *client::parse_endpoint(way_.url), .ca_file = way_.ca_file});
  return wire ? std::move(*wire) : nullptr;
}

void raw_device::set_up(const std::string& account, const std::string& token) {
  const auto wire = open_wire();
  if (!wire) return;
  recorder with_headers(*wire, way_.extra_headers);
  client::caller unsigned_calls(with_headers, clock_, random_, sleeper_, {}, {});
  client::public_routes open(unsigned_calls);
  const auto made = open.setup({token, account, {"raw", "linux", "1"}, {}, {}});
  if (!made) return;
  who_ = client::credential{made->device, made->device_secret};
  connect();
}

void raw_device::connect() {
  wire_ = open_wire();
  if (!wire_) return;
  recorder_ = std::make_unique<recorder>(*wire_, way_.extra_headers);
  calls_ = std::make_unique<client::caller>(*recorder_, clock_, random_, sleeper_,
                                            client::retry_policy{.attempts_max = 1}, who_);
  remote_ = client::make_http_remote(*calls_);
  routes_ = std::make_unique<client::device_routes>(*calls_);
}

std::unique_ptr<raw_device> raw_device::pair_another(const server_process& server) {
  const auto pairing = routes_->create_pairing();
  if (!pairing) return nullptr;
  client::caller unsigned_calls(*wire_, clock_, random_, sleeper_, {}, {});
  client::public_routes open(unsigned_calls);
  wire::claim_request wish;
  wish.enroll_token = pairing->enroll_token;
  wish.device = {"another", "linux", "1"};
  const auto claimed = open.claim(pairing->id, wish);
  if (!claimed) return nullptr;
  if (!routes_->approve(pairing->id, {"sealed", std::string(24, '0')})) return nullptr;
  auto made =
      std::make_unique<raw_device>(server, client::credential{claimed->device, claimed->device_secret});
  if (!made->ok() || !made->routes().envelope(pairing->id)) return nullptr;
  return made;
}

std::string raw_device::login_link() {
  const auto answer = calls_->perform({.method = "POST", .target = "/v1/dashboard/login-link"});
  if (!answer) return {};
  const std::string text(as_text(answer->body));
  const std::string sign = "\"url\":\"";
  const std::size_t at = text.find(sign);
  if (at == std::string::npos) return {};
  return text.substr(at + sign.size(), text.find('"', at + sign.size()) - at - sign.size());
}

std::vector<recorded_request> raw_device::recorded() const {
  return recorder_->seen();
}

std::pair<int, std::string> raw_device::replay(const recorded_request& one) {
  client::http_request again = one.request;
  again.body = one.body;
  const auto answer = wire_->exchange(again, {.answer_bytes_max = 64u << 20, .deadline_ms = 30'000});
  if (!answer) return {0, answer.error().detail};
  return {answer->status, std::string(as_text(answer->body))};
}

}  // namespace obsync::test
