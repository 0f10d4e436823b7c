// Loads the dashboard's files, once, at start.
#pragma once

#include <memory>
#include <string>

#include "actors/dashboard_pages.hpp"

namespace obsync::app {

// Everything of the dashboard that is in `folder`. A missing file is logged and later answered
// dashboard_unavailable; the server works without.
std::shared_ptr<const actors::dashboard_pages> load_dashboard(const std::string& folder);

}  // namespace obsync::app
