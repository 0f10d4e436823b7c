#include "perf/load/scenarios.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "crypto/digest.hpp"
#include "perf/load/timing.hpp"
#include "wire/version.hpp"

namespace obsync::perf {

namespace {

constexpr std::int64_t batch_notes = 200;
constexpr std::size_t manifest_bytes = 300;

struct note {
  file_id file;
  bytes sealed;
  chunk_sid sid;
  wire::version_post post;
};

// A post on top of `parents`; made to look like one, sealed by nobody.
wire::version_post make_post(random_source& random, const file_id& file, std::vector<chunk_sid> sids,
                             std::vector<version_id> parents) {
  wire::version_post out;
  out.parents = std::move(parents);
  out.sids = std::move(sids);
  out.bytes = 1;
  out.domain = domain_id{{1}};
  out.manifest_ct.resize(manifest_bytes);
  random.fill(out.manifest_ct);
  random.fill(out.manifest_nonce.raw);
  out.id = wire::identify_version(file, out.parents, out.manifest_ct, out.sids);
  return out;
}

note make_note(random_source& random, std::int64_t size) {
  note out;
  out.file = random_id<file_id>(random);
  out.sealed.resize(static_cast<std::size_t>(size));
  random.fill(out.sealed);
  out.sid.raw = crypto::sha256(out.sealed).raw;
  out.post = make_post(random, out.file, {out.sid}, {});
  return out;
}

void require(bool ok, const char* what) {
  if (!ok) throw std::runtime_error(std::string(what) + " was not answered as it must be");
}

// Runs `act(device, index)` for every index, on so many connections at once. Rethrows the first failure.
double spread(const load& how, const std::function<void(load_device&, std::int64_t)>& act) {
  std::atomic<std::int64_t> next{0};
  std::exception_ptr failure;
  std::mutex mutex;
  std::vector<std::unique_ptr<load_device>> devices;
  for (std::int64_t i = 0; i < how.in_flight; ++i) {
    devices.push_back(std::make_unique<load_device>(how.at, how.who));
    require(devices.back()->get("/v1/account"), "the account");  // connected before the clock runs
  }
  const auto begun = steady::now();
  std::vector<std::thread> threads;
  for (auto& device : devices)
    threads.emplace_back([&, one = device.get()] {
      try {
        for (std::int64_t index = 0; (index = next++) < how.count;) act(*one, index);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = std::current_exception();
      }
    });
  for (std::thread& one : threads) one.join();
  const double wall = seconds_since(begun);
  if (failure) std::rethrow_exception(failure);
  return wall;
}

std::vector<note> make_notes(const load& how) {
  seeded_random random(how.seed);
  std::vector<note> out;
  for (std::int64_t i = 0; i < how.count; ++i) out.push_back(make_note(random, how.size));
  return out;
}

numbers rates(const load& how, double wall, const std::string& unit) {
  return {{"wall_s", wall}, {unit + "_per_s", static_cast<double>(how.count) / wall}};
}

}  // namespace

numbers send_notes(const load& how) {
  const std::vector<note> notes = make_notes(how);
  const double wall = spread(how, [&](load_device& device, std::int64_t index) {
    const note& one = notes[static_cast<std::size_t>(index)];
    require(device.server().put_chunk(one.sid, one.sealed).ok(), "a chunk");
    require(device.server().post_version(one.file, one.post).ok(), "a version");
  });
  return rates(how, wall, "notes");
}

numbers send_batches(const load& how) {
  const std::vector<note> notes = make_notes(how);
  load batches = how;
  batches.count = (how.count + batch_notes - 1) / batch_notes;
  const double wall = spread(batches, [&](load_device& device, std::int64_t index) {
    wire::batch_request request;
    const auto last = std::min((index + 1) * batch_notes, how.count);
    for (std::int64_t at = index * batch_notes; at < last; ++at) {
      const note& one = notes[static_cast<std::size_t>(at)];
      request.chunks.push_back({one.sid, one.sealed});
      request.posts.push_back({one.file, one.post});
    }
    const auto answer = device.server().batch(request);
    require(answer.ok() && std::all_of(answer->posts.begin(), answer->posts.end(),
                                       [](const auto& post) { return post.ok(); }),
            "a batch");
  });
  return rates(how, wall, "notes");
}

numbers follow_edits(const load& how) {
  seeded_random random(how.seed);
  load_device reader(how.at, how.who), writer(how.at, how.who);
  auto head = reader.server().changes(0, 0, 1);
  require(head.ok(), "the feed");
  sequence since = head->head_seq;
  durations took;
  for (std::int64_t i = 0; i < how.count; ++i) {
    const note one = make_note(random, how.size);
    std::atomic<bool> polling{false};
    steady::time_point arrived;
    std::thread waiting([&] {
      polling = true;
      const auto page = reader.server().changes(since, 30, 10);
      require(page.ok() && page->changes.size() == 1, "a poll");
      require(reader.server().get_chunk(one.sid).ok(), "the chunk of a change");
      arrived = steady::now();
      since = page->seq;
    });
    while (!polling) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // the poll is on its way
    const auto begun = steady::now();
    require(writer.server().put_chunk(one.sid, one.sealed).ok(), "a chunk");
    require(writer.server().post_version(one.file, one.post).ok(), "a version");
    waiting.join();
    took.add(begun, arrived);
  }
  numbers out = took.curve();
  out.insert(
      out.end(),
      {{"p50_ms", took.percentile(0.5)}, {"p95_ms", took.percentile(0.95)}, {"max_ms", took.percentile(1)}});
  return out;
}

numbers move_chunks(const load& how) {
  seeded_random random(how.seed);
  // A few bodies, told apart by their first bytes: making gigabytes of noise would be what is measured.
  bytes body(static_cast<std::size_t>(how.size));
  random.fill(body);
  const auto body_of = [&](std::int64_t index) {
    bytes out = body;
    for (std::size_t at = 0; at < 8; ++at) out[at] = static_cast<std::uint8_t>(index >> (8 * at));
    return out;
  };
  std::vector<chunk_sid> sids(static_cast<std::size_t>(how.count));
  load all = how;
  const double hashing = spread(all, [&](load_device&, std::int64_t index) {
    sids[static_cast<std::size_t>(index)].raw = crypto::sha256(body_of(index)).raw;
  });
  const double up = spread(all, [&](load_device& device, std::int64_t index) {
    require(device.server().put_chunk(sids[static_cast<std::size_t>(index)], body_of(index)).ok(), "a chunk");
  });
  const double down = spread(all, [&](load_device& device, std::int64_t index) {
    require(device.server().get_chunk(sids[static_cast<std::size_t>(index)]).ok(), "a chunk");
  });
  const double mib = static_cast<double>(how.count) * static_cast<double>(how.size) / (1 << 20);
  return {{"up_mib_per_s", mib / up}, {"down_mib_per_s", mib / down}, {"hash_mib_per_s", mib / hashing}};
}

numbers post_versions(const load& how) {
  seeded_random random(how.seed);
  std::vector<std::pair<file_id, wire::version_post>> posts;
  for (std::int64_t i = 0; i < how.count; ++i) {
    const auto file = random_id<file_id>(random);
    posts.emplace_back(file, make_post(random, file, {}, {}));
  }
  durations all;
  std::mutex mutex;
  const double wall = spread(how, [&](load_device& device, std::int64_t index) {
    const auto& [file, post] = posts[static_cast<std::size_t>(index)];
    durations one;
    const auto begun = steady::now();
    require(device.server().post_version(file, post).ok(), "a version");
    one.add(begun, steady::now());
    const std::lock_guard lock(mutex);
    all.add(one);
  });
  numbers out = rates(how, wall, "posts");
  out.emplace_back("p50_ms", all.percentile(0.5));
  out.emplace_back("p99_ms", all.percentile(0.99));
  for (auto& point : all.curve()) out.push_back(std::move(point));
  return out;
}

numbers ask_account(const load& how) {
  const double wall = spread(
      how, [](load_device& device, std::int64_t) { require(device.get("/v1/account"), "the account"); });
  return rates(how, wall, "requests");
}

numbers grow_history(const load& how) {
  seeded_random random(how.seed);
  load_device device(how.at, how.who);
  constexpr std::int64_t depth = 100;
  file_id file;
  version_id last;
  const auto begun = steady::now();
  for (std::int64_t made = 0; made < how.count;) {
    wire::batch_request request;
    for (std::int64_t i = 0; i < batch_notes && made < how.count; ++i, ++made) {
      const bool fresh = made % depth == 0;
      if (fresh) file = random_id<file_id>(random);
      auto post = make_post(random, file, {}, fresh ? std::vector<version_id>{} : std::vector{last});
      last = post.id;
      request.posts.push_back({file, std::move(post)});
    }
    require(device.server().batch(request).ok(), "a batch");
  }
  return rates(how, seconds_since(begun), "versions");
}

}  // namespace obsync::perf
