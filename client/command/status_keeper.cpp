#include "client/command/status_keeper.hpp"

#include "client/home/small_file.hpp"

namespace obsync::client {

namespace {

constexpr std::int64_t refresh_ms = 1'000;

}  // namespace

status_keeper::status_keeper(std::string path, const remote& server, const clock& time)
    : path_(std::move(path)), server_(server), time_(time), disk_(make_posix_disk()) {}

void status_keeper::set(const watch_status& now) {
  const std::lock_guard lock(mutex_);
  now_ = now;
  write();
}

void status_keeper::refresh() {
  const std::lock_guard lock(mutex_);
  if (time_.now_ms() - written_ms_ >= refresh_ms) write();
}

void status_keeper::write() {
  written_ms_ = time_.now_ms();
  now_.updated_ms = written_ms_;
  now_.bytes_sent = server_.bytes_sent();
  now_.bytes_received = server_.bytes_received();
  // A status nobody can read is no reason to stop syncing.
  (void)replace_file(*disk_, path_, to_text(now_), durability::none);
}

}  // namespace obsync::client
