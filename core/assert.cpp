#include "core/assert.hpp"

#include <cstdio>
#include <cstdlib>

namespace obsync {

void assertion_failed(const char* expression, const char* file, int line) {
  std::fprintf(stderr, "assertion failed: %s at %s:%d\n", expression, file, line);
  std::abort();
}

}  // namespace obsync
