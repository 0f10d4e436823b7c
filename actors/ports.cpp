#include "actors/ports.hpp"

namespace obsync::actors {

std::optional<std::string> request::query_value(std::string_view name) const {
  for (const auto& [key, value] : query) {
    if (key == name) return value;
  }
  return std::nullopt;
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
