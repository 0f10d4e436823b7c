// `obsyncd account …`, `obsyncd device …`, `obsyncd audit`: asks the running server and prints its answer.
#pragma once

#include <string>
#include <vector>

namespace obsync::app {

// The verbs' lines of the help text.
extern const char* const operator_help;

// The process's exit status. `words` follow the group; see operator_words.hpp.
int run_operator_verb(const std::string& group, const std::vector<std::string>& words);

}  // namespace obsync::app
