// `obsyncd backup create|list|verify|prune|restore`: see store/backup.hpp.
#pragma once

#include <string>
#include <vector>

namespace obsync::app {

extern const char* const backup_help;

// The exit status: 0 when everything was done, 1 when something was not, 2 for wrong words or a configuration
// that cannot be read. `words` follow `backup`.
int run_backup_verb(const std::vector<std::string>& words);

}  // namespace obsync::app
