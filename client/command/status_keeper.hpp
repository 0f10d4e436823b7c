// Keeps the status file of a binding up to date without writing it more than once a second.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "client/remote/remote.hpp"
#include "client/watch/watch_status.hpp"
#include "core/clock.hpp"
#include "core/disk.hpp"

namespace obsync::client {

// Any thread.
class status_keeper {
 public:
  status_keeper(std::string path, const remote& server, const clock& time);

  // A new state of affairs: written at once.
  void set(const watch_status& now);
  // Bytes moved: written when the last writing is a second old.
  void refresh();

 private:
  void write();

  const std::string path_;
  const remote& server_;
  const clock& time_;
  const std::unique_ptr<disk> disk_;
  std::mutex mutex_;
  watch_status now_;
  std::int64_t written_ms_ = 0;
};

}  // namespace obsync::client
