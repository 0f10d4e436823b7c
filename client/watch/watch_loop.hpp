// The life of `obsync watch`: what changed in the folder and what is new at the server become rounds of a
// vault_sync, one after the other; what goes wrong is waited out with growing pauses.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "client/remote/remote.hpp"
#include "client/remote/sleeper.hpp"
#include "client/sync/vault_sync.hpp"
#include "client/watch/folder_watcher.hpp"
#include "client/watch/watch_status.hpp"
#include "core/random.hpp"

namespace obsync::client {

struct watch_options {
  std::string folder;
  std::string app_version;
  settle_limits settle = {};
  std::int64_t rescan_ms = 60'000;      // between scans while the kernel cannot watch everything
  std::int64_t root_retry_ms = 2'000;   // between looks for a folder that went away
  std::int64_t retry_ms_first = 5'000;  // after a round that left something undone, doubling
  std::int64_t retry_ms_max = 60'000;
  std::int64_t settle_retry_ms_first = 250;  // after a round that met files still changing, doubling
  std::int64_t settle_retry_ms_max = 5'000;
  std::int64_t heartbeat_ms = 3'600'000;
};

// Where the loop tells what happens. say() may be called from several threads, status() only from run().
class watch_audience {
 public:
  virtual ~watch_audience() = default;
  virtual void say(const std::string& line) = 0;
  // Counts of transferred bytes and the time are the audience's to fill in.
  virtual void status(const watch_status& now) = 0;
};

class watch_loop {
 public:
  // The references must outlive the object.
  watch_loop(watch_options options, vault_sync& vault, remote& server, sleeper& pauses, random_source& random,
             progress_sink& progress, watch_audience& audience);
  ~watch_loop();

  // Until stop(): nothing. Or why watching cannot go on, for example a revoked device. Once per object.
  std::optional<remote_error> run();

  // Any thread. The caller also interrupts the remote, so that a waiting poll ends.
  void stop();
  // To be told by the remote's link listener. Any thread.
  void link_changed(bool reachable, const std::string& reason);

 private:
  // What a round should look at.
  struct wish {
    bool all = false;
    std::set<std::string> paths;
    bool nothing() const { return !all && paths.empty(); }
    void add(const wish& more) {
      all = all || more.all;
      paths.insert(more.paths.begin(), more.paths.end());
    }
  };

  bool open_watcher();
  void wait_for_work();
  bool round_is_due(std::int64_t now_ms) const;
  void do_round();
  void judge_round(const round_report& report, wish done);
  void after_local_failure(const error& why);
  void after_remote_failure(const remote_error& why, wish done);
  void count_troubles(const round_report& report);
  void retry_later(wish undone, std::int64_t& pause_ms, std::int64_t first_ms, std::int64_t max_ms);
  void beat_heart();
  void show_link();
  void tell_result(const round_report& report);
  void set_state(const std::string& state, const std::string& code, const std::string& reason);
  void miss_root(const std::string& reason);
  void find_root();
  void start_over();

  const watch_options options_;
  vault_sync& vault_;
  remote& server_;
  sleeper& pauses_;
  random_source& random_;
  progress_sink& progress_;
  watch_audience& audience_;

  wake_signal wake_;
  std::atomic<bool> stopped_{false};
  std::atomic<bool> news_{false};
  std::mutex mutex_;  // guards the next four: written by other threads
  std::optional<remote_error> hopeless_;
  bool reachable_ = true;
  bool link_news_ = false;
  std::string link_reason_;

  std::unique_ptr<folder_watcher> watcher_;
  watch_status status_;
  wish wish_;    // for the next round
  wish undone_;  // for the round at retry_at_ms_
  bool online_ = true;
  bool said_incomplete_ = false;
  bool said_root_ = false;
  bool blocked_ = false;  // the last round could not do its work: even news wait for the retry
  std::optional<std::int64_t> retry_at_ms_;
  std::int64_t retry_pause_ms_ = 0;
  std::int64_t settle_pause_ms_ = 0;
  std::int64_t rescan_at_ms_ = 0;
  std::int64_t heartbeat_at_ms_ = 0;
};

}  // namespace obsync::client
