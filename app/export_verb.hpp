// `obsyncd export`: see store/export_archive.hpp.
#pragma once

#include <string>
#include <vector>

namespace obsync::app {

extern const char* const export_help;

// The exit status: 0 when the archive is there, 1 when it is not, 2 for wrong words or a configuration that
// cannot be read. `words` follow `export`.
int run_export_verb(const std::vector<std::string>& words);

}  // namespace obsync::app
