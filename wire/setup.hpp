// POST /v1/setup: the first device of an account, or one that recovers it.
#pragma once

#include <optional>
#include <string>

#include "core/ids.hpp"
#include "crypto/secret.hpp"
#include "wire/failure.hpp"

namespace obsync::wire {

// How a device describes itself. Texts are printable ASCII, trimmed.
struct device_card {
  std::string name;
  std::string platform;  // one of ios ipados android macos windows linux
  std::string app_version;
};

struct setup_request {
  std::string setup_token;  // any string: a wrong one is refused later as bad_setup_token
  std::string account_name;
  device_card device;
  // Unchecked on purpose: the protocol judges their shape only after the token. A member that is present but
  // no string reads as the empty text, which has no valid shape.
  std::optional<std::string> recovery_verifier = {};
  std::optional<std::string> recovery_proof = {};
};

struct setup_answer {
  account_id account;
  bool recovered = false;
  device_id device;
  crypto::secret32 device_secret;
};

std::string to_json(const setup_request& value);
std::string to_json(const setup_answer& value);
template <>
outcome<setup_request> from_json(std::string_view text);
template <>
outcome<setup_answer> from_json(std::string_view text);

}  // namespace obsync::wire
