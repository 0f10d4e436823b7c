// How long each step of a start took, for the log. One thread.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace obsync::app {

class start_steps {
 public:
  // The step that has just ended; it began where the last one ended.
  void done(const char* step);
  // One line: `event=start_steps <step>_us=<microseconds> ... total_us=<microseconds>`.
  void write_log() const;

 private:
  using time_point = std::chrono::steady_clock::time_point;

  time_point begun_ = std::chrono::steady_clock::now();
  time_point last_ = begun_;
  std::vector<std::pair<std::string, std::chrono::microseconds>> steps_;
};

}  // namespace obsync::app
