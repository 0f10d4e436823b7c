// Whether the certificate and key of the configuration can be used, asked before anything depends on it.
#pragma once

#include "config/settings.hpp"
#include "core/result.hpp"

namespace obsync::app {

// Success where none is configured. The error says which file, what is wrong and what to do.
status check_certificate(const config::settings& settings);

}  // namespace obsync::app
