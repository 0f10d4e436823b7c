#include "client/sync/session.hpp"

#include <algorithm>
#include <thread>
#include <vector>

namespace obsync::client {

namespace {

// Refusals that are about one file. Anything else is about the device, the account or the server.
bool concerns_one_file(wire::refusal code) {
  switch (code) {
    case wire::refusal::volume_full:
    case wire::refusal::journal_full:
    case wire::refusal::quota_exceeded:
    case wire::refusal::storage_full:
    case wire::refusal::body_too_large:
    case wire::refusal::batch_too_large:
    case wire::refusal::missing_chunks:
    case wire::refusal::domain_mismatch:
    case wire::refusal::too_many_heads:
    case wire::refusal::unknown_chunk:
    case wire::refusal::unknown_file:
    case wire::refusal::unknown_version:
    case wire::refusal::corrupt:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string trouble_code(const error& why) {
  switch (why.code) {
    case errc::denied:
      return "no_permission";
    case errc::no_space:
      return "no_space";
    case errc::exists:
      return "name_taken";
    case errc::unavailable:
    case errc::not_found:
      return "still_changing";
    case errc::unsupported:
      return "refused_name";
    case errc::corrupt:
      return "corrupt";
    case errc::overloaded:
      return "overloaded";
    case errc::shutting_down:
      return "stopped";
    case errc::invalid:
    case errc::io_failed:
    case errc::timed_out:
      return "io_failed";
  }
  return "io_failed";
}

bool heals_by_waiting(const error& why) {
  return why.code == errc::unavailable || why.code == errc::not_found || why.code == errc::shutting_down;
}

void round_log::trouble(const std::string& path, const std::string& code, const std::string& reason) {
  const std::lock_guard lock(mutex_);
  troubles_[path] = {path, code, reason};
}

void round_log::wait(const std::string& path, const std::string& code) {
  const std::lock_guard lock(mutex_);
  waits_[path] = code;
}

void round_log::wait_for_news(const std::string& path) {
  const std::lock_guard lock(mutex_);
  waits_[path] = "still_changing";
  ++done_;
}

void round_log::fault(const std::string& path, const error& why) {
  if (heals_by_waiting(why)) return wait(path, trouble_code(why));
  trouble(path, trouble_code(why), why.detail);
}

void round_log::keep_here(const std::string& path) {
  only_reads_ = true;
  trouble(path, std::string(wire::name(wire::refusal::read_only)),
          "changed here and not sent, for this device may only read");
}

void round_log::fault(const std::string& path, const remote_error& why) {
  if (why.what == remote_error::kind::refused && why.refusal == wire::refusal::read_only)
    return keep_here(path);
  if (why.what != remote_error::kind::refused || !why.refusal || !concerns_one_file(*why.refusal))
    return end(why);
  trouble(path, std::string(wire::name(*why.refusal)), why.detail);
}

void round_log::look_again_at(const std::function<bool(const std::string&)>& is_looked_at) {
  const std::lock_guard lock(mutex_);
  std::erase_if(troubles_, [&](const auto& one) { return is_looked_at(one.first); });
  std::erase_if(waits_, [&](const auto& one) { return is_looked_at(one.first); });
}

void round_log::end(const remote_error& why) {
  const std::lock_guard lock(mutex_);
  if (!report_.remote) report_.remote = why;
  ended_ = true;
}

void round_log::end(const error& why) {
  const std::lock_guard lock(mutex_);
  if (!report_.local) report_.local = why;
  ended_ = true;
}

void round_log::touch(const std::string& path) {
  const std::lock_guard lock(mutex_);
  touched_.insert(path);
}

std::set<std::string, std::less<>> round_log::take_touched() {
  const std::lock_guard lock(mutex_);
  return std::exchange(touched_, {});
}

std::set<std::string> round_log::waiting() {
  const std::lock_guard lock(mutex_);
  std::set<std::string> out;
  for (const auto& [path, code] : waits_) out.insert(path);
  return out;
}

void round_log::count(std::uint64_t round_report::*what) {
  const std::lock_guard lock(mutex_);
  ++(report_.*what);
  ++done_;
}

std::uint64_t round_log::take_done() {
  const std::lock_guard lock(mutex_);
  return std::exchange(done_, 0);
}

round_report round_log::finish() {
  const std::lock_guard lock(mutex_);
  for (const auto& [path, trouble] : troubles_) report_.troubles.push_back(trouble);
  report_.pending = waits_.size();
  report_.up_to_date = !ended_ && troubles_.empty() && waits_.empty();
  return report_;
}

void run_in_flight(int workers, std::size_t count, const std::function<void(std::size_t)>& act) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) act(i);
  };
  const auto helpers = std::min<std::size_t>(count, static_cast<std::size_t>(std::max(workers, 1)));
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < helpers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& one : threads) one.join();
}

}  // namespace obsync::client
