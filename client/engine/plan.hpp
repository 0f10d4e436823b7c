// From three views to a list of acts. Pure: no disk, no network, no clock; the same input gives the same
// plan.
//
// What always holds: a local text is replaced or removed only when it is what was agreed or when a version on
// the server holds it; otherwise it is kept under a conflict name. A deletion is asked for only of a file
// that was agreed, whose absence was really seen. Nothing is ever placed over a name in use.
#pragma once

#include "client/engine/action.hpp"
#include "client/engine/place.hpp"

namespace obsync::client {

plan make_plan(const std::vector<base_item>& base, const local_view& local,
               const std::vector<remote_file>& remote, const naming& rules);

}  // namespace obsync::client
