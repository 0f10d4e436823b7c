// Assertions that stay on. Bad input is an error, never an assertion; a broken promise of our own code is an
// assertion, never an error.
#pragma once

namespace obsync {

// Prints the expression and its place, then aborts.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line);

}  // namespace obsync

#define OBSYNC_ASSERT(expression) \
  ((expression) ? static_cast<void>(0) : ::obsync::assertion_failed(#expression, __FILE__, __LINE__))
