// The pairing routes' bodies. What the envelope holds is the devices' business (client/pairing).
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/ids.hpp"
#include "crypto/secret.hpp"
#include "wire/failure.hpp"
#include "wire/setup.hpp"

namespace obsync::wire {

struct pairing_created {
  pairing_id id;
  crypto::secret32 enroll_token;
  std::int64_t expires_s = 0;
};

// The claimant's encrypted hint of which vault it holds; opaque to the server.
struct vault_preview {
  std::string envelope;  // base64, at most 2048 characters, at least 16 bytes
  std::string nonce;     // hex24
};

struct claim_request {
  crypto::secret32 enroll_token;
  device_card device;
  std::optional<vault_preview> vault = {};
  std::optional<std::string> claimant_pub = {};  // 87 base64url characters: 65 bytes beginning 0x04
};

struct claim_answer {
  device_id device;
  crypto::secret32 device_secret;
};

struct claimant_info {
  device_id device;
  device_card card;
  std::optional<vault_preview> vault = {};
  std::optional<std::string> claimant_pub = {};
};

enum class pairing_state { open, claimed, approved, consumed, expired };
std::string_view name(pairing_state value);

struct pairing_status {
  pairing_state state = pairing_state::open;
  std::optional<claimant_info> claimant = {};
};

struct reveal_request {
  std::string creator_pub;  // as claimant_pub
};

struct approve_request {
  std::string envelope;  // 1..8192 characters, not otherwise checked
  std::string nonce;     // hex24
};

struct envelope_answer {
  std::string envelope;
  std::string nonce;
  std::optional<std::string> creator_pub = {};
};

std::string to_json(const pairing_created& value);
std::string to_json(const claim_request& value);
std::string to_json(const claim_answer& value);
std::string to_json(const pairing_status& value);
std::string to_json(const reveal_request& value);
std::string to_json(const approve_request& value);
std::string to_json(const envelope_answer& value);
template <>
outcome<pairing_created> from_json(std::string_view text);
template <>
outcome<claim_request> from_json(std::string_view text);
template <>
outcome<claim_answer> from_json(std::string_view text);
template <>
outcome<pairing_status> from_json(std::string_view text);
template <>
outcome<reveal_request> from_json(std::string_view text);
template <>
outcome<approve_request> from_json(std::string_view text);
template <>
outcome<envelope_answer> from_json(std::string_view text);

// The creator_pub a `409 not_approved` carries once the creator revealed it.
std::optional<std::string> creator_pub_of(std::string_view error_body);

}  // namespace obsync::wire
