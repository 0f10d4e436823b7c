// A sleeper that only writes down how long it was asked to sleep.
#pragma once

#include <cstdint>
#include <vector>

#include "client/remote/sleeper.hpp"

namespace obsync::test {

class counting_sleeper final : public client::sleeper {
 public:
  std::vector<std::int64_t> pauses;
  bool stopped = false;

  bool sleep_ms(std::int64_t ms) override {
    pauses.push_back(ms);
    return !stopped;
  }
  void stop() override { stopped = true; }
};

}  // namespace obsync::test
