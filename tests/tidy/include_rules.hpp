// Who may include whom. The tables are the architecture: docs/architecture.md explains them, this enforces
// them.
#pragma once

#include <string>

#include "tests/tidy/source_tree.hpp"

namespace obsync::tidy {

// Our own headers: which folder may include which. A folder without a row is a breach too.
void check_own_includes(const source_file& file, breaches& out);

// Headers of libraries and of the operating system: which files may include them.
void check_foreign_includes(const source_file& file, breaches& out);

// The header an #include line names, quotes or brackets kept; empty for any other line.
std::string included(const std::string& line);

}  // namespace obsync::tidy
