// How two devices that share a pairing code agree on a key the server cannot have, and hand the vault's root
// key over under it. Sound only in this order: the creator reads the claim once and keeps that key; then
// reveals its own; the claimant checks the revealed key with `commitment_to`; both people compare the match
// code; then the creator seals. Pure computation.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "client/format/pairing_code.hpp"
#include "core/ids.hpp"
#include "core/random.hpp"
#include "core/result.hpp"
#include "crypto/ecdh.hpp"
#include "crypto/secret.hpp"
#include "wire/envelope.hpp"
#include "wire/pairing.hpp"

namespace obsync::client {

// A public key as it travels: 87 characters of base64url.
std::string to_text(const crypto::p256_public& point);
// Nothing unless it is a point of the curve.
std::optional<crypto::p256_public> parse_point(std::string_view text);

// What the code says about the creator's key before that key is shown.
pairing_commitment commitment_to(const pairing_id& pairing, const crypto::p256_public& creator);

// Everything two devices have to agree about.
struct pairing_session {
  pairing_id pairing;
  crypto::secret16 pairing_secret;
  crypto::p256_public claimant;
  crypto::p256_public creator;
};

// Six digits as `ddd ddd`, the same on both devices exactly when nobody swapped a key.
std::string match_code(const pairing_session& session);

// The key of the envelope. `own` is either side's pair; errc::invalid when the other's key is no point.
result<crypto::secret32> agree_on_key(const pairing_session& session, const crypto::p256_key& own);

// The root key for the claimant, ready to be posted.
result<wire::approve_request> seal_vault_key(const pairing_session& session, const crypto::p256_key& creator,
                                             const crypto::secret32& vault_root_key, random_source& random);

// The root key out of what was collected. Refuses an answer that does not repeat the creator's key as it was
// checked: errc::corrupt, as for an envelope that does not open.
result<crypto::secret32> open_vault_key(const pairing_session& session, const crypto::p256_key& claimant,
                                        const wire::envelope_answer& answer);

// The claimant's hint of which vault it holds, for the creator's eyes.
wire::vault_preview seal_vault_hint(const pairing_id& pairing, const crypto::secret16& pairing_secret,
                                    const wire::vault_hint& hint, random_source& random);
result<wire::vault_hint> open_vault_hint(const pairing_id& pairing, const crypto::secret16& pairing_secret,
                                         const wire::vault_preview& preview);

}  // namespace obsync::client
