#include "crypto/ecdh.hpp"

#include <openssl/core_names.h>
#include <openssl/obj_mac.h>
#include <openssl/param_build.h>

#include <algorithm>

#include "crypto/library.hpp"

namespace obsync::crypto {

namespace {

using parameter_builder = std::unique_ptr<OSSL_PARAM_BLD, freed_by<OSSL_PARAM_BLD_free>>;
using parameters = std::unique_ptr<OSSL_PARAM, freed_by<OSSL_PARAM_free>>;

library::group make_group() {
  library::group curve(EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1));
  OBSYNC_ASSERT(curve != nullptr);
  return curve;
}

// A key of the library from a point and, when there is one, the scalar behind it; null when they are refused.
library::pkey make_pkey(const p256_public& point, const BIGNUM* scalar) {
  const parameter_builder builder(OSSL_PARAM_BLD_new());
  OBSYNC_ASSERT(builder != nullptr);
  OBSYNC_ASSERT(OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) == 1);
  OBSYNC_ASSERT(OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                                 point.size()) == 1);
  if (scalar != nullptr) {
    OBSYNC_ASSERT(OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_PRIV_KEY, scalar) == 1);
  }
  const parameters built(OSSL_PARAM_BLD_to_param(builder.get()));
  OBSYNC_ASSERT(built != nullptr);
  const library::pkey_context context(EVP_PKEY_CTX_new_from_name(nullptr, "EC", nullptr));
  OBSYNC_ASSERT(context != nullptr && EVP_PKEY_fromdata_init(context.get()) == 1);
  EVP_PKEY* made = nullptr;
  const int selection = scalar != nullptr ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
  if (EVP_PKEY_fromdata(context.get(), &made, selection, built.get()) != 1) return nullptr;
  return library::pkey(made);
}

}  // namespace

struct p256_key::state {
  library::pkey pair;
  p256_public point{};
};

p256_key::p256_key(std::unique_ptr<state> made) : state_(std::move(made)) {}
p256_key::p256_key(p256_key&&) noexcept = default;
p256_key& p256_key::operator=(p256_key&&) noexcept = default;
p256_key::~p256_key() = default;

p256_key p256_key::generate() {
  auto made = std::make_unique<state>();
  made->pair.reset(EVP_EC_gen("P-256"));
  OBSYNC_ASSERT(made->pair != nullptr);
  std::size_t length = 0;
  OBSYNC_ASSERT(EVP_PKEY_get_octet_string_param(made->pair.get(), OSSL_PKEY_PARAM_PUB_KEY, made->point.data(),
                                                made->point.size(), &length) == 1);
  OBSYNC_ASSERT(length == made->point.size() && made->point[0] == 0x04);
  return p256_key(std::move(made));
}

std::optional<p256_key> p256_key::from_private(byte_view scalar) {
  if (scalar.size() != 32) return std::nullopt;
  const library::group curve = make_group();
  const library::number secret(BN_bin2bn(scalar.data(), static_cast<int>(scalar.size()), nullptr));
  OBSYNC_ASSERT(secret != nullptr);
  if (BN_is_zero(secret.get()) || BN_cmp(secret.get(), EC_GROUP_get0_order(curve.get())) >= 0) {
    return std::nullopt;
  }
  const library::point product(EC_POINT_new(curve.get()));
  OBSYNC_ASSERT(product != nullptr);
  OBSYNC_ASSERT(EC_POINT_mul(curve.get(), product.get(), secret.get(), nullptr, nullptr, nullptr) == 1);
  auto made = std::make_unique<state>();
  OBSYNC_ASSERT(EC_POINT_point2oct(curve.get(), product.get(), POINT_CONVERSION_UNCOMPRESSED,
                                   made->point.data(), made->point.size(), nullptr) == made->point.size());
  made->pair = make_pkey(made->point, secret.get());
  if (made->pair == nullptr) return std::nullopt;
  return p256_key(std::move(made));
}

const p256_public& p256_key::public_point() const {
  return state_->point;
}

std::optional<secret32> p256_key::agree(const p256_public& other) const {
  if (!is_p256_point(other)) return std::nullopt;
  const library::pkey peer = make_pkey(other, nullptr);
  if (peer == nullptr) return std::nullopt;
  const library::pkey_context context(EVP_PKEY_CTX_new_from_pkey(nullptr, state_->pair.get(), nullptr));
  OBSYNC_ASSERT(context != nullptr && EVP_PKEY_derive_init(context.get()) == 1);
  if (EVP_PKEY_derive_set_peer(context.get(), peer.get()) != 1) return std::nullopt;
  secret32 shared;
  std::size_t length = shared.raw.size();
  if (EVP_PKEY_derive(context.get(), shared.raw.data(), &length) != 1) return std::nullopt;
  OBSYNC_ASSERT(length == shared.raw.size());
  return shared;
}

bool is_p256_point(byte_view point) {
  // The curve's other encodings also fit 65 bytes; only the plain one is ours.
  if (point.size() != std::tuple_size_v<p256_public> || point[0] != 0x04) return false;
  const library::group curve = make_group();
  const library::point parsed(EC_POINT_new(curve.get()));
  OBSYNC_ASSERT(parsed != nullptr);
  return EC_POINT_oct2point(curve.get(), parsed.get(), point.data(), point.size(), nullptr) == 1;
}

}  // namespace obsync::crypto
