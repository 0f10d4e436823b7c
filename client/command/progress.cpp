#include "client/command/progress.hpp"

#include "core/size_text.hpp"

namespace obsync::client {

namespace {

constexpr std::int64_t silent_ms = 2'000;
constexpr std::int64_t renew_ms = 200;
constexpr std::int64_t plain_ms = 5'000;

std::string text_of(std::uint64_t bytes) {
  return rounded_size_text(static_cast<std::int64_t>(bytes));
}

}  // namespace

std::string duration_text(std::int64_t seconds) {
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600) return std::to_string(seconds / 60) + " min " + std::to_string(seconds % 60) + " s";
  return std::to_string(seconds / 3600) + " h " + std::to_string(seconds / 60 % 60) + " min";
}

console_progress::console_progress(console& io, const clock& time, std::function<void()> on_moved)
    : io_(io), time_(time), on_moved_(std::move(on_moved)), began_ms_(time.now_ms()) {}

void console_progress::restart() {
  const std::lock_guard lock(mutex_);
  began_ms_ = time_.now_ms();
  shown_ms_ = 0;
  files_ = bytes_ = files_done_ = bytes_done_ = 0;
}

void console_progress::finish() {
  io_.flash("");
  restart();
}

void console_progress::planned(std::uint64_t files, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  files_ += files;
  bytes_ += bytes;
}

void console_progress::moved(std::uint64_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    bytes_done_ += bytes;
    show();
  }
  if (on_moved_) on_moved_();
}

void console_progress::finished_file(const std::string&) {
  {
    const std::lock_guard lock(mutex_);
    ++files_done_;
    show();
  }
  if (on_moved_) on_moved_();
}

void console_progress::note(const std::string& text) {
  io_.say(text);
}

void console_progress::show() {
  const std::int64_t now = time_.now_ms();
  if (now - began_ms_ < silent_ms) return;
  if (now - shown_ms_ < (io_.out_is_terminal ? renew_ms : plain_ms)) return;
  shown_ms_ = now;
  if (io_.out_is_terminal) {
    io_.flash(line(now));
  } else {
    io_.say(line(now));
  }
}

std::string console_progress::line(std::int64_t now_ms) const {
  const std::int64_t elapsed_ms = now_ms - began_ms_;
  const std::uint64_t rate = bytes_done_ * 1000 / static_cast<std::uint64_t>(elapsed_ms);
  std::string text = std::to_string(files_done_) + " of " + std::to_string(files_) + " files, " +
                     text_of(bytes_done_) + " of " + text_of(bytes_) + ", " + text_of(rate) + "/s";
  if (rate > 0 && bytes_ > bytes_done_) {
    text += ", " + duration_text(static_cast<std::int64_t>((bytes_ - bytes_done_) / rate)) + " left";
  }
  return text;
}

}  // namespace obsync::client
