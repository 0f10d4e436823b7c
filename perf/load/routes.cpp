#include "perf/load/routes.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

#include "perf/load/timing.hpp"
#include "tests/support/made_note.hpp"
#include "wire/limits.hpp"

namespace obsync::perf {

namespace {

using test::made_note;
using test::make_note;

constexpr std::int64_t known_changes = 200;  // the newest ones, whose ids are asked for
constexpr std::size_t batch_notes = 100;

void require(bool ok, const std::string& what) {
  if (!ok) throw std::runtime_error(what + " was not answered as it must be");
}

// The kernel's; what the server itself has in memory stays, as in life.
void drop_caches() {
  ::sync();
  std::ofstream to("/proc/sys/vm/drop_caches");
  to << "3" << std::flush;
  if (!to) throw std::runtime_error("only root can drop the kernel's caches");
}

// A device and what it knows of its account.
class asking {
 public:
  explicit asking(const load& how) : how_(how), device_(how.at, how.who), random_(how.seed) {
    const auto probe = device_.server().changes(0, 0, 1);
    require(probe.ok(), "the feed");
    head_ = probe->head_seq;
    const auto page =
        device_.server().changes(std::max<sequence>(0, head_ - known_changes), 0, known_changes);
    require(page.ok() && !page->changes.empty(), "the newest changes");
    known_ = page->changes;
    for (const wire::change& one : known_)
      sids_.insert(sids_.end(), one.version.sids.begin(), one.version.sids.end());
    sids_.resize(std::min(sids_.size(), wire::get_sids_max));
  }

  // What is written is new in each turn; making it is not what is measured.
  void prepare() {
    for (made_note& one : notes_) one = make_note(random_, how_.size);
  }

  bool ask(const std::string& route, std::size_t turn) {
    client::remote& server = device_.server();
    const wire::change& one = known_[turn % known_.size()];
    if (route == "account") return device_.get("/v1/account");
    if (route == "devices") return server.devices().ok();
    if (route == "files") return device_.get("/v1/files?limit=200");
    if (route == "file") return server.file(one.file).ok();
    if (route == "version") return server.version(one.file, one.version.id).ok();
    if (route == "changes, the newest 100") return server.changes(head_ - 100, 0, 100).ok();
    if (route == "changes, 100 of the middle") return server.changes(head_ / 2, 0, 100).ok();
    if (route == "exists, of 64 chunks") return server.missing(sids_).ok();
    if (route == "chunk") return server.get_chunk(sids_[turn % sids_.size()]).ok();
    if (route == "64 chunks") return server.get_chunks(sids_).ok();
    return write(route);
  }

  std::uint64_t moved() { return device_.server().bytes_sent() + device_.server().bytes_received(); }

 private:
  bool write(const std::string& route) {
    client::remote& server = device_.server();
    const made_note& first = notes_.front();
    if (route == "put, 2 KiB") return server.put_chunk(first.sid, first.sealed).ok();
    if (route == "post of a version") return server.post_version(first.file, without_chunks(first)).ok();
    if (route != "batch of 100 notes") throw std::runtime_error("there is no route called " + route);
    wire::batch_request request;
    for (const made_note& fresh : notes_) {
      request.chunks.push_back({fresh.sid, fresh.sealed});
      request.posts.push_back({fresh.file, fresh.post});
    }
    return server.batch(request).ok();
  }

  static wire::version_post without_chunks(const made_note& note) {
    wire::version_post out = note.post;
    out.sids.clear();
    out.id = wire::identify_version(note.file, {}, out.manifest_ct, {});
    return out;
  }

  const load& how_;
  load_device device_;
  seeded_random random_;
  sequence head_ = 0;
  std::vector<wire::change> known_;
  std::vector<chunk_sid> sids_;
  std::vector<made_note> notes_ = std::vector<made_note>(batch_notes);
};

}  // namespace

std::vector<std::string> route_names() {
  return {"account",
          "devices",
          "files",
          "file",
          "version",
          "changes, the newest 100",
          "changes, 100 of the middle",
          "exists, of 64 chunks",
          "chunk",
          "64 chunks",
          "put, 2 KiB",
          "post of a version",
          "batch of 100 notes"};
}

numbers time_route(const load& how, const std::string& route) {
  asking device(how);
  durations took;
  std::uint64_t before = 0;
  for (std::int64_t turn = 0; turn < how.warm_up + how.count; ++turn) {
    if (turn == how.warm_up) before = device.moved();
    device.prepare();
    if (how.cold) drop_caches();
    const auto begun = steady::now();
    require(device.ask(route, static_cast<std::size_t>(turn)), route);
    if (turn >= how.warm_up) took.add(begun, steady::now());
  }
  const auto moved = static_cast<double>(device.moved() - before);
  return {{"p50_ms", took.percentile(0.5)},
          {"p95_ms", took.percentile(0.95)},
          {"max_ms", took.percentile(1)},
          {"bytes", moved / static_cast<double>(how.count)}};
}

}  // namespace obsync::perf
