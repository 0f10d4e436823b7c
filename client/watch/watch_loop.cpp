#include "client/watch/watch_loop.hpp"

#include <algorithm>
#include <chrono>

#include "client/remote/remote_text.hpp"
#include "client/watch/feed_poller.hpp"

namespace obsync::client {

namespace {

constexpr std::int64_t idle_ms = 60'000;

std::int64_t steady_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void add_count(std::string& line, std::uint64_t count, const char* what) {
  if (count == 0) return;
  if (!line.empty()) line += ", ";
  line += std::to_string(count) + " " + what;
}

}  // namespace

watch_loop::watch_loop(watch_options options, vault_sync& vault, remote& server, sleeper& pauses,
                       random_source& random, progress_sink& progress, watch_audience& audience)
    : options_(std::move(options)),
      vault_(vault),
      server_(server),
      pauses_(pauses),
      random_(random),
      progress_(progress),
      audience_(audience) {}

watch_loop::~watch_loop() = default;

void watch_loop::stop() {
  stopped_ = true;
  vault_.stop();
  wake_.raise();
}

void watch_loop::link_changed(bool reachable, const std::string& reason) {
  {
    const std::lock_guard lock(mutex_);
    reachable_ = reachable;
    link_reason_ = reason;
    link_news_ = true;
  }
  wake_.raise();
}

std::optional<remote_error> watch_loop::run() {
  feed_poller poller(server_, pauses_, random_,
                     {[this] {
                        news_ = true;
                        wake_.raise();
                      },
                      [this](const remote_error& why) {
                        const std::lock_guard lock(mutex_);
                        hopeless_ = why;
                        wake_.raise();
                      }});
  poller.start(vault_.cursor());
  while (!stopped_) {
    show_link();
    {
      const std::lock_guard lock(mutex_);
      if (hopeless_) break;
    }
    if (!watcher_ && !open_watcher()) {
      wake_.wait(options_.root_retry_ms);
      continue;
    }
    if (online_) beat_heart();
    if (online_ && round_is_due(steady_ms())) {
      do_round();
      poller.round_done(vault_.cursor());
      continue;
    }
    wait_for_work();
  }
  set_state("stopped", "", "");
  poller.stop();
  pauses_.stop();
  const std::lock_guard lock(mutex_);
  return stopped_ ? std::nullopt : hopeless_;
}

bool watch_loop::open_watcher() {
  auto opened = folder_watcher::open(options_.folder, options_.settle);
  if (!opened) {
    miss_root(opened.error().detail);
    return false;
  }
  watcher_ = *std::move(opened);
  start_over();
  rescan_at_ms_ = steady_ms() + options_.rescan_ms;
  if (!watcher_->complete() && !said_incomplete_) {
    said_incomplete_ = true;
    audience_.say("the system has no watch left for some folders: their changes are found by a scan every " +
                  std::to_string(options_.rescan_ms / 1000) +
                  " s (raise fs.inotify.max_user_watches to have them at once)");
  }
  return true;
}

// Without a folder nothing is watched; a folder that is there but is not the bound one stays watched, for the
// vault alone can tell, and it is asked again.
void watch_loop::miss_root(const std::string& reason) {
  set_state("root_missing", "root_missing", reason);
  if (said_root_) return;
  said_root_ = true;
  audience_.say(
      "the folder is not there or is not the one that was bound; nothing is sent or written until it "
      "is back (" +
      reason + ")");
}

void watch_loop::find_root() {
  if (!said_root_) return;
  said_root_ = false;
  audience_.say("the folder is back");
}

void watch_loop::wait_for_work() {
  const std::int64_t now = steady_ms();
  std::int64_t until = now + idle_ms;
  if (retry_at_ms_) until = std::min(until, *retry_at_ms_);
  if (!watcher_->complete()) until = std::min(until, rescan_at_ms_);
  until = std::min(until, heartbeat_at_ms_);
  folder_changes changes = watcher_->wait(std::max<std::int64_t>(until - now, 1), wake_);
  if (changes.root_gone) {
    watcher_.reset();
    miss_root(options_.folder + " was removed, moved or unmounted");
    return;
  }
  wish_.all = wish_.all || changes.look_at_all;
  wish_.paths.merge(changes.paths);
  if (!watcher_->complete() && steady_ms() >= rescan_at_ms_) {
    wish_.all = true;
    rescan_at_ms_ = steady_ms() + options_.rescan_ms;
  }
}

bool watch_loop::round_is_due(std::int64_t now_ms) const {
  if (retry_at_ms_ && now_ms >= *retry_at_ms_) return true;
  if (blocked_) return false;
  return news_ || !wish_.nothing();
}

void watch_loop::do_round() {
  news_ = false;
  wish scope;
  std::swap(scope, wish_);
  if (retry_at_ms_ && steady_ms() >= *retry_at_ms_) {
    scope.add(undone_);
    undone_ = {};
    retry_at_ms_.reset();
  }
  if (status_.state == "starting" || status_.state == "offline") set_state("syncing", "", "");
  round_scope asked;
  if (!scope.all) asked.changed = scope.paths;
  judge_round(vault_.round(asked, progress_), std::move(scope));
}

void watch_loop::judge_round(const round_report& report, wish done) {
  if (stopped_) return;
  blocked_ = report.remote || report.local;
  if (!report.local) find_root();
  tell_result(report);
  if (report.local) return after_local_failure(*report.local);
  if (report.remote) return after_remote_failure(*report.remote, std::move(done));

  const bool older_work_waits = retry_at_ms_.has_value();
  if (report.troubles.empty() && report.pending == 0 && report.up_to_date) {
    if (older_work_waits) return;
    count_troubles(report);
    retry_pause_ms_ = 0;
    settle_pause_ms_ = 0;
    return set_state("up_to_date", "", "");
  }
  count_troubles(report);
  if (!report.troubles.empty()) {
    set_state("waiting", report.troubles.front().code, report.troubles.front().reason);
    return retry_later(wish{true, {}}, retry_pause_ms_, options_.retry_ms_first, options_.retry_ms_max);
  }
  set_state("waiting", "still_changing", "some files are still changing");
  retry_later(std::move(done), settle_pause_ms_, options_.settle_retry_ms_first,
              options_.settle_retry_ms_max);
}

void watch_loop::after_local_failure(const error& why) {
  const bool root = why.code == errc::not_found;
  if (root) {
    miss_root(why.detail);
  } else {
    set_state("waiting", std::string(name(why.code)), why.detail);
  }
  retry_later(wish{true, {}}, retry_pause_ms_, options_.retry_ms_first, options_.retry_ms_max);
}

void watch_loop::after_remote_failure(const remote_error& why, wish done) {
  if (is_hopeless(why)) {
    const std::lock_guard lock(mutex_);
    hopeless_ = why;
    return;
  }
  const bool away = why.what == remote_error::kind::unreachable;
  set_state(away ? "offline" : "waiting", code_of(why), text_of(why));
  retry_later(std::move(done), retry_pause_ms_, options_.retry_ms_first, options_.retry_ms_max);
}

void watch_loop::count_troubles(const round_report& report) {
  status_.pending = report.pending;
  status_.held = 0;
  status_.failed = 0;
  for (const file_trouble& trouble : report.troubles) {
    ++(trouble.code.starts_with("held") ? status_.held : status_.failed);
  }
}

void watch_loop::retry_later(wish undone, std::int64_t& pause_ms, std::int64_t first_ms,
                             std::int64_t max_ms) {
  pause_ms = pause_ms == 0 ? first_ms : std::min(pause_ms * 2, max_ms);
  retry_at_ms_ = steady_ms() + pause_ms;
  undone_.add(undone);
}

void watch_loop::beat_heart() {
  const std::int64_t now = steady_ms();
  if (now < heartbeat_at_ms_) return;
  const auto beaten = server_.heartbeat({options_.app_version, {}});
  heartbeat_at_ms_ = now + (beaten ? options_.heartbeat_ms : options_.retry_ms_max);
  if (!beaten && is_hopeless(beaten.error())) {
    const std::lock_guard lock(mutex_);
    hopeless_ = beaten.error();
  }
}

void watch_loop::show_link() {
  bool reachable = true;
  std::string reason;
  {
    const std::lock_guard lock(mutex_);
    if (!link_news_) return;
    link_news_ = false;
    reachable = reachable_;
    reason = link_reason_;
  }
  if (reachable == online_) return;
  online_ = reachable;
  if (!online_) {
    set_state("offline", "unreachable", reason);
    audience_.say("offline: " + reason);
    return;
  }
  audience_.say("online again");
  start_over();
}

void watch_loop::start_over() {
  wish_ = {true, {}};
  undone_ = {};
  retry_at_ms_.reset();
  blocked_ = false;
}

void watch_loop::tell_result(const round_report& report) {
  std::string line;
  add_count(line, report.pushed, "sent");
  add_count(line, report.pulled, "received");
  add_count(line, report.deleted_there, "deleted there");
  add_count(line, report.deleted_here, "deleted here");
  add_count(line, report.conflicts, "conflict copies");
  if (!line.empty()) audience_.say(line);
}

void watch_loop::set_state(const std::string& state, const std::string& code, const std::string& reason) {
  status_.state = state;
  status_.reason_code = code;
  status_.reason = reason;
  const sync_status known = vault_.status();
  status_.cursor = known.cursor;
  status_.tracked_files = known.tracked_files;
  status_.tracked_folders = known.tracked_folders;
  audience_.status(status_);
}

}  // namespace obsync::client
