// Puts right what can be put right in a store that no server uses: owners and modes, copies that rotted or
// are missing where another copy has the right bytes. What no copy has is set aside as evidence and counts as
// missing from then on, so that a device that has it sends it again.
#pragma once

#include <cstdint>
#include <functional>

#include "config/settings.hpp"
#include "core/result.hpp"
#include "wire/upkeep.hpp"

namespace obsync::app {

// `told` hears now and then how many seconds it has taken. errc::exists while a server uses the store,
// errc::not_found where there is none. Blocks until every chunk was looked at.
result<wire::scrub_summary> repair_store(const config::settings& settings,
                                         const std::function<void(std::int64_t)>& told);

}  // namespace obsync::app
