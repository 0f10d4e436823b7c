// One `name = text` as some source gave it, not yet understood.
#pragma once

#include <string>

namespace obsync::config {

enum class source { builtin, file, environment, command_line };

struct assignment {
  source from = source::builtin;
  std::string name;  // as written: section.key, or the variable's name
  std::string text;
  std::string place;  // for messages
};

}  // namespace obsync::config
