// From an answer's bytes to the value it carries. Internal to this folder.
#pragma once

#include <string>
#include <utility>

#include "client/remote/caller.hpp"
#include "wire/failure.hpp"

namespace obsync::client {

inline remote_error malformed(std::string detail) {
  remote_error out{remote_error::kind::malformed};
  out.detail = std::move(detail);
  return out;
}

inline remote_error foreign_content() {
  remote_error out{remote_error::kind::not_obsync};
  out.detail = "this is not an obsync server (its answer is no JSON)";
  return out;
}

// A success that is no JSON comes from something else that listens there, for example a web page behind a
// portal; JSON of another shape comes from a server we do not understand.
template <class T>
remote_result<T> read_answer(call_result outcome) {
  if (!outcome) return outcome.error().reason;
  if (!outcome->content_type.starts_with("application/json")) return foreign_content();
  auto value = wire::from_json<T>(as_text(outcome->body));
  if (!value) {
    if (value.error().code == wire::refusal::bad_json) return foreign_content();
    return malformed("the server's answer breaks the protocol: " + value.error().detail);
  }
  return std::move(*value);
}

// For routes that answer 204.
inline remote_result<void> read_nothing(const call_result& outcome) {
  if (!outcome) return outcome.error().reason;
  if (outcome->status != 204) return malformed("the server answered a success it should not have");
  return {};
}

inline call get_call(std::string target) {
  return {.method = "GET", .target = std::move(target)};
}

// The body must outlive the call.
inline call post_call(std::string target, const std::string& body, bool repeatable) {
  return {.method = "POST",
          .target = std::move(target),
          .body = as_bytes(body),
          .content_type = "application/json",
          .repeatable = repeatable};
}

}  // namespace obsync::client
