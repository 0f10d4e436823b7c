// Each route by itself, one request at a time, against an account that has a history already.
#pragma once

#include <string>
#include <vector>

#include "perf/load/scenarios.hpp"

namespace obsync::perf {

// What can be asked for, in the order of a table.
std::vector<std::string> route_names();

// `how.count` requests of the route after `how.warm_up` that are not counted: p50_ms, p95_ms, max_ms, and
// bytes of bodies a request. Throws std::runtime_error for an unknown route.
numbers time_route(const load& how, const std::string& route);

}  // namespace obsync::perf
