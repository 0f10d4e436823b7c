// Devices of one vault in memory: a server, and for each device a folder and the client that keeps it in
// step.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "client/sync/assembly.hpp"
#include "tests/support/memory_remote.hpp"
#include "tests/support/memory_vault.hpp"

namespace obsync::client::testing {

class silent_progress final : public progress_sink {
 public:
  void planned(std::uint64_t, std::uint64_t) override {}
  void moved(std::uint64_t) override {}
  void finished_file(const std::string&) override {}
  void note(const std::string& text) override {
    const std::lock_guard lock(mutex_);
    notes.push_back(text);
  }
  std::vector<std::string> notes;

 private:
  std::mutex mutex_;
};

class device {
 public:
  // `state_path` may be ":memory:", but then a restart forgets everything.
  device(memory_server& server, std::uint8_t number, std::string name, std::string state_path = ":memory:")
      : name_(std::move(name)),
        state_path_(std::move(state_path)),
        random_(number),
        clock_(1'700'000'000'000) {
    device_id self;
    self.raw.back() = number;
    server.device_names[self] = name_;
    remote = std::make_unique<memory_remote>(server, self);
    start();
  }

  void start() {
    sync.reset();
    auto state = open_state(state_path_);
    ASSERT_TRUE(state.ok()) << state.error().detail;
    sync_options options;
    options.folder = "/" + name_;
    options.device_name = name_;
    options.small_in_flight = 1;
    crypto::secret32 key;
    key.raw.fill(7);
    auto made = assemble_vault_sync(options, key, *remote, clock_, random_,
                                    make_memory_vault(folder, disk_fault), std::move(*state));
    ASSERT_TRUE(made.ok()) << made.error().detail;
    sync = std::move(*made);
  }

  round_report round() { return sync->round({}, progress); }
  round_report round(std::set<std::string> changed) { return sync->round({std::move(changed)}, progress); }

  void advance_ms(std::int64_t by) { clock_.advance_ms(by); }

  memory_folder folder;
  std::unique_ptr<memory_remote> remote;
  std::unique_ptr<vault_sync> sync;
  silent_progress progress;
  std::function<std::optional<error>(const std::string&)> disk_fault;  // in force after start()

 private:
  std::string name_;
  std::string state_path_;
  seeded_random random_;
  manual_clock clock_;
};

inline std::string describe(const round_report& report) {
  std::string out = report.up_to_date ? "up to date" : "not up to date";
  if (report.remote) out += "; remote: " + report.remote->detail;
  if (report.local) out += "; local: " + report.local->detail;
  for (const auto& one : report.troubles) out += "; " + one.path + ": " + one.code + " " + one.reason;
  return out + "; pending " + std::to_string(report.pending);
}

}  // namespace obsync::client::testing
