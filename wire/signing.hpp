// Request signatures of devices: what is signed, and the four headers it travels in.
#pragma once

#include <string>
#include <string_view>

#include "core/ids.hpp"
#include "crypto/digest.hpp"

namespace obsync::wire {

inline constexpr std::string_view header_device = "X-Obsync-Device";
inline constexpr std::string_view header_timestamp = "X-Obsync-Ts";
inline constexpr std::string_view header_nonce = "X-Obsync-Nonce";
inline constexpr std::string_view header_signature = "X-Obsync-Sig";
inline constexpr std::string_view header_sequence = "X-Obsync-Seq";

// The six fields under the signature. Views must outlive the call they are passed to.
struct signed_fields {
  std::string_view method;
  std::string_view target;     // raw, as sent, query included
  std::string_view timestamp;  // as sent
  std::string_view nonce;      // hex32 as sent
  std::string_view body_hash;  // hex64 of the body; for PUT of a chunk the sid as written in the path
};

// The text under the HMAC: `obsync/v1` and the fields, joined by LF, no final LF.
std::string canonical_text(const signed_fields& fields);

digest sign(const crypto::hmac_key& secret, const signed_fields& fields);

}  // namespace obsync::wire
