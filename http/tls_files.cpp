#include "http/tls_files.hpp"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <optional>

#include "core/freed_by.hpp"
#include "http/tls_context.hpp"

namespace obsync::http {

namespace {

constexpr std::size_t file_bytes_max = 1u << 20;

using bio = std::unique_ptr<BIO, freed_by<BIO_free>>;
using x509 = std::unique_ptr<X509, freed_by<X509_free>>;
using pkey = std::unique_ptr<EVP_PKEY, freed_by<EVP_PKEY_free>>;

// Wiped when it goes: one of the two files is a secret.
struct file_text {
  std::string text;
  mode_t mode = 0;
  file_text() = default;
  file_text(const file_text&) = delete;
  file_text& operator=(const file_text&) = delete;
  ~file_text() { OPENSSL_cleanse(text.data(), text.size()); }
};

error cannot_read(const char* option, const std::string& path, int number) {
  const errc code = number == ENOENT ? errc::not_found : number == EACCES ? errc::denied : errc::io_failed;
  std::string detail = std::string(option) + ": cannot read " + path + ": " + std::strerror(number);
  if (number == EACCES) detail += " (the server runs as user " + std::to_string(::geteuid()) + ")";
  return {code, detail};
}

// Symbolic links are followed: that is how certificate tools name their newest files.
std::optional<error> read_file(const char* option, const std::string& path, file_text& into) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return cannot_read(option, path, errno);
  struct stat info {};
  const bool known = ::fstat(descriptor, &info) == 0;
  if (!known || !S_ISREG(info.st_mode) || info.st_size > static_cast<off_t>(file_bytes_max)) {
    ::close(descriptor);
    return error{errc::invalid, std::string(option) + ": " + path + " is no regular file of at most 1 MiB"};
  }
  into.mode = info.st_mode;
  into.text.resize(static_cast<std::size_t>(info.st_size));
  const ssize_t got = ::pread(descriptor, into.text.data(), into.text.size(), 0);
  const int number = errno;
  ::close(descriptor);
  if (got < 0) return cannot_read(option, path, number);
  into.text.resize(static_cast<std::size_t>(got));
  return std::nullopt;
}

bio memory_of(const file_text& from) {
  return bio(BIO_new_mem_buf(from.text.data(), static_cast<int>(from.text.size())));
}

// The first certificate and its chain into the context.
std::optional<error> use_certificate(const tls_files& files, tls_context& into) {
  file_text file;
  if (auto failed = read_file("tls.certificate", files.certificate, file)) return failed;
  const bio source = memory_of(file);
  const x509 own(PEM_read_bio_X509(source.get(), nullptr, nullptr, nullptr));
  SSL_CTX* context = into.context.native_handle();
  if (!own || SSL_CTX_use_certificate(context, own.get()) != 1)
    return error{errc::invalid,
                 "tls.certificate: " + files.certificate + " holds no certificate in PEM form"};
  while (X509* next = PEM_read_bio_X509(source.get(), nullptr, nullptr, nullptr)) {
    // Takes the certificate over.
    if (SSL_CTX_add0_chain_cert(context, next) != 1) X509_free(next);
  }
  ERR_clear_error();
  std::tm until{};
  if (ASN1_TIME_to_tm(X509_get0_notAfter(own.get()), &until) == 1) into.expires_s = ::timegm(&until);
  return std::nullopt;
}

// Instead of the library's own question on the terminal, which a server could never answer.
int no_passphrase(char*, int, int, void* asked) {
  *static_cast<bool*>(asked) = true;
  return -1;
}

std::optional<error> use_key(const tls_files& files, tls_context& into) {
  file_text file;
  if (auto failed = read_file("tls.key", files.key, file)) return failed;
  if ((file.mode & (S_IRWXG | S_IRWXO)) != 0)
    return error{errc::denied, "tls.key: " + files.key +
                                   " may be read or changed by others than its owner; " + "run: chmod 600 " +
                                   files.key};
  bool asked = false;
  const bio source = memory_of(file);
  const pkey key(PEM_read_bio_PrivateKey(source.get(), nullptr, no_passphrase, &asked));
  ERR_clear_error();
  if (asked)
    return error{errc::invalid,
                 "tls.key: " + files.key +
                     " is protected by a passphrase, and nobody is there to type it; decrypt it: "
                     "openssl pkey -in FILE -out FILE"};
  if (!key) return error{errc::invalid, "tls.key: " + files.key + " holds no private key in PEM form"};
  SSL_CTX* context = into.context.native_handle();
  const bool usable =
      SSL_CTX_use_PrivateKey(context, key.get()) == 1 && SSL_CTX_check_private_key(context) == 1;
  ERR_clear_error();
  if (!usable)
    return error{errc::invalid,
                 "tls.key: " + files.key + " does not belong to the certificate in " + files.certificate};
  return std::nullopt;
}

// A peer that offers protocols and not ours would not understand what follows.
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* length, const unsigned char* offered,
                    unsigned int offered_length, void*) {
  static constexpr std::array<unsigned char, 9> ours{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, length, ours.data(), ours.size(), offered, offered_length) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_ALERT_FATAL;
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

void set_rules(SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20");
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // An idle connection keeps no buffers of the library.
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
  // Tickets resume sessions; nothing is remembered here.
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_alpn_select_cb(context, choose_protocol, nullptr);
}

}  // namespace

result<std::shared_ptr<tls_context>> load_tls(const tls_files& files) {
  auto made = std::make_shared<tls_context>();
  set_rules(made->context.native_handle());
  if (auto failed = use_certificate(files, *made)) return *failed;
  if (auto failed = use_key(files, *made)) return *failed;
  return made;
}

}  // namespace obsync::http
