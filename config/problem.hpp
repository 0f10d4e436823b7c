// What is wrong with a configuration: where it stands, and what was expected there.
#pragma once

#include <string>
#include <vector>

namespace obsync::config {

struct problem {
  std::string place;    // `/etc/obsync/obsyncd.conf:12`, `environment OBSYNC_LISTEN`, `command line`
  std::string message;  // never holds the value of a secret
  std::string text() const { return place + ": " + message; }
};

using problems = std::vector<problem>;

}  // namespace obsync::config
