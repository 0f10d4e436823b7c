// Which handlers kept their thread for long, told at most once a minute each: a slow disk must not fill the
// log. One actor owns one; its thread only.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace obsync::actors {

struct stall {
  std::chrono::milliseconds took{};
  int count = 0;  // stalls since the last one that was told, this one included
  std::chrono::milliseconds worst{};
};

class stall_watch {
 public:
  using time_point = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds shortest{50};
  static constexpr std::chrono::minutes quiet{1};

  // The stall to tell of, when this handling was one and the last was told long enough ago.
  std::optional<stall> note(time_point begun, time_point ended) {
    const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(ended - begun);
    if (took < shortest) return std::nullopt;
    ++untold_.count;
    untold_.worst = std::max(untold_.worst, took);
    if (told_ && ended - *told_ < quiet) return std::nullopt;
    told_ = ended;
    stall out = untold_;
    out.took = took;
    untold_ = {};
    return out;
  }

 private:
  std::optional<time_point> told_;
  stall untold_;
};

}  // namespace obsync::actors
