// What a person sees while files move: nothing for the first two seconds, then a line that renews itself on a
// terminal, or a plain line now and then where the output is piped.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

#include "client/command/console.hpp"
#include "client/sync/vault_sync.hpp"
#include "core/clock.hpp"

namespace obsync::client {

std::string duration_text(std::int64_t seconds);

// Any thread.
class console_progress final : public progress_sink {
 public:
  // `on_moved` is told after every step, for whoever else keeps counts; may be empty.
  console_progress(console& io, const clock& time, std::function<void()> on_moved = {});

  // A new act begins: counts and time start again.
  void restart();
  // Takes the renewing line away.
  void finish();

  void planned(std::uint64_t files, std::uint64_t bytes) override;
  void moved(std::uint64_t bytes) override;
  void finished_file(const std::string& path) override;
  void note(const std::string& text) override;

 private:
  void show();
  std::string line(std::int64_t now_ms) const;

  console& io_;
  const clock& time_;
  const std::function<void()> on_moved_;
  std::mutex mutex_;
  std::int64_t began_ms_;
  std::int64_t shown_ms_ = 0;
  std::uint64_t files_ = 0;
  std::uint64_t bytes_ = 0;
  std::uint64_t files_done_ = 0;
  std::uint64_t bytes_done_ = 0;
};

}  // namespace obsync::client
