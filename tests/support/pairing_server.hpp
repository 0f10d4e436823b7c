// A server that knows one pairing, in memory, with the states and refusals of the protocol. Any thread.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "client/remote/transport.hpp"
#include "wire/failure.hpp"
#include "wire/pairing.hpp"

namespace obsync::test {

class pairing_server final : public client::transport {
 public:
  // What a server in between would show instead of the creator's key.
  std::optional<std::string> forged_creator_pub;
  // Whether claims lose their key on the way, as from a client that has none.
  bool drops_claimant_pub = false;

  client::exchange_result exchange(const client::http_request& request,
                                   const client::exchange_limits&) override {
    const std::lock_guard lock(mutex_);
    const std::string body(as_text(request.body));
    if (request.method == "GET") return request.target.ends_with("/envelope") ? envelope() : status();
    if (request.target == "/v1/pairing") return create();
    if (request.target.ends_with("/claim")) return claim(*wire::from_json<wire::claim_request>(body));
    if (request.target.ends_with("/reveal")) {
      creator_pub_ = wire::from_json<wire::reveal_request>(body)->creator_pub;
      return answer(204, "");
    }
    if (request.target.ends_with("/approve")) {
      const auto sealed = *wire::from_json<wire::approve_request>(body);
      envelope_ = wire::envelope_answer{sealed.envelope, sealed.nonce, shown_pub()};
      state_ = wire::pairing_state::approved;
      return answer(204, "");
    }
    if (request.target.ends_with("/reject")) {
      gone_ = true;
      return answer(204, "");
    }
    return refuse(wire::refusal::not_found);
  }

  void stop() override {}
  bool rejected() const { return gone_; }

 private:
  static client::exchange_result answer(int status, const std::string& body) {
    client::http_answer made;
    made.status = status;
    made.content_type = "application/json";
    made.body.assign(body.begin(), body.end());
    return made;
  }

  static client::exchange_result refuse(wire::refusal code, const std::string& members = {}) {
    return answer(wire::status_of(code), wire::to_json(wire::failure{code, "", members}));
  }

  std::optional<std::string> shown_pub() const {
    return forged_creator_pub ? forged_creator_pub : creator_pub_;
  }

  client::exchange_result create() {
    wire::pairing_created made;
    made.id.raw.fill(0x11);
    made.enroll_token.raw.fill(0x22);
    made.expires_s = 600;
    return answer(201, wire::to_json(made));
  }

  client::exchange_result claim(const wire::claim_request& request) {
    if (state_ != wire::pairing_state::open) return refuse(wire::refusal::already_claimed);
    claimant_ = wire::claimant_info{{}, request.device, {}, request.claimant_pub};
    if (drops_claimant_pub) claimant_->claimant_pub.reset();
    state_ = wire::pairing_state::claimed;
    return answer(201, wire::to_json(wire::claim_answer{}));
  }

  client::exchange_result status() {
    if (gone_) return refuse(wire::refusal::unknown_pairing);
    return answer(200, wire::to_json(wire::pairing_status{state_, claimant_}));
  }

  client::exchange_result envelope() {
    if (gone_) return refuse(wire::refusal::unknown_pairing);
    if (state_ == wire::pairing_state::consumed) return refuse(wire::refusal::envelope_consumed);
    if (!envelope_) {
      const auto pub = shown_pub();
      return refuse(wire::refusal::not_approved, pub ? R"("creator_pub":")" + *pub + "\"" : "");
    }
    state_ = wire::pairing_state::consumed;
    return answer(200, wire::to_json(*envelope_));
  }

  std::mutex mutex_;
  wire::pairing_state state_ = wire::pairing_state::open;
  std::optional<wire::claimant_info> claimant_;
  std::optional<std::string> creator_pub_;
  std::optional<wire::envelope_answer> envelope_;
  bool gone_ = false;
};

}  // namespace obsync::test
