// Hex, base64 and base32: whatever decodes must encode to the very text it came from, spare bits of base32
// aside.
#include <cstdlib>

#include "core/ids.hpp"
#include "crypto/base32.hpp"
#include "crypto/base64.hpp"
#include "crypto/ecdh.hpp"
#include "crypto/secret.hpp"

using namespace obsync;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text({data, size});
  if (const auto id = file_id::parse(text)) require(id->hex() == text);
  if (const auto id = chunk_sid::parse(text)) require(id->hex() == text);
  if (const auto secret = crypto::secret32::parse(text)) require(secret->hex() == text);
  if (const auto decoded = crypto::from_base64(text)) require(crypto::to_base64(*decoded) == text);
  if (const auto decoded = crypto::from_base64url(text)) require(crypto::to_base64url(*decoded) == text);
  if (const auto decoded = crypto::from_base32(text)) {
    require(crypto::from_base32(crypto::to_base32(*decoded)) == decoded);
  }
  require(crypto::from_base64(crypto::to_base64({data, size})) == bytes(data, data + size));
  require(crypto::from_base32(crypto::to_base32({data, size})) == bytes(data, data + size));
  (void)crypto::is_p256_point({data, size});
  return 0;
}
