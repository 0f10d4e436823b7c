// The server's answers to an operator, for people: one line a thing, columns aligned. Plain; no effects.
#pragma once

#include <string>

#include "wire/control.hpp"
#include "wire/upkeep.hpp"

namespace obsync::app {

// `2026-09-07 11:59`, in UTC.
std::string time_text(std::int64_t ms);

std::string report(const wire::account_entries& value);
std::string report(const wire::device_entries& value);
std::string report(const wire::audit_entries& value);
std::string report(const wire::collection_view& value);
std::string report(const wire::scrub_view& value);

}  // namespace obsync::app
