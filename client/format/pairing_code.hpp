// The code one device shows and another is given: which pairing, the right to claim it, a secret the server
// never learns, and a commitment to the creator's key. As secret as a password until the pairing is over.
#pragma once

#include <string>
#include <string_view>

#include "core/ids.hpp"
#include "core/result.hpp"
#include "crypto/secret.hpp"

namespace obsync::client {

using pairing_commitment = id<struct pairing_commitment_tag, 16>;

struct pairing_code {
  pairing_id pairing;
  crypto::secret32 enroll_token;
  crypto::secret16 pairing_secret;
  pairing_commitment commitment;
};

// 128 characters of base32.
std::string to_text(const pairing_code& code);
// The same as a link an official client opens.
std::string to_link(const pairing_code& code);

// Reads a code however it was copied: as a link, quoted, in groups, in small letters, with padding.
// errc::invalid for what is no code or only part of one; errc::unsupported for the shorter code of a device
// too old to pair with.
result<pairing_code> parse_pairing_code(std::string_view text);

}  // namespace obsync::client
