// X.509 certificates for a server that no public authority vouches for: a private authority and what it
// issues. P-256 throughout; certificates and keys travel as PEM text. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.hpp"
#include "crypto/secret.hpp"

namespace obsync::crypto {

// Wiped when it goes.
struct private_key_pem {
  std::string text;

  explicit private_key_pem(std::string pem) : text(std::move(pem)) {}
  private_key_pem(const private_key_pem&) = default;
  private_key_pem& operator=(const private_key_pem&) = default;
  ~private_key_pem() { wipe(text.data(), text.size()); }
};

private_key_pem make_private_key();

// A certificate with its key; also an authority, which is a certificate that may issue others.
struct certified_key {
  std::string certificate;
  private_key_pem key;
};

inline constexpr std::int64_t authority_days = 3650;
// The most that phones accept of a private authority.
inline constexpr std::int64_t certificate_days = 825;

// Good for ten years from `now_s`, Unix seconds.
certified_key make_authority(const std::string& common_name, std::int64_t now_s);

// A server's certificate for host names and numeric addresses, the first of which it is called by. Never
// outlives its authority. errc::invalid for a name that is neither, or none at all; errc::corrupt for PEM
// that cannot be read or does not fit together; errc::timed_out when the authority has expired.
result<std::string> issue_certificate(const certified_key& authority, const private_key_pem& for_key,
                                      const std::vector<std::string>& names, std::int64_t now_s);

// False also for text that holds no certificate.
bool is_issued_by(std::string_view certificate, std::string_view authority);

// The host names and addresses a certificate is for; none for text that holds no certificate.
std::vector<std::string> names_in(std::string_view certificate);

// Unix seconds; 0 for text that holds no certificate.
std::int64_t expiry_of(std::string_view certificate);

}  // namespace obsync::crypto
