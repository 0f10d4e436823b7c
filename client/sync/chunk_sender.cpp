#include "client/sync/chunk_sender.hpp"

#include "wire/limits.hpp"

namespace obsync::client {

namespace {
constexpr std::size_t threads_max = 3;  // chunks are a megabyte at least
}

chunk_sender::chunk_sender(sync_session& session, const chunk_knowledge& there)
    : session_(session), there_(there) {}

chunk_sender::~chunk_sender() {
  {
    const std::lock_guard lock(mutex_);
    waiting_.clear();
    closed_ = true;
  }
  changed_.notify_all();
  for (std::thread& one : threads_) one.join();
}

remote_result<void> chunk_sender::send(sealed_chunk&& sealed) {
  const std::uint64_t size = sealed.ciphertext.size();
  std::unique_lock lock(mutex_);
  changed_.wait(lock,
                [&] { return failure_ || bytes_ == 0 || bytes_ + size <= wire::chunk_sealed_bytes_max; });
  if (failure_) return *failure_;
  bytes_ += size;
  waiting_.push_back(std::move(sealed));
  if (threads_.size() < threads_max) threads_.emplace_back([this] { work(); });
  changed_.notify_all();
  return {};
}

remote_result<void> chunk_sender::finish() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return failure_ || bytes_ == 0; });
  return outcome();
}

remote_result<void> chunk_sender::outcome() const {
  if (failure_) return *failure_;
  return {};
}

void chunk_sender::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const sealed_chunk sealed = std::move(waiting_.front());
    waiting_.pop_front();
    const bool wanted = !failure_;
    lock.unlock();
    const remote_result<void> sent = wanted ? send_chunk(session_, sealed, there_) : remote_result<void>();
    lock.lock();
    if (!sent && !failure_) failure_ = sent.error();
    bytes_ -= sealed.ciphertext.size();
    changed_.notify_all();
  }
}

}  // namespace obsync::client
