// Devices that write, rename and delete at random, are away for a while and race each other, all over one
// server. Whatever the seed: in the end all hold the same, and no round ever made a text disappear that no
// version holds.
#include "client/sync/vault_sync.hpp"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdlib>
#include <set>
#include <tuple>

#include "client/format/chunk_seal.hpp"
#include "tests/support/sync_world.hpp"

namespace obsync::client {
namespace {

using namespace testing;

enum class mode {
  one_by_one,  // every version in a request of its own
  in_batches,  // small files together, which makes for other races
  watched,     // one by one; a round looks only where something changed since the last one began
};

std::string name_of(mode how) {
  return how == mode::one_by_one ? "one_by_one" : how == mode::in_batches ? "in_batches" : "watched";
}

class random_family {
 public:
  random_family(std::uint64_t seed, mode how) : how_(how), chance_(seed), keys_(root_key()) {
    for (std::uint8_t i = 0; i < 3; ++i) {
      devices_.push_back(
          std::make_unique<device>(server_, static_cast<std::uint8_t>(i + 1), "d" + std::to_string(i)));
      if (how == mode::in_batches)
        devices_[i]->remote->offers = wire::batch_limits{256, 256, 64 << 10, 16 << 20};
      devices_[i]->remote->before = [this, i](const std::string& call) -> std::optional<remote_error> {
        return interrupt(i, call);
      };
    }
  }

  void live(int steps) {
    calm_ = false;
    for (int i = 0; i < steps; ++i) {
      device& one = *devices_[pick(devices_.size())];
      if (pick(3) == 0) {
        round(one);
      } else {
        act(one);
      }
    }
  }

  void settle() {
    calm_ = true;
    for (int i = 0; i < 12; ++i) {
      const auto head = server_.state.head;
      std::uint64_t moved = 0;
      for (auto& one : devices_) {
        const auto report = round(*one);
        moved += report.pulled + report.deleted_here + report.conflicts + (report.up_to_date ? 0 : 1);
        if (!report.up_to_date) last_ = describe(report);
      }
      if (head == server_.state.head && moved == 0) return;
    }
    ADD_FAILURE() << "never at rest: " << last_;
  }

  void expect_equal() const {
    for (const auto& one : devices_) {
      EXPECT_EQ(one->folder.texts(), devices_[0]->folder.texts());
      EXPECT_EQ(one->folder.folders(), devices_[0]->folder.folders());
    }
  }

 private:
  static crypto::secret32 root_key() {
    crypto::secret32 key;
    key.raw.fill(7);
    return key;
  }

  std::size_t pick(std::size_t count) { return static_cast<std::size_t>(chance_.next() % count); }

  // Sometimes the line breaks, sometimes another device is quicker.
  std::optional<remote_error> interrupt(std::size_t who, const std::string& call) {
    if (calm_ || nested_) return std::nullopt;
    if (pick(25) == 0) return remote_error{remote_error::kind::unreachable, {}, "line", {}};
    if (call == "post_version" && pick(8) == 0) {
      nested_ = true;
      round(*devices_[(who + 1 + pick(2)) % 3]);
      nested_ = false;
    }
    return std::nullopt;
  }

  round_report round(device& one) {
    const auto before = one.folder.texts();
    const auto report = how_ == mode::watched ? watched_round(one) : one.round();
    std::set<std::string> after;
    for (const auto& [path, text] : one.folder.texts()) after.insert(text);
    for (const auto& [path, text] : before) {
      EXPECT_TRUE(after.contains(text) || is_in_history(text)) << "lost: " << path << " = " << text;
    }
    return report;
  }

  using nodes = std::map<std::string, memory_folder::node>;
  struct watch {
    std::optional<nodes> seen;      // the folder when events were last counted
    std::set<std::string> changed;  // what the next round is told
    bool troubled = false;
  };

  // What a watcher tells: everything that was touched, by the client's own acts too. Looked at before and
  // after a round, so that nothing comes and goes unnoticed.
  void notice(watch& eyes, const nodes& now) {
    const auto note = [&](const nodes& some, const nodes& others) {
      for (const auto& [path, node] : some) {
        const auto other = others.find(path);
        if (other == others.end() || other->second.mark != node.mark) eyes.changed.insert(path);
      }
    };
    note(*eyes.seen, now);
    note(now, *eyes.seen);
    eyes.seen = now;
  }

  // A round after the first looks at everything only when the one before met with trouble, as watching does.
  round_report watched_round(device& one) {
    watch& eyes = watches_[&one];
    const bool everything = !eyes.seen || eyes.troubled;
    if (!eyes.seen) eyes.seen.emplace();
    notice(eyes, one.folder.nodes);
    auto changed = std::exchange(eyes.changed, {});
    const auto report = everything ? one.round() : one.round(std::move(changed));
    notice(eyes, one.folder.nodes);
    eyes.troubled = !report.troubles.empty();
    return report;
  }

  bool is_in_history(const std::string& text) {
    for (const auto& [id, file] : server_.state.files) {
      const chunk_sid sid = seal_chunk(keys_.domain(file.domain), as_bytes(text)).sid;
      for (const auto& version : file.versions) {
        if (version.sids == std::vector{sid}) return true;
      }
    }
    return false;
  }

