#include "app/volume_findings.hpp"

#include <sys/vfs.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "core/random.hpp"
#include "core/size_text.hpp"
#include "store/room.hpp"

namespace obsync::app {

namespace {

using clock = std::chrono::steady_clock;
using grade = finding::grade;

constexpr int flushes = 40;
constexpr auto flushes_take = std::chrono::seconds(2);
// A drive with a protected cache needs tens of microseconds; below that nothing can have left this machine.
constexpr std::int64_t too_fast_us = 5;
constexpr std::int64_t too_slow_us = 50'000;

struct kind_row {
  unsigned long magic;  // statfs(2)
  grade is;
  const char* name;
  const char* advice;
};

constexpr const char* network_advice =
    "SQLite's write-ahead log needs a local file system; keep the store on a local disk";
constexpr std::array kinds{
    kind_row{0x01021994, grade::warning, "tmpfs", "this is memory: everything is gone at the next restart"},
    kind_row{0x858458f6, grade::warning, "ramfs", "this is memory: everything is gone at the next restart"},
    kind_row{0x6969, grade::wrong, "nfs", network_advice},
    kind_row{0xff534d42, grade::wrong, "cifs", network_advice},
    kind_row{0xfe534d42, grade::wrong, "smb2", network_advice},
    kind_row{0x01021997, grade::warning, "9p", network_advice},
    kind_row{0x65735546, grade::warning, "fuse",
             "what a FUSE file system does with a flush is up to its program; a local disk is safer"},
};

finding look_at_kind(const std::string& folder) {
  struct statfs found {};
  if (::statfs(folder.c_str(), &found) != 0) return {"volume", grade::warning, folder + ": cannot be asked"};
  for (const kind_row& one : kinds)
    if (one.magic == static_cast<unsigned long>(found.f_type))
      return {"volume", one.is, folder + ": lies on " + one.name, one.advice};
  return {"volume", grade::good, folder + ": a local file system"};
}

finding look_at_room(disk& on, const std::string& folder, const config::store_settings& settings) {
  const auto room = on.room(folder);
  if (!room)
    return {"room", grade::wrong, folder + ": " + room.error().detail, "see that its volume is mounted"};
  const auto total = static_cast<std::int64_t>(room->total_bytes);
  const auto free = static_cast<std::int64_t>(room->free_bytes);
  const std::int64_t kept = store::watermark{settings.keep_free.percent, settings.keep_free.bytes}.of(total);
  const std::string text = folder + ": " + rounded_size_text(free) + " free of " + rounded_size_text(total);
  if (free <= kept)
    return {"room", grade::wrong,
            text + ", of which " + rounded_size_text(kept) + " are kept free: uploads are refused",
            "make room, or lower store.free_watermark"};
  if (free - kept < total / 20)
    return {"room", grade::warning, text + ", of which " + rounded_size_text(kept) + " are kept free",
            "it will be full soon; make room, or shorten retention.days"};
  return {"room", grade::good, text};
}

// Half of so many flushes of 4 KiB appends took no longer than this, in microseconds.
result<std::int64_t> flush_us(disk& on, const std::string& folder) {
  std::array<std::uint8_t, 8> raw{};
  system_random().fill(raw);
  std::string path = folder + "/.doctor-";
  for (const std::uint8_t byte : raw) path += std::to_string(byte % 10);
  auto file = on.create(path);
  if (!file) return file.error();
  // Nameless from here on: a doctor that is killed leaves nothing behind.
  if (const status removed = on.remove(path); !removed) return removed.error();
  const bytes page(4096, 1);
  std::vector<std::int64_t> took;
  const auto begun = clock::now();
  for (int i = 0; i < flushes && clock::now() - begun < flushes_take; ++i) {
    const auto before = clock::now();
    if (const status done = (*file)->write_at(static_cast<std::uint64_t>(i) * page.size(), page); !done)
      return done.error();
    if (const status done = (*file)->sync(); !done) return done.error();
    took.push_back(std::chrono::duration_cast<std::chrono::microseconds>(clock::now() - before).count());
  }
  std::nth_element(took.begin(), took.begin() + static_cast<std::ptrdiff_t>(took.size() / 2), took.end());
  return took[took.size() / 2];
}

finding look_at_flushes(disk& on, const std::string& folder) {
  const auto took = flush_us(on, folder);
  if (!took)
    return {"flush", grade::wrong, folder + ": " + took.error().detail,
            "run this as the user that runs the server, and see that the volume can be written"};
  const std::string text = folder + ": a flush takes " + std::to_string(*took) + " us";
  if (*took < too_fast_us)
    return {"flush", grade::warning, text + ", faster than any drive",
            "something below promises what it does not keep: turn off volatile write caches, or the "
            "hypervisor's `unsafe` cache mode"};
  if (*took > too_slow_us)
    return {"flush", grade::warning, text,
            "every stored note waits for one; a faster volume for journal_dir helps"};
  return {"flush", grade::good, text};
}

}  // namespace

findings look_at_volumes(disk& on, const config::settings& settings) {
  std::vector<std::string> folders{settings.store.journal_dir};
  if (settings.store.blobs_dir != settings.store.journal_dir) folders.push_back(settings.store.blobs_dir);
  for (const config::mirror& one : settings.store.blobs_mirrors) folders.push_back(one.path);
  findings out;
  for (const std::string& folder : folders) {
    if (!on.list(folder)) {
      out.push_back({"volume", grade::wrong, folder + ": is not there",
                     "the first `obsyncd serve` makes it; if there was a store, mount its volume first"});
      continue;
    }
    out.push_back(look_at_kind(folder));
    out.push_back(look_at_room(on, folder, settings.store));
    out.push_back(look_at_flushes(on, folder));
  }
  return out;
}

}  // namespace obsync::app
