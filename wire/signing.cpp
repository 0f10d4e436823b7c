#include "wire/signing.hpp"

namespace obsync::wire {

std::string canonical_text(const signed_fields& fields) {
  constexpr std::string_view scheme = "obsync/v1";
  std::string text;
  text.reserve(scheme.size() + fields.method.size() + fields.target.size() + fields.timestamp.size() +
               fields.nonce.size() + fields.body_hash.size() + 5);
  text.append(scheme);
  for (const std::string_view field :
       {fields.method, fields.target, fields.timestamp, fields.nonce, fields.body_hash}) {
    text.push_back('\n');
    text.append(field);
  }
  return text;
}

digest sign(const crypto::hmac_key& secret, const signed_fields& fields) {
  return secret.mac(as_bytes(canonical_text(fields)));
}

}  // namespace obsync::wire
