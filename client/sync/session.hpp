// What the parts of a round share. One session per open folder; its members are for any thread unless said.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "client/format/vault_keys.hpp"
#include "client/remote/remote.hpp"
#include "client/state/state.hpp"
#include "client/sync/vault_sync.hpp"
#include "client/vault/vault.hpp"

namespace obsync::client {

// A random source that several threads may use.
class shared_random final : public random_source {
 public:
  explicit shared_random(random_source& inner) : inner_(inner) {}
  void fill(std::span<std::uint8_t> out) override {
    const std::lock_guard lock(mutex_);
    inner_.fill(out);
  }

 private:
  std::mutex mutex_;
  random_source& inner_;
};

// The stable word for a fault of the disk, and whether it heals by waiting.
std::string trouble_code(const error& why);
bool heals_by_waiting(const error& why);

// What happened in a round so far.
class round_log {
 public:
  // A file that could not be brought up to date; the latest word about a path counts.
  void trouble(const std::string& path, const std::string& code, const std::string& reason);
  // A file left for the next round.
  void wait(const std::string& path, const std::string& code);
  // The same for a file of which the feed has something to say now, so that this round goes on.
  void wait_for_news(const std::string& path);
  void fault(const std::string& path, const error& why);
  // Whether the server's refusal is this file's matter; otherwise it ends the round.
  void fault(const std::string& path, const remote_error& why);
  // Forgets what was said about paths that are looked at again.
  void look_again_at(const std::function<bool(const std::string&)>& is_looked_at);

  // The server said in this round that this device may only read: nothing more is sent in it.
  bool only_reads() const { return only_reads_; }
  // A change of this folder that such a device keeps to itself.
  void keep_here(const std::string& path);

  void end(const remote_error& why);
  void end(const error& why);
  bool ended() const { return ended_; }
  // A name that an act made for a text no version holds yet: to be looked at in the next pass.
  void touch(const std::string& path);
  std::set<std::string, std::less<>> take_touched();
  std::set<std::string> waiting();

  void count(std::uint64_t round_report::*what);
  // Acts that succeeded since the last call.
  std::uint64_t take_done();
  round_report finish();

 private:
  std::mutex mutex_;
  std::atomic<bool> ended_ = false;
  std::atomic<bool> only_reads_ = false;
  round_report report_;
  std::map<std::string, file_trouble> troubles_;
  std::map<std::string, std::string> waits_;
  std::set<std::string, std::less<>> touched_;
  std::uint64_t done_ = 0;
};

struct sync_session {
  sync_session(sync_options chosen, const crypto::secret32& root_key, remote& to, clock& now,
               random_source& chance)
      : options(std::move(chosen)), keys(root_key), server(to), time(now), random(chance) {}

  sync_options options;
  vault_keys keys;
  remote& server;
  clock& time;
  shared_random random;
  std::unique_ptr<vault> folder;
  std::unique_ptr<sync_state> state;
  std::atomic<bool> stopping = false;
  const domain_keys* domain = nullptr;  // set once the domain map was read
  bool told_only_reads = false;         // the person was told; round()'s thread only

  // For one round; set by it.
  round_log* log = nullptr;
  progress_sink* progress = nullptr;

  bool must_stop() const { return stopping || log->ended(); }
};

// Runs `act(i)` for i in [0, count) on up to `workers` threads; returns when all are done.
void run_in_flight(int workers, std::size_t count, const std::function<void(std::size_t)>& act);

}  // namespace obsync::client
