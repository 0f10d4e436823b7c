#include "app/start_steps.hpp"

#include "core/log.hpp"

namespace obsync::app {

namespace {

std::chrono::microseconds between(std::chrono::steady_clock::time_point from,
                                  std::chrono::steady_clock::time_point to) {
  return std::chrono::duration_cast<std::chrono::microseconds>(to - from);
}

}  // namespace

void start_steps::done(const char* step) {
  const auto now = std::chrono::steady_clock::now();
  steps_.emplace_back(step, between(last_, now));
  last_ = now;
}

void start_steps::write_log() const {
  log::line line(log::level::info, "start_steps");
  for (const auto& [name, took] : steps_) line.add(name + "_us", took.count());
  line.add("total_us", between(begun_, last_).count());
}

}  // namespace obsync::app
