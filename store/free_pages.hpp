// Pages that a database no longer uses, given back to the file system in small steps. Internal to store/.
#pragma once

#include <cstdint>

#include "store/sqlite.hpp"

namespace obsync::store {

// Within an open transaction: gives up to `pages_max` free pages back, if so many are free that it pays; true
// while there is more to give. A few free pages are kept, for the next write would ask for them again.
bool give_pages_back_of(sql::connection& on, std::int64_t pages_max);

}  // namespace obsync::store
