// `obsyncd check [--deep] [--json]`: looks through the whole store, beside a running server or without one.
#pragma once

#include <string>
#include <vector>

namespace obsync::app {

// The exit status: 0 when everything is in order, 1 when something is not, 2 for a wrong word or a
// configuration that cannot be read. `words` follow the verb.
int run_check_verb(const std::vector<std::string>& words);

}  // namespace obsync::app
