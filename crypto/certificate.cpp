#include "crypto/certificate.hpp"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <ctime>

#include "crypto/library.hpp"

namespace obsync::crypto {

namespace {

using bio = std::unique_ptr<BIO, freed_by<BIO_free>>;
using x509 = std::unique_ptr<X509, freed_by<X509_free>>;
using extension = std::unique_ptr<X509_EXTENSION, freed_by<X509_EXTENSION_free>>;
using name_list = std::unique_ptr<GENERAL_NAMES, freed_by<GENERAL_NAMES_free>>;
using octets = std::unique_ptr<ASN1_OCTET_STRING, freed_by<ASN1_OCTET_STRING_free>>;

constexpr std::int64_t day_s = 86'400;
// Clocks of devices differ a little; a certificate that is not valid yet looks like a wrong one.
constexpr std::int64_t backdated_s = 3'600;
constexpr int serial_bits = 127;
constexpr std::size_t name_chars_max = 253;
constexpr std::size_t common_name_chars_max = 64;

bio reading(std::string_view text) {
  return bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
}

std::string text_in(const bio& memory) {
  char* begin = nullptr;
  const long length = BIO_get_mem_data(memory.get(), &begin);
  return {begin, static_cast<std::size_t>(length)};
}

x509 read_certificate(std::string_view pem) {
  const bio source = reading(pem);
  x509 out(PEM_read_bio_X509(source.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  return out;
}

// Never asks for a passphrase: there may be nobody to answer.
library::pkey read_key(std::string_view pem) {
  const bio source = reading(pem);
  const auto nobody = [](char*, int, int, void*) { return -1; };
  library::pkey out(PEM_read_bio_PrivateKey(source.get(), nullptr, nobody, nullptr));
  ERR_clear_error();
  return out;
}

std::string certificate_text(X509* certificate) {
  const bio memory(BIO_new(BIO_s_mem()));
  OBSYNC_ASSERT(memory != nullptr && PEM_write_bio_X509(memory.get(), certificate) == 1);
  return text_in(memory);
}

private_key_pem key_text(EVP_PKEY* key) {
  const bio memory(BIO_new(BIO_s_secmem()));
  OBSYNC_ASSERT(memory != nullptr &&
                PEM_write_bio_PrivateKey(memory.get(), key, nullptr, nullptr, 0, nullptr, nullptr) == 1);
  return private_key_pem(text_in(memory));
}

std::int64_t seconds_of(const ASN1_TIME* time) {
  std::tm parts{};
  return ASN1_TIME_to_tm(time, &parts) == 1 ? ::timegm(&parts) : 0;
}

void set_random_serial(X509* certificate) {
  const library::number serial(BN_new());
  OBSYNC_ASSERT(serial != nullptr &&
                BN_rand(serial.get(), serial_bits, BN_RAND_TOP_ONE, BN_RAND_BOTTOM_ANY) == 1);
  OBSYNC_ASSERT(BN_to_ASN1_INTEGER(serial.get(), X509_get_serialNumber(certificate)) != nullptr);
}

x509 begin_certificate(EVP_PKEY* key, const std::string& common_name, std::int64_t from_s,
                       std::int64_t until_s) {
  x509 out(X509_new());
  OBSYNC_ASSERT(out != nullptr && X509_set_version(out.get(), X509_VERSION_3) == 1);
  set_random_serial(out.get());
  ASN1_TIME_set(X509_getm_notBefore(out.get()), static_cast<time_t>(from_s));
  ASN1_TIME_set(X509_getm_notAfter(out.get()), static_cast<time_t>(until_s));
  const std::string shown = common_name.substr(0, common_name_chars_max);
  OBSYNC_ASSERT(X509_NAME_add_entry_by_txt(X509_get_subject_name(out.get()), "CN", MBSTRING_UTF8,
                                           reinterpret_cast<const unsigned char*>(shown.data()),
                                           static_cast<int>(shown.size()), -1, 0) == 1);
  OBSYNC_ASSERT(X509_set_pubkey(out.get(), key) == 1);
  return out;
}

void add_extension(X509* to, X509* issuer, int which, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, to, nullptr, nullptr, 0);
  const extension made(X509V3_EXT_conf_nid(nullptr, &context, which, value));
  OBSYNC_ASSERT(made != nullptr && X509_add_ext(to, made.get(), -1) == 1);
}

void sign(X509* certificate, X509* issuer, EVP_PKEY* with) {
  OBSYNC_ASSERT(X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1);
  OBSYNC_ASSERT(X509_sign(certificate, with, library::sha256()) > 0);
}

bool is_host_name(const std::string& name) {
  if (name.empty() || name.size() > name_chars_max) return false;
  std::size_t label = 0;
  char before = '.';
  for (const char c : name) {
    const bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (c == '.' ? label == 0 || before == '-' : !alnum && (c != '-' || label == 0)) return false;
    label = c == '.' ? 0 : label + 1;
    if (label > 63) return false;
    before = c;
  }
  return before != '.' && before != '-';
}

// Nothing when the text is neither an address nor a host name.
GENERAL_NAME* make_name(const std::string& text) {
  octets address(a2i_IPADDRESS(text.c_str()));
  ERR_clear_error();
  // Four numbers with dots that are no address would otherwise pass for a name.
  const bool numeric = text.find_first_not_of("0123456789.") == std::string::npos;
  if (address == nullptr && (numeric || !is_host_name(text))) return nullptr;
  GENERAL_NAME* out = GENERAL_NAME_new();
  OBSYNC_ASSERT(out != nullptr);
  if (address != nullptr) {
    GENERAL_NAME_set0_value(out, GEN_IPADD, address.release());
    return out;
  }
  ASN1_IA5STRING* name = ASN1_IA5STRING_new();
  OBSYNC_ASSERT(name != nullptr && ASN1_STRING_set(name, text.data(), static_cast<int>(text.size())) == 1);
  GENERAL_NAME_set0_value(out, GEN_DNS, name);
  return out;
}

result<name_list> make_names(const std::vector<std::string>& names) {
  name_list out(GENERAL_NAMES_new());
  OBSYNC_ASSERT(out != nullptr);
  for (const std::string& each : names) {
    GENERAL_NAME* made = make_name(each);
    if (made == nullptr) return error{errc::invalid, "'" + each + "' is neither a host name nor an address"};
    OBSYNC_ASSERT(sk_GENERAL_NAME_push(out.get(), made) > 0);
  }
  if (names.empty()) return error{errc::invalid, "a certificate needs at least one name"};
  return out;
}

std::string address_text(const ASN1_OCTET_STRING* address) {
  const auto* raw = ASN1_STRING_get0_data(address);
  const int length = ASN1_STRING_length(address);
  std::string out;
  char part[8];
  for (int i = 0; i < length; i += length == 4 ? 1 : 2) {
    const unsigned value = length == 4 ? raw[i] : (unsigned{raw[i]} << 8) | raw[i + 1];
    std::snprintf(part, sizeof part, length == 4 ? "%u" : "%x", value);
    out += (out.empty() ? "" : length == 4 ? "." : ":") + std::string(part);
  }
  return out;
}

}  // namespace

private_key_pem make_private_key() {
  const library::pkey made(EVP_EC_gen("P-256"));
  OBSYNC_ASSERT(made != nullptr);
  return key_text(made.get());
}

certified_key make_authority(const std::string& common_name, std::int64_t now_s) {
  const library::pkey key(EVP_EC_gen("P-256"));
  OBSYNC_ASSERT(key != nullptr);
  const std::int64_t from_s = now_s - backdated_s;
  const x509 made = begin_certificate(key.get(), common_name, from_s, from_s + authority_days * day_s);
  // May issue servers' certificates and no further authority.
  add_extension(made.get(), made.get(), NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
  add_extension(made.get(), made.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
  add_extension(made.get(), made.get(), NID_subject_key_identifier, "hash");
  sign(made.get(), made.get(), key.get());
  return {certificate_text(made.get()), key_text(key.get())};
}

result<std::string> issue_certificate(const certified_key& authority, const private_key_pem& for_key,
                                      const std::vector<std::string>& names, std::int64_t now_s) {
  const x509 issuer = read_certificate(authority.certificate);
  const library::pkey issuer_key = read_key(authority.key.text);
  if (issuer == nullptr || issuer_key == nullptr ||
      X509_check_private_key(issuer.get(), issuer_key.get()) != 1)
    return error{errc::corrupt,
                 "the authority's certificate and key cannot be read or do not belong together"};
  const library::pkey key = read_key(for_key.text);
  if (key == nullptr) return error{errc::corrupt, "the server's key cannot be read"};
  const std::int64_t issuer_until_s = seconds_of(X509_get0_notAfter(issuer.get()));
  if (issuer_until_s <= now_s) return error{errc::timed_out, "the authority's certificate has expired"};
  auto alternatives = make_names(names);
  if (!alternatives) return alternatives.error();

  const std::int64_t from_s = now_s - backdated_s;
  const x509 made = begin_certificate(key.get(), names.front(), from_s,
                                      std::min(from_s + certificate_days * day_s, issuer_until_s));
  add_extension(made.get(), issuer.get(), NID_basic_constraints, "critical,CA:FALSE");
  add_extension(made.get(), issuer.get(), NID_key_usage, "critical,digitalSignature");
  add_extension(made.get(), issuer.get(), NID_ext_key_usage, "serverAuth");
  add_extension(made.get(), issuer.get(), NID_subject_key_identifier, "hash");
  add_extension(made.get(), issuer.get(), NID_authority_key_identifier, "keyid:always");
  OBSYNC_ASSERT(X509_add1_ext_i2d(made.get(), NID_subject_alt_name, alternatives->get(), 0, 0) == 1);
  sign(made.get(), issuer.get(), issuer_key.get());
  return certificate_text(made.get());
}

bool is_issued_by(std::string_view certificate, std::string_view authority) {
  const x509 issued = read_certificate(certificate);
  const x509 issuer = read_certificate(authority);
  if (issued == nullptr || issuer == nullptr) return false;
  const bool fits = X509_check_issued(issuer.get(), issued.get()) == X509_V_OK &&
                    X509_verify(issued.get(), X509_get0_pubkey(issuer.get())) == 1;
  ERR_clear_error();
  return fits;
}

std::vector<std::string> names_in(std::string_view certificate) {
  const x509 read = read_certificate(certificate);
  if (read == nullptr) return {};
  const name_list names(
      static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(read.get(), NID_subject_alt_name, nullptr, nullptr)));
  std::vector<std::string> out;
  for (int i = 0; names != nullptr && i < sk_GENERAL_NAME_num(names.get()); ++i) {
    int kind = 0;
    const void* value = GENERAL_NAME_get0_value(sk_GENERAL_NAME_value(names.get(), i), &kind);
    if (kind == GEN_IPADD) out.push_back(address_text(static_cast<const ASN1_OCTET_STRING*>(value)));
    if (kind != GEN_DNS) continue;
    const auto* name = static_cast<const ASN1_IA5STRING*>(value);
    out.emplace_back(reinterpret_cast<const char*>(ASN1_STRING_get0_data(name)),
                     static_cast<std::size_t>(ASN1_STRING_length(name)));
  }
  return out;
}

std::int64_t expiry_of(std::string_view certificate) {
  const x509 read = read_certificate(certificate);
  return read == nullptr ? 0 : seconds_of(X509_get0_notAfter(read.get()));
}

}  // namespace obsync::crypto
