#include "tests/sim/sim_world.hpp"

#include <iostream>
#include <set>

#include "client/remote/enrolment.hpp"
#include "client/remote/http_remote.hpp"
#include "store/blob_layout.hpp"
#include "store/blob_store.hpp"
#include "store/small_store.hpp"
#include "store/store_check.hpp"
#include "tests/support/counting_sleeper.hpp"

namespace obsync::test {

namespace {

constexpr std::int64_t hour_ms = 3'600'000;
constexpr std::int64_t page_max = 1'000;

// One device's calls, one after the other.
struct line {
  line(sim_server& server, std::uint64_t seed, std::optional<client::credential> who)
      : wire(server),
        random(seed),
        calls(wire, server.time(), random, pauses, {.attempts_max = 1}, std::move(who)) {}

  sim_transport wire;
  seeded_random random;
  counting_sleeper pauses;
  client::caller calls;
};

std::string said(const client::remote_error& why) {
  return why.detail + (why.refusal ? " (" + std::string(wire::name(*why.refusal)) + ")" : "");
}

}  // namespace

sim_world::sim_world(std::uint64_t seed, sim_probes& probes, bool told)
    : random_(seed), probes_(probes), told_(told), server_(std::make_unique<sim_server>(seed)) {}

sim_world::~sim_world() = default;

void sim_world::end() {
  for (family& one : families_)
    for (const auto& device : one.devices) device->hang_up();
  server_.reset();
}

void sim_world::count(const std::string& what) {
  ++probes_[what];
  if (told_) std::cout << "step " << step_ << ": " << what << "\n";
}

std::uint64_t sim_world::trace() const {
  std::uint64_t out = step_;
  for (const family& one : families_)
    for (const auto& device : one.devices) out = out * 31 + device->digest();
  return out;
}

bool sim_world::set_up() {
  if (!server_->start()) return false;
  return set_up_family(server_->setup_token()) && set_up_family(server_->invite("guest"));
}

bool sim_world::set_up_family(const std::string& token) {
  line open(*server_, random_.next(), {});
  client::public_routes doors(open.calls);
  const auto made = doors.setup({token, "family", {"first", "linux", "1"}, {}, {}});
  if (!made.ok()) return false;
  const client::credential first{made->device, made->device_secret};
  line owner(*server_, random_.next(), first);
  client::device_routes routes(owner.calls);
  const auto pairing = routes.create_pairing();
  if (!pairing.ok()) return false;
  wire::claim_request wish;
  wish.enroll_token = pairing->enroll_token;
  wish.device = {"second", "linux", "1"};
  const auto claimed = doors.claim(pairing->id, wish);
  if (!claimed.ok() || !routes.approve(pairing->id, {"sealed", std::string(24, '0')}).ok()) return false;
  const client::credential second{claimed->device, claimed->device_secret};
  line guest(*server_, random_.next(), second);
  if (!client::device_routes(guest.calls).envelope(pairing->id).ok()) return false;
  family& made_family = families_.emplace_back();
  for (const client::credential& who : {first, second})
    made_family.devices.push_back(
        std::make_unique<sim_device>(*server_, *made_family.account, who, draw(1u << 30), probes_));
  return true;
}

std::string sim_world::live() {
  if (!set_up()) return "the accounts could not be set up: " + server_->why();
  const std::uint64_t length = 150 + draw(150);
  for (step_ = 1; step_ <= length; ++step_)
    if (auto wrong = step(); !wrong.empty()) return wrong;
  server_->files().set_full(false);
  if (server_->is_running()) server_->crash(draw(2) == 0 ? cut::drop : cut::tear);
  return restart();
}

std::string sim_world::step() {
  family& one = families_[draw(families_.size())];
  one.devices[draw(one.devices.size())]->act();
  befall();
  if (server_->is_running()) {
    if (draw(4) == 0) {
      server_->run();
    } else {
      server_->run_some(draw(12));
    }
    if (draw(3) == 0) server_->advance(static_cast<std::int64_t>(draw(30)));
  }
  if (auto wrong = listen(); !wrong.empty()) return wrong;
  if (dies_ && server_->files().fault_was_reached()) {
    count("the power went in the middle of an operation");
    server_->crash(draw(2) == 0 ? cut::drop : cut::tear);
  } else if (server_->is_running() && server_->is_faulted() && draw(3) == 0) {
    count("the server faulted and was restarted");
    if (draw(2) == 0) {
      server_->stop();
    } else {
      server_->crash(draw(2) == 0 ? cut::drop : cut::tear);
    }
  }
  return server_->is_running() ? std::string() : restart();
}

void sim_world::befall() {
  const std::uint64_t what = draw(400);
  sim_disk& disk = server_->files();
  if (what < 4) {
    server_->advance(static_cast<std::int64_t>(1 + draw(40)) * hour_ms);
  } else if (what < 10) {
    server_->collect_garbage();
  } else if (what < 13) {
    server_->scrub();
  } else if (what < 16) {
    disk.set_full(true);
  } else if (what < 22) {
    disk.set_full(false);
  } else if (what < 26 && !dies_) {
    fails_ = true;
    disk.fail_at(draw(60), draw(2) == 0 ? errc::io_failed : errc::no_space);
  } else if (what < 32) {
    dies_ = true;
    disk.die_at(draw(80));
  } else if (what < 34) {
    count("a clean stop");
    server_->stop();
  } else if (what < 37) {
    count("the power went");
    server_->crash(draw(2) == 0 ? cut::drop : cut::tear);
  }
  if (fails_ && !dies_ && disk.fault_was_reached()) {
    fails_ = false;
    count("an operation failed");
  }
}

std::string sim_world::listen() {
  for (family& one : families_)
    for (const auto& device : one.devices)
      if (auto wrong = device->listen(); !wrong.empty()) return wrong;
  return {};
}

std::string sim_world::restart() {
  // What was answered before the end was heard.
  if (auto wrong = listen(); !wrong.empty()) return wrong;
  for (family& one : families_)
    for (const auto& device : one.devices) device->hang_up();
  dies_ = fails_ = false;
  sim_disk& disk = server_->files();
  if (draw(8) != 0) disk.fail_at(~0ull, errc::io_failed);  // no fault that was still to come
  disk.set_full(false);
  if (!server_->start()) {
    count("a start failed");
    server_->crash(cut::tear);
    if (!server_->start()) return "it does not start on a disk that works: " + server_->why();
  }
  return verify();
}

// --- after a restart
// -----------------------------------------------------------------------------------------

std::string sim_world::verify() {
  for (family& one : families_) {
    for (const auto check : {&sim_world::verify_versions, &sim_world::verify_chunks,
                             &sim_world::verify_replays, &sim_world::verify_usage})
      if (auto wrong = (this->*check)(one); !wrong.empty()) return wrong;
  }
  return verify_store();
}

std::string sim_world::verify_versions(family& of) {
  sim_account& account = *of.account;
  line calls(*server_, random_.next(), of.devices.front()->who());
  const auto remote = client::make_http_remote(calls.calls);
  std::set<version_id> there;
  sequence since = 0;
  for (bool more = true; more;) {
    const auto page = remote->changes(since, 0, page_max);
    if (!page.ok()) return "the feed cannot be read: " + said(page.error());
    for (const wire::change& one : page->changes) {
      if (one.seq <= since) return "the feed's numbers do not rise";
      since = one.seq;
      const auto known = account.versions().find(one.version.id);
      if (known == account.versions().end()) return "a version that this account never posted";
      if (known->second.seq == 0) count("an unanswered version had been stored");
      if (known->second.pruned) return "a version that was pruned came back";
      if (known->second.sids != one.version.sids) return "a version came back changed";
      if (!account.told(one.version.id, one.seq)) return "a number changed over a restart";
      there.insert(one.version.id);
    }
    more = page->seq < page->head_seq;
    since = page->seq;
  }
  const auto promised = account.promised_versions(server_->settings().retention, server_->time().now_ms());
  for (const version_id& id : promised)
    if (!there.contains(id)) return "an acknowledged version is gone:\n" + account.story_of(id);
  std::vector<version_id> pruned, lost;
  for (const auto& [id, one] : account.versions())
    if (!there.contains(id)) (one.seq != 0 ? pruned : lost).push_back(id);
  for (const version_id& id : pruned) {
    if (!account.versions().at(id).pruned) count("a version was pruned");
    account.pruned(id);
  }
  for (const version_id& id : lost) {
    count("an unanswered version was lost");
    account.never_was(id);
  }
  return {};
}

std::string sim_world::verify_chunks(family& of) {
  sim_account& account = *of.account;
  line calls(*server_, random_.next(), of.devices.back()->who());
  const auto remote = client::make_http_remote(calls.calls);
  const std::int64_t now_ms = server_->time().now_ms();
  const auto versions = account.promised_versions(server_->settings().retention, now_ms);
  const auto promised = account.promised_chunks(versions, server_->settings().gc.grace.count(), now_ms);
  for (const chunk_sid& sid : promised) {
    const auto got = remote->get_chunk(sid);
    if (!got.ok())
      return "a promised chunk of " + std::to_string(account.body_of(sid)->size()) +
             " bytes is gone: " + said(got.error()) + "\n" + account.story_of(sid, versions);
    if (*got != *account.body_of(sid)) return "a chunk has other bytes";
  }
  std::set<chunk_sid> named;
  for (const auto& [id, one] : account.versions()) named.insert(one.sids.begin(), one.sids.end());
  for (const chunk_sid& sid : named) {
    if (promised.contains(sid)) continue;
    const auto missing = remote->missing({sid});
    if (missing.ok() && !missing->empty()) count("a chunk was collected");
    break;
  }
  return {};
}

std::string sim_world::verify_replays(family& of) {
  for (const auto& device : of.devices) {
    const auto& accepted = device->accepted();
    for (std::size_t i = 0; i < accepted.size(); i += 1 + accepted.size() / 4) {
      client::http_request again = accepted[i].request;
      again.body = accepted[i].body;
      const sim_call_ptr call = server_->submit(again);
      if (!server_->await(*call, 30'000)) return "a replayed request was never answered";
      if (call->status() < 400) return "a request from before the restart was accepted again";
    }
  }
  return {};
}

std::string sim_world::verify_usage(family& of) {
  line calls(*server_, random_.next(), of.devices.front()->who());
  const auto account = client::make_http_remote(calls.calls)->account();
  if (!account.ok()) return "the account cannot be asked: " + said(account.error());
  const std::string folder = server_->settings().store.blobs_dir + "/v1";
  std::int64_t counted = 0;
  const auto small = store::open_small_reader({folder});
  if (!small.ok()) return "small.db cannot be read";
  const auto names = (*small)->names(account->id, {}, 100'000);
  for (const chunk_sid& sid : *names) counted += **(*small)->size_of(account->id, sid);
  const auto files = store::view_blob_store(server_->files(), {folder, {}});
  for (std::size_t first = 0; first < store::blob_folder_count; ++first) {
    const auto here = files->names(static_cast<std::uint8_t>(first));
    if (!here.ok()) continue;  // no chunk was ever in it
    for (const auto& [owner, sid] : *here)
      if (owner == account->id) counted += static_cast<std::int64_t>(*files->size_of(owner, sid));
  }
  if (counted == account->used_bytes) return {};
  return "the account is charged for " + std::to_string(account->used_bytes) + " bytes and has " +
         std::to_string(counted);
}

std::string sim_world::verify_store() {
  store::check_places places{server_->settings().store.journal_dir + "/v1",
                             server_->settings().store.blobs_dir + "/v1"};
  for (const config::mirror& one : server_->settings().store.blobs_mirrors)
    places.mirror_folders.push_back(one.path + "/v1");
  const auto found = store::check_store(server_->files(), places, true, [](const store::check_progress&) {});
  if (!found.ok()) return "the store cannot be checked: " + found.error().detail;
  for (const std::string& one : found->databases) return "check: " + one;
  for (const store::failed_chunk& one : found->failed)
    return "check: a chunk is " + one.reason + " in " + one.where;
  return {};
}

}  // namespace obsync::test
