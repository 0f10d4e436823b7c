#include "client/remote/enrolment.hpp"

#include "client/remote/answers.hpp"
#include "wire/account.hpp"

namespace obsync::client {

namespace {

std::string pairing_target(const pairing_id& pairing, const char* act) {
  return "/v1/pairing/" + pairing.hex() + act;
}

}  // namespace

remote_result<wire::setup_answer> public_routes::setup(const wire::setup_request& request) {
  const std::string body = wire::to_json(request);
  return read_answer<wire::setup_answer>(calls_.perform(post_call("/v1/setup", body, false)));
}

remote_result<wire::claim_answer> public_routes::claim(const pairing_id& pairing,
                                                       const wire::claim_request& request) {
  const std::string body = wire::to_json(request);
  return read_answer<wire::claim_answer>(
      calls_.perform(post_call(pairing_target(pairing, "/claim"), body, false)));
}

remote_result<wire::plugin_manifest> public_routes::plugin_manifest() {
  return read_answer<wire::plugin_manifest>(calls_.perform(get_call("/v1/plugin/manifest")));
}

remote_result<wire::pairing_created> device_routes::create_pairing() {
  const std::string body = "{}";
  return read_answer<wire::pairing_created>(calls_.perform(post_call("/v1/pairing", body, false)));
}

remote_result<wire::pairing_status> device_routes::pairing(const pairing_id& pairing) {
  return read_answer<wire::pairing_status>(calls_.perform(get_call(pairing_target(pairing, ""))));
}

remote_result<void> device_routes::reveal(const pairing_id& pairing, const wire::reveal_request& request) {
  return post(pairing_target(pairing, "/reveal"), wire::to_json(request), true);
}

remote_result<void> device_routes::approve(const pairing_id& pairing, const wire::approve_request& request) {
  return post(pairing_target(pairing, "/approve"), wire::to_json(request), false);
}

remote_result<void> device_routes::reject(const pairing_id& pairing) {
  return post(pairing_target(pairing, "/reject"), "{}", false);
}

remote_result<envelope_look> device_routes::envelope(const pairing_id& pairing) {
  call what = get_call(pairing_target(pairing, "/envelope"));
  what.repeatable = false;
  auto outcome = calls_.perform(what);
  if (!outcome && outcome.error().reason.refusal == wire::refusal::not_approved) {
    return envelope_look{{}, wire::creator_pub_of(outcome.error().body)};
  }
  auto answer = read_answer<wire::envelope_answer>(std::move(outcome));
  if (!answer) return answer.error();
  return envelope_look{std::move(*answer), {}};
}

remote_result<void> device_routes::revoke(const device_id& device) {
  return post("/v1/devices/" + device.hex() + "/revoke", "{}", false);
}

remote_result<wire::login_link> device_routes::login_link() {
  return read_answer<wire::login_link>(
      calls_.perform(post_call("/v1/dashboard/login-link", std::string(), false)));
}

remote_result<void> device_routes::register_recovery(const digest& verifier) {
  return post("/v1/account/recovery", wire::to_json(wire::recovery_registration{verifier}), false);
}

remote_result<void> device_routes::post(const std::string& target, const std::string& body, bool repeatable) {
  return read_nothing(calls_.perform(post_call(target, body, repeatable)));
}

}  // namespace obsync::client
