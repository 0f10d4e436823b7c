// What can go wrong below the protocol, named by what the caller should do next.
#pragma once

#include <string>
#include <string_view>

namespace obsync {

enum class errc {
  invalid,        // the input is malformed: do not repeat it
  not_found,      // the thing does not exist
  exists,         // the thing is there already
  denied,         // the system refuses: permissions, read-only medium
  no_space,       // the volume or quota is full: free room, then repeat
  io_failed,      // the device failed: state after it is unknown, reopen before going on
  corrupt,        // stored bytes do not match their own description: stop and tell a person
  unavailable,    // the other side cannot be reached or is not ready: repeat later
  overloaded,     // a bound was reached: repeat after a pause
  timed_out,      // no answer in time: the act may or may not have happened
  shutting_down,  // this process is ending
  unsupported,    // understood, but not by this version
};

std::string_view name(errc code);

struct error {
  errc code;
  std::string detail;  // for a person; never a secret
};

}  // namespace obsync
