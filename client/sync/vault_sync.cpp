#include "client/sync/vault_sync.hpp"

#include "client/format/domain_map_record.hpp"
#include "client/sync/assembly.hpp"
#include "client/sync/mend.hpp"
#include "client/sync/round.hpp"
#include "client/vault/posix_vault.hpp"

namespace obsync::client {

namespace {

constexpr const char* verified_fact = "verified_ms";
constexpr std::int64_t verify_period_ms = 86'400'000;

class folder_sync final : public vault_sync {
 public:
  explicit folder_sync(std::unique_ptr<sync_session> session) : session_(std::move(session)) {}

  round_report round(const round_scope& asked, progress_sink& progress) override {
    round_log log;
    session_->log = &log;
    session_->progress = &progress;
    scan_scope scope;
    if (asked.changed) {
      scope.emplace(asked.changed->begin(), asked.changed->end());
      scope->insert(unsettled_.begin(), unsettled_.end());
    }
    run_round(*session_, scope);
    if (!log.ended() && (asked.verify || is_due())) verify(log);
    tell_only_reads(log.only_reads(), progress);
    session_->log = nullptr;
    round_report report = log.finish();
    // What is not settled is looked at in every round, whoever asks for it; a round that ended early may have
    // looked at nothing.
    if (!asked.changed || !log.ended()) unsettled_.clear();
    if (log.ended() && asked.changed) unsettled_.insert(asked.changed->begin(), asked.changed->end());
    if (log.ended() && !asked.changed) unsettled_.insert("");
    for (const file_trouble& one : report.troubles) unsettled_.insert(one.path);
    for (const std::string& path : log.waiting()) unsettled_.insert(path);
    unsettled_.merge(log.take_touched());
    return report;
  }

  sequence cursor() const override {
    const auto value = session_->state->cursor();
    return value ? *value : 0;
  }

  sync_status status() override {
    sync_status out;
    out.cursor = cursor();
    if (const auto counts = session_->state->counts()) {
      out.tracked_files = counts->files;
      out.tracked_folders = counts->folders;
    }
    return out;
  }

  void stop() override { session_->stopping = true; }

 private:
  // A fresh state was read from the server a moment ago: a day from now is soon enough.
  bool is_due() {
    const auto verified = session_->state->fact(verified_fact);
    if (!verified) return false;
    const std::int64_t now_ms = session_->time.now_ms();
    if (!*verified) static_cast<void>(session_->state->set_fact(verified_fact, std::to_string(now_ms)));
    if (!*verified) return false;
    const std::int64_t then_ms = std::strtoll((*verified)->c_str(), nullptr, 10);
    return now_ms - then_ms >= verify_period_ms || now_ms < then_ms;
  }

  void verify(round_log& log) {
    mend(*session_);
    if (log.ended()) return;
    const auto done = session_->state->set_fact(verified_fact, std::to_string(session_->time.now_ms()));
    if (!done) log.end(done.error());
  }

  // Once, and again when it has written in between.
  void tell_only_reads(bool now, progress_sink& progress) {
    if (now && !session_->told_only_reads)
      progress.note(
          "this device may only read: it goes on receiving, but your edits stay here. Where a newer version "
          "arrives, yours is kept beside it. Whoever runs the server can let this device write again");
    session_->told_only_reads = now;
  }

  std::unique_ptr<sync_session> session_;
  std::set<std::string, std::less<>> unsettled_;
};

// The state names its vault and folder, so that it is never used for others.
obsync::status claim(sync_state& state, const std::string& name, const std::string& value,
                     const char* refusal) {
  const auto known = state.fact(name);
  if (!known) return known.error();
  if (!*known) return state.set_fact(name, value);
  if (**known != value) return error{errc::exists, refusal};
  return {};
}

}  // namespace

result<std::unique_ptr<vault_sync>> assemble_vault_sync(const sync_options& options,
                                                        const crypto::secret32& vault_root_key,
                                                        remote& server, clock& time, random_source& random,
                                                        std::unique_ptr<vault> folder,
                                                        std::unique_ptr<sync_state> state) {
  auto session = std::make_unique<sync_session>(options, vault_root_key, server, time, random);
  const std::string vault_name = place_of_domain_map(session->keys).file.hex();
  obsync::status bound = claim(*state, "vault", vault_name, "this state belongs to another vault");
  if (bound) bound = claim(*state, "folder", options.folder, "this state belongs to another folder");
  if (!bound) return bound.error();
  session->folder = std::move(folder);
  session->state = std::move(state);
  return std::unique_ptr<vault_sync>(std::make_unique<folder_sync>(std::move(session)));
}

result<std::unique_ptr<vault_sync>> open_vault_sync(const sync_options& options,
                                                    const crypto::secret32& vault_root_key, remote& server,
                                                    clock& time, random_source& random) {
  auto state = open_state(options.state_path);
  if (!state) return state.error();
  return assemble_vault_sync(options, vault_root_key, server, time, random,
                             make_posix_vault(options.folder, options.settle_ms, time), std::move(*state));
}

}  // namespace obsync::client
