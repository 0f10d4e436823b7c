// Numbers in a request's query.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "actors/ports.hpp"

namespace obsync::actors {

// The decimal number under `name`: `otherwise` where the name is absent, nothing where it is no number or
// does not fit 63 bits.
std::optional<std::int64_t> number_of(const request& req, std::string_view name, std::int64_t otherwise);

// The whole of `text` as a non-negative decimal number.
std::optional<std::int64_t> decimal(std::string_view text);

}  // namespace obsync::actors
