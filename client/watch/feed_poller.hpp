// Waits for news from the server on its own thread: a long poll after the other, with growing pauses while
// the server cannot be reached.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "client/remote/remote.hpp"
#include "client/remote/sleeper.hpp"
#include "core/random.hpp"

namespace obsync::client {

class feed_poller {
 public:
  struct events {
    std::function<void()> news;  // something lies beyond the cursor
    std::function<void(const remote_error& why)>
        hopeless;  // no further poll will succeed, for example revoked
  };

  // The references must outlive the object. Events come from the poller's thread and must be quick.
  feed_poller(remote& server, sleeper& pauses, random_source& random, events on);
  // stop() must have been called on `pauses`, and the running poll interrupted, or this waits for its end.
  ~feed_poller();
  feed_poller(const feed_poller&) = delete;
  feed_poller& operator=(const feed_poller&) = delete;

  void start(sequence cursor);
  // A round is over and reached `cursor`: polling goes on from there. After news the poller waits for this.
  void round_done(sequence cursor);
  void stop();

 private:
  void run();
  bool wait_for_round();

  remote& server_;
  sleeper& pauses_;
  random_source& random_;
  const events on_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopped_ = false;
  std::uint64_t rounds_ = 0;
  sequence cursor_ = 0;
  std::thread thread_;
};

// Refusals that no later attempt can turn: this device has no place at the server any more.
bool is_hopeless(const remote_error& why);

}  // namespace obsync::client
