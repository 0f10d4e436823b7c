// The nonce of a seal that must come out the same on every device. Under one key it repeats only for equal
// `info`.
#pragma once

#include "core/bytes.hpp"
#include "core/ids.hpp"
#include "crypto/secret.hpp"

namespace obsync::client {

seal_nonce derived_nonce(const crypto::secret32& key, byte_view info);

}  // namespace obsync::client
