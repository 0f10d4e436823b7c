// Sends the chunks of one large file while the next ones are read and sealed. As many are under way at once
// as weigh what one chunk may weigh: a client that is killed sends no more than that twice. The threads are
// its own.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "client/sync/chunk_transfer.hpp"

namespace obsync::client {

class chunk_sender {
 public:
  // Both outlive it; `there` does not change meanwhile.
  chunk_sender(sync_session& session, const chunk_knowledge& there);
  chunk_sender(const chunk_sender&) = delete;
  chunk_sender& operator=(const chunk_sender&) = delete;
  // Waits for what is under way; what is not is dropped.
  ~chunk_sender();

  // Waits for room. The failure of a chunk before, when there was one.
  remote_result<void> send(sealed_chunk&& sealed);
  // Waits until the server has all of them, or one failed.
  remote_result<void> finish();

 private:
  void work();
  remote_result<void> outcome() const;

  sync_session& session_;
  const chunk_knowledge& there_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<sealed_chunk> waiting_;
  std::uint64_t bytes_ = 0;  // of chunks handed over and not sent yet
  bool closed_ = false;
  std::optional<remote_error> failure_;
  std::vector<std::thread> threads_;
};

}  // namespace obsync::client
