// Whether the server can be trusted with work right now, for /readyz and for refusals. Any thread.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>

namespace obsync::actors {

class health {
 public:
  // The first reason given stays until the process ends: nothing that faults heals by itself.
  void fault(std::string reason);
  bool is_faulted() const;
  void set_stopping() { stopping_ = true; }
  bool stopping() const { return stopping_; }
  // Until then requests are refused and /readyz says why.
  void set_started() { started_ = true; }
  bool started() const { return started_; }
  // Why the server is not ready; nothing when it is.
  std::optional<std::string> reason() const;

 private:
  std::atomic<bool> stopping_{false};
  std::atomic<bool> started_{false};
  mutable std::mutex mutex_;
  std::optional<std::string> fault_;
};

}  // namespace obsync::actors
