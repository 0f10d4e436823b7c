// Durations of many repeats and what is reported of them. Plain.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

namespace obsync::perf {

using steady = std::chrono::steady_clock;

inline double seconds_since(steady::time_point begun) {
  return std::chrono::duration<double>(steady::now() - begun).count();
}

// Milliseconds.
class durations {
 public:
  void add(steady::time_point begun, steady::time_point ended) {
    ms_.push_back(std::chrono::duration<double, std::milli>(ended - begun).count());
  }
  void add(const durations& others) { ms_.insert(ms_.end(), others.ms_.begin(), others.ms_.end()); }

  // `share` within 0..1: the smallest value that so many are not above. 0 when there is none.
  double percentile(double share) const {
    if (ms_.empty()) return 0;
    std::vector<double> sorted = ms_;
    std::sort(sorted.begin(), sorted.end());
    const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1) + 0.5);
    return sorted[at];
  }

  // Every twentieth, the smallest and the largest among them: what a curve is drawn through.
  std::vector<std::pair<std::string, double>> curve() const {
    std::vector<std::pair<std::string, double>> out;
    for (int percent = 0; percent <= 100; percent += 5)
      out.emplace_back("curve_" + std::to_string(percent), percentile(percent / 100.0));
    return out;
  }

 private:
  std::vector<double> ms_;
};

}  // namespace obsync::perf
