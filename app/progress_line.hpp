// What a long act says while it works: one line that is rewritten on a terminal, a plain line every ten
// seconds elsewhere, nothing within the first two seconds. On standard error.
#pragma once

#include <chrono>
#include <string>

namespace obsync::app {

class progress_line {
 public:
  progress_line();
  ~progress_line();
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  void say(const std::string& text);

 private:
  using clock = std::chrono::steady_clock;

  const bool terminal_;
  const clock::time_point begun_ = clock::now();
  clock::time_point last_ = begun_;
  bool said_ = false;
};

}  // namespace obsync::app
