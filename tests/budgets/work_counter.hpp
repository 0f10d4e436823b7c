// What one request costs, counted and not timed: flushes, SQL statements, actor messages, bytes asked of the
// heap. One thread; one object at a time, made before the server it watches.
#pragma once

#include <cstdint>
#include <string>

#include "tests/sim/sim_server.hpp"

namespace obsync::test {

struct work {
  std::uint64_t flushes = 0;
  std::uint64_t statements = 0;
  std::uint64_t messages = 0;
  std::uint64_t heap_bytes = 0;
};

class work_counter {
 public:
  work_counter();
  ~work_counter();

  void begin(sim_server& of);
  work end(sim_server& of);
  // The statements since begin(), each with how often it ran.
  std::string statements() const;

  struct state;

 private:
  work before_;
};

}  // namespace obsync::test
