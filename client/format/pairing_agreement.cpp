#include "client/format/pairing_agreement.hpp"

#include <algorithm>
#include <cstdio>

#include "crypto/aead.hpp"
#include "crypto/base64.hpp"
#include "crypto/digest.hpp"

namespace obsync::client {

namespace {

constexpr std::uint32_t match_codes = 1'000'000;

bytes joined_with_keys(const pairing_session& session) {
  bytes out;
  append(out, session.pairing.hex());
  append(out, byte_view(session.claimant));
  append(out, byte_view(session.creator));
  return out;
}

crypto::secret32 hint_key(const pairing_id& pairing, const crypto::secret16& pairing_secret) {
  return crypto::derive_key(pairing_secret.view(), "obsync/v1/pair-vault", as_bytes(pairing.hex()));
}

error unopened(std::string_view what) {
  return {errc::corrupt, std::string(what)};
}

// Opens what travels as base64 and hex.
std::optional<bytes> open_texts(const crypto::secret32& key, std::string_view envelope,
                                std::string_view nonce, byte_view associated) {
  const auto sealed = crypto::from_base64(envelope);
  const auto parsed = seal_nonce::parse(nonce);
  if (!sealed || !parsed) return std::nullopt;
  return crypto::open(key.view(), *parsed, *sealed, associated);
}

}  // namespace

std::string to_text(const crypto::p256_public& point) {
  return crypto::to_base64url(point);
}

std::optional<crypto::p256_public> parse_point(std::string_view text) {
  const auto raw = crypto::from_base64url(text);
  if (!raw || !crypto::is_p256_point(*raw)) return std::nullopt;
  crypto::p256_public point{};
  std::copy(raw->begin(), raw->end(), point.begin());
  return point;
}

pairing_commitment commitment_to(const pairing_id& pairing, const crypto::p256_public& creator) {
  bytes text;
  append(text, "obsync/v2/pair-commit");
  append(text, pairing.hex());
  append(text, byte_view(creator));
  return *pairing_commitment::from(crypto::sha256(text).view().first(pairing_commitment::size));
}

std::string match_code(const pairing_session& session) {
  const bytes derived = crypto::hkdf(session.pairing_secret.view(), as_bytes("obsync/v2/pair-match"),
                                     joined_with_keys(session), 4);
  std::uint32_t number = 0;
  for (const std::uint8_t byte : derived) number = number << 8 | byte;
  number %= match_codes;
  char text[16];
  std::snprintf(text, sizeof text, "%03u %03u", number / 1000, number % 1000);
  return text;
}

result<crypto::secret32> agree_on_key(const pairing_session& session, const crypto::p256_key& own) {
  const bool is_creator = own.public_point() == session.creator;
  const auto shared = own.agree(is_creator ? session.claimant : session.creator);
  if (!shared) return error{errc::invalid, "the other device's key is no point of the curve"};
  bytes info;
  append(info, "obsync/v2/pair");
  append(info, session.pairing.hex());
  return crypto::derive_key(shared->view(), as_text(session.pairing_secret.view()), info);
}

result<wire::approve_request> seal_vault_key(const pairing_session& session, const crypto::p256_key& creator,
                                             const crypto::secret32& vault_root_key, random_source& random) {
  const auto key = agree_on_key(session, creator);
  if (!key) return key.error();
  std::string plaintext = wire::to_json(wire::vault_envelope{vault_root_key});
  const auto nonce = random_id<seal_nonce>(random);
  const bytes sealed = crypto::seal(key->view(), nonce, as_bytes(plaintext), joined_with_keys(session));
  crypto::wipe(plaintext.data(), plaintext.size());
  return wire::approve_request{crypto::to_base64(sealed), nonce.hex()};
}

result<crypto::secret32> open_vault_key(const pairing_session& session, const crypto::p256_key& claimant,
                                        const wire::envelope_answer& answer) {
  if (answer.creator_pub != to_text(session.creator))
    return unopened("the other device's key changed on the way");
  const auto key = agree_on_key(session, claimant);
  if (!key) return key.error();
  auto plaintext = open_texts(*key, answer.envelope, answer.nonce, joined_with_keys(session));
  if (!plaintext) return unopened("the vault key does not open: it was sealed for another pairing");
  const auto envelope = wire::parse_vault_envelope(as_text(*plaintext));
  crypto::wipe(plaintext->data(), plaintext->size());
  if (!envelope) return envelope.error();
  return envelope->vault_root_key;
}

wire::vault_preview seal_vault_hint(const pairing_id& pairing, const crypto::secret16& pairing_secret,
                                    const wire::vault_hint& hint, random_source& random) {
  const auto nonce = random_id<seal_nonce>(random);
  const bytes sealed = crypto::seal(hint_key(pairing, pairing_secret).view(), nonce,
                                    as_bytes(wire::to_json(hint)), as_bytes(pairing.hex()));
  return {crypto::to_base64(sealed), nonce.hex()};
}

result<wire::vault_hint> open_vault_hint(const pairing_id& pairing, const crypto::secret16& pairing_secret,
                                         const wire::vault_preview& preview) {
  const auto plaintext =
      open_texts(hint_key(pairing, pairing_secret), preview.envelope, preview.nonce, as_bytes(pairing.hex()));
  if (!plaintext) return unopened("the vault preview does not open");
  return wire::parse_vault_hint(as_text(*plaintext));
}

}  // namespace obsync::client
