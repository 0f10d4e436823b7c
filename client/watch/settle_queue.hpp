// Decides when a change has come to rest. Pure: told what happened and what time it is.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace obsync::client {

struct settle_limits {
  std::int64_t settle_ms = 50;         // after the last sign of a finished change
  std::int64_t settle_ms_max = 2'000;  // a path that never rests is reported this often all the same
  std::int64_t quiet_ms = 5'000;  // a file still open for writing counts as finished after this much silence
};

// Times are milliseconds of a clock that never goes back.
class settle_queue {
 public:
  explicit settle_queue(const settle_limits& limits) : limits_(limits) {}

  // The path changed and is complete: closed, renamed, deleted, made.
  void finished(const std::string& path, std::int64_t now_ms);
  // Somebody is writing to the file and has not closed it.
  void writing(const std::string& path, std::int64_t now_ms);
  // Attributes changed: does not end a write under way.
  void touched(const std::string& path, std::int64_t now_ms);

  // Everything at rest now; it leaves the queue.
  std::set<std::string> take(std::int64_t now_ms);
  // When the next path comes to rest.
  std::optional<std::int64_t> next_ms() const;
  void clear() { waiting_.clear(); }

 private:
  struct entry {
    bool open = false;          // being written
    std::int64_t since_ms = 0;  // first unreported sign of completeness
    std::int64_t due_ms = 0;
  };

  const settle_limits limits_;
  std::map<std::string, entry> waiting_;
};

}  // namespace obsync::client
