// Numbers and ids in a request's query and headers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "actors/ports.hpp"

namespace obsync::actors {

// The decimal number under `name`: `otherwise` where the name is absent, nothing where it is no number or
// does not fit 63 bits.
std::optional<std::int64_t> number_of(const request& req, std::string_view name, std::int64_t otherwise);

// The device a signature's headers name, when all four are there and well formed.
std::optional<device_id> signed_by(const credentials& signer);

// The whole of `text` as a non-negative decimal number.
std::optional<std::int64_t> decimal(std::string_view text);

}  // namespace obsync::actors
