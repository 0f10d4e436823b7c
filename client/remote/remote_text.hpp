// A remote_error in words: a stable one for scripts, a sentence that says what to do for a person.
#pragma once

#include <string>

#include "client/remote/remote.hpp"

namespace obsync::client {

// The refusal's word on the wire, or `unreachable`, `not_obsync`, `malformed`, `stopped`, `refused`.
std::string code_of(const remote_error& why);
std::string text_of(const remote_error& why);

}  // namespace obsync::client