  void act(device& one) {
    const auto texts = one.folder.texts();
    const auto folders = one.folder.folders();
    const auto file = [&] {
      return std::next(texts.begin(), static_cast<std::ptrdiff_t>(pick(texts.size())))->first;
    };
    switch (pick(9)) {
      case 0:
      case 1:
        write(one, fresh_path(one));
        break;
      case 2:
      case 3:
        if (!texts.empty()) write(one, file());
        break;
      case 4:
        if (!texts.empty()) rename(one, file(), fresh_path(one));
        break;
      case 5:
        if (!texts.empty()) one.folder.remove(file());
        break;
      case 6:
        if (texts.size() > 1) swap(one, file(), file());
        break;
      case 7:
        if (!folders.empty()) rename(one, folders[pick(folders.size())], fresh_path(one));
        break;
      default:
        if (!folders.empty() && pick(3) == 0)
          one.folder.remove(folders[pick(folders.size())]);
        else if (const auto path = fresh_path(one); is_free(one, path))
          one.folder.make_folder(path);
    }
  }

  // Few names, so that devices meet.
  std::string fresh_path(device&) {
    const std::string names[] = {"a", "b", "c", "A", "note.md"};
    std::string path = names[pick(5)];
    if (pick(2) == 0) path = std::string(1, "xyX"[pick(3)]) + "/" + path;
    if (pick(6) == 0) path = "x/" + path;
    return path;
  }

  static bool is_free(const device& one, const std::string& path) {
    for (std::string_view at = path; !at.empty(); at = parent_of(at)) {
      const auto found = one.folder.nodes.find(std::string(at));
      if (found == one.folder.nodes.end()) continue;
      if (at == path || !found->second.is_folder) return false;
    }
    return true;
  }

  void write(device& one, const std::string& path) {
    const auto found = one.folder.nodes.find(path);
    const bool over = found != one.folder.nodes.end() && !found->second.is_folder;
    if (!over && !is_free(one, path)) return;
    one.folder.write(path, pick(6) == 0 ? "common text" : "text " + std::to_string(++typed_));
  }

  void rename(device& one, const std::string& from, const std::string& to) {
    if (is_free(one, to) && !is_below(to, from)) one.folder.rename(from, to);
  }

  void swap(device& one, const std::string& a, const std::string& b) {
    if (a == b) return;
    one.folder.rename(a, "swapping");
    one.folder.rename(b, a);
    one.folder.rename("swapping", b);
  }

  mode how_;
  std::map<device*, watch> watches_;
  memory_server server_;
  seeded_random chance_;
  vault_keys keys_;
  std::vector<std::unique_ptr<device>> devices_;
  std::string last_;
  bool calm_ = false;
  bool nested_ = false;
  int typed_ = 0;
};

// True when all went well.
bool live_through(std::uint64_t seed, mode how) {
  SCOPED_TRACE("seed " + std::to_string(seed) + (" " + name_of(how)));
  random_family family(seed, how);
  family.live(60);
  family.settle();
  family.expect_equal();
  family.live(20);
  family.settle();
  family.expect_equal();
  return !::testing::Test::HasFailure();
}

const auto every_mode = ::testing::Values(mode::one_by_one, mode::in_batches, mode::watched);

class Convergence : public ::testing::TestWithParam<std::tuple<mode, std::uint64_t>> {};

TEST_P(Convergence, OfDevicesThatEditAtRandomLosesNothing) {
  const auto [how, first] = GetParam();
  for (std::uint64_t seed = first; seed < first + 50; ++seed) {
    if (!live_through(seed, how)) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Convergence,
                         ::testing::Combine(every_mode, ::testing::Range<std::uint64_t>(0, 200, 50)),
                         [](const auto& one) {
                           return name_of(std::get<0>(one.param)) + "_from_" +
                                  std::to_string(std::get<1>(one.param));
                         });

class ConvergenceInMode : public ::testing::TestWithParam<mode> {};

// Found by wider searches.
std::vector<std::uint64_t> seeds_that_failed(mode how) {
  switch (how) {
    case mode::one_by_one:
      return {614, 1048, 1214, 1219, 1514, 1603, 1674, 1828, 2203, 3419, 3450, 3587, 3873, 3937, 3943, 3998};
    case mode::in_batches:
      return {295,  674,  731,  766,  860,  1094, 1164, 1278, 1360, 1651, 2055,
              2497, 2558, 2675, 2764, 2799, 2842, 2919, 3410, 3502, 3946};
    case mode::watched:
      return {200, 399, 516, 530, 972, 3285, 3302, 3921, 6034, 9227};
  }
  return {};
}

TEST_P(ConvergenceInMode, HoldsForSeedsThatOnceEndedUnequal) {
  for (const std::uint64_t seed : seeds_that_failed(GetParam())) live_through(seed, GetParam());
}

// For a search by hand: OBSYNC_SEEDS="0-9999" in the environment.
TEST_P(ConvergenceInMode, HoldsForTheSeedsAskedFor) {
  const char* asked = std::getenv("OBSYNC_SEEDS");
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  if (asked == nullptr || std::sscanf(asked, "%" SCNu64 "-%" SCNu64, &first, &last) != 2) {
    GTEST_SKIP() << "no seeds asked for";
  }
  for (std::uint64_t seed = first; seed <= last; ++seed) live_through(seed, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Seeds, ConvergenceInMode, every_mode,
                         [](const auto& one) { return name_of(one.param); });

}  // namespace
}  // namespace obsync::client
