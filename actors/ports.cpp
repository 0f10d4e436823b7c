#include "actors/ports.hpp"

namespace obsync::actors {

std::optional<std::string> request::query_value(std::string_view name) const {
  for (const auto& [key, value] : query) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::optional<wire::failure> body_failure(const request& req) {
  using wire::refusal;
  switch (req.body_is) {
    case body_state::whole:
    case body_state::streamed:
    case body_state::length_required:
      return std::nullopt;
    case body_state::too_large:
      if (req.where == route::chunk_put) return std::nullopt;
      return wire::failure{refusal::body_too_large, "the body is larger than this route takes"};
    case body_state::slow:
      return wire::failure{refusal::slow_body, "the body arrived slower than the rate this server asks for"};
    case body_state::unread:  // its device became known in this very moment
    case body_state::incomplete:
      return wire::failure{refusal::body_incomplete, "the body ended early"};
    case body_state::bad_framing:
      return wire::failure{refusal::bad_request, "the body's framing is broken"};
  }
  return wire::failure{refusal::bad_request, "the body could not be read"};
}

reply ok(std::string json, int status) {
  reply out;
  out.status = status;
  out.body = text_body{"application/json", std::move(json)};
  return out;
}

reply no_content() {
  reply out;
  out.status = 204;
  return out;
}

reply refuse(const wire::failure& failure) {
  reply out;
  out.status = wire::status_of(failure.code);
  out.body = text_body{"application/json", wire::to_json(failure)};
  out.decision = std::string(wire::name(failure.code));
  // Ours alone: a client that knows the protocol's own 503s backs off by itself.
  if (failure.code == wire::refusal::overloaded) out.retry_after_s = 1;
  return out;
}

reply refuse(wire::refusal code, std::string detail) {
  return refuse(wire::failure{code, std::move(detail)});
}

}  // namespace obsync::actors
