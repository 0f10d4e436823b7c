// `obsyncd doctor`: looks at the machine, the volumes and the server, and says what to do about what it
// finds.
#pragma once

#include <string>
#include <vector>

namespace obsync::app {

// The exit status: 0 when nothing is wrong (warnings are not), 1 when something is, 2 for wrong words or a
// configuration that cannot be read. `words` follow `doctor`.
int run_doctor_verb(const std::vector<std::string>& words);

}  // namespace obsync::app
