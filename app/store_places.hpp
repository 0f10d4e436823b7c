// Where the store that a configuration names keeps its files.
#pragma once

#include "config/settings.hpp"
#include "store/store_check.hpp"

namespace obsync::app {

store::check_places places_of(const config::settings& settings);

}  // namespace obsync::app
