#include "tests/support/sim_vfs.hpp"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <vector>

#include "core/assert.hpp"

namespace obsync::test {

namespace {

// What the connections of one database share, as the kernel would keep it.
struct shared_file {
  int readers = 0;  // of the database's own locks, exclusive holder included
  const void* reserved = nullptr;
  const void* pending = nullptr;
  const void* exclusive = nullptr;
  std::vector<std::unique_ptr<bytes>> regions;  // of the log's index
  std::array<int, SQLITE_SHM_NLOCK> slots{};    // -1: exclusive; else how many share it
};

// SQLite allocates it; `open` and `close` make and end what it holds.
struct open_state {
  std::unique_ptr<disk_file> file;
  std::shared_ptr<shared_file> shared;
  std::string path;
  int level = SQLITE_LOCK_NONE;
  unsigned shares = 0;    // slots, as bits
  unsigned excludes = 0;  // slots, as bits
  bool name_is_volatile = false;
  bool goes_at_close = false;
};

struct vfs_file {
  sqlite3_file base;
  open_state* state;
};

}  // namespace

struct sim_vfs::state {
  state(sim_disk& on, std::uint64_t seed) : disk(on), random(seed) {}

  sim_disk& disk;
  std::mutex mutex;  // guards what follows
  seeded_random random;
  std::map<std::pair<std::string, std::uint64_t>, std::weak_ptr<shared_file>> files;  // by path and power cut
  int temporary = 0;
  sqlite3_vfs vfs{};
  sqlite3_io_methods methods{};
};

namespace {

sim_vfs::state* current = nullptr;

open_state& of(sqlite3_file* file) {
  return *reinterpret_cast<vfs_file*>(file)->state;
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

// --- bytes
// ---------------------------------------------------------------------------------------------------

int read_file(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
  auto* const to = static_cast<std::uint8_t*>(out);
  const auto wanted = static_cast<std::size_t>(size);
  const auto got = of(file).file->read_at(static_cast<std::uint64_t>(offset), {to, wanted});
  if (!got.ok()) return SQLITE_IOERR_READ;
  if (*got == wanted) return SQLITE_OK;
  std::memset(to + *got, 0, wanted - *got);
  return SQLITE_IOERR_SHORT_READ;
}

int write_file(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
  const auto* const from = static_cast<const std::uint8_t*>(data);
  const status done =
      of(file).file->write_at(static_cast<std::uint64_t>(offset), {from, static_cast<std::size_t>(size)});
  if (done.ok()) return SQLITE_OK;
  return done.error().code == errc::no_space ? SQLITE_FULL : SQLITE_IOERR_WRITE;
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  auto& on = static_cast<sim_file_base&>(*of(file).file);
  return on.truncate(static_cast<std::uint64_t>(size)).ok() ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

// The name of a new log becomes durable with its first bytes, as on the real system.
int sync_file(sqlite3_file* file, int) {
  open_state& at = of(file);
  if (!at.file->sync().ok()) return SQLITE_IOERR_FSYNC;
  if (at.name_is_volatile && !current->disk.sync_folder(folder_of(at.path)).ok())
    return SQLITE_IOERR_DIR_FSYNC;
  at.name_is_volatile = false;
  return SQLITE_OK;
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  const auto found = of(file).file->size();
  if (!found.ok()) return SQLITE_IOERR_FSTAT;
  *size = static_cast<sqlite3_int64>(*found);
  return SQLITE_OK;
}

// --- locks
// ---------------------------------------------------------------------------------------------------

int lock_database(sqlite3_file* file, int level) {
  const std::lock_guard lock(current->mutex);
  open_state& at = of(file);
  shared_file& on = *at.shared;
  if (level <= at.level) return SQLITE_OK;
  const auto taken = [&](const void* holder) { return holder != nullptr && holder != &at; };
  if (taken(on.exclusive)) return SQLITE_BUSY;
  if (at.level == SQLITE_LOCK_NONE) {
    if (taken(on.pending)) return SQLITE_BUSY;
    ++on.readers;
    at.level = SQLITE_LOCK_SHARED;
  }
  if (level >= SQLITE_LOCK_RESERVED) {
    if (taken(on.reserved)) return SQLITE_BUSY;
    on.reserved = &at;
    at.level = SQLITE_LOCK_RESERVED;
  }
  if (level == SQLITE_LOCK_EXCLUSIVE) {
    if (taken(on.pending)) return SQLITE_BUSY;
    on.pending = &at;
    at.level = SQLITE_LOCK_PENDING;
    if (on.readers > 1) return SQLITE_BUSY;
    on.exclusive = &at;
    at.level = SQLITE_LOCK_EXCLUSIVE;
  }
  return SQLITE_OK;
}

void unlock(open_state& at, int level) {
  shared_file& on = *at.shared;
  for (const void** holder : {&on.reserved, &on.pending, &on.exclusive})
    if (*holder == &at) *holder = nullptr;
  if (level == SQLITE_LOCK_NONE && at.level > SQLITE_LOCK_NONE) --on.readers;
  at.level = std::min(at.level, level);
}

int unlock_database(sqlite3_file* file, int level) {
  const std::lock_guard lock(current->mutex);
  unlock(of(file), level);
  return SQLITE_OK;
}

int check_lock(sqlite3_file* file, int* out) {
  const std::lock_guard lock(current->mutex);
  *out = of(file).shared->reserved != nullptr ? 1 : 0;
  return SQLITE_OK;
}

int shm_map(sqlite3_file* file, int region, int size, int extend, void volatile** out) {
  const std::lock_guard lock(current->mutex);
  auto& regions = of(file).shared->regions;
  *out = nullptr;
  while (regions.size() <= static_cast<std::size_t>(region)) {
    if (extend == 0) return SQLITE_OK;
    regions.push_back(std::make_unique<bytes>(static_cast<std::size_t>(size)));
  }
  *out = regions[static_cast<std::size_t>(region)]->data();
  return SQLITE_OK;
}

int shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  const std::lock_guard lock(current->mutex);
  open_state& at = of(file);
  auto& slots = at.shared->slots;
  const unsigned mask = ((1u << count) - 1u) << offset;
  const auto first = static_cast<std::size_t>(offset), last = first + static_cast<std::size_t>(count);
  if ((flags & SQLITE_SHM_UNLOCK) != 0) {
    for (std::size_t i = first; i < last; ++i) {
      if ((at.excludes & (1u << i)) != 0) slots[i] = 0;
      if ((at.shares & (1u << i)) != 0) --slots[i];
    }
    at.excludes &= ~mask;
    at.shares &= ~mask;
    return SQLITE_OK;
  }
  if ((flags & SQLITE_SHM_SHARED) != 0) {
    if ((at.shares & mask) != 0) return SQLITE_OK;
    if (slots[first] < 0) return SQLITE_BUSY;
    ++slots[first];
    at.shares |= mask;
    return SQLITE_OK;
  }
  for (std::size_t i = first; i < last; ++i)
    if (slots[i] != 0) return SQLITE_BUSY;
  for (std::size_t i = first; i < last; ++i) slots[i] = -1;
  at.excludes |= mask;
  return SQLITE_OK;
}

void shm_barrier(sqlite3_file*) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}

int shm_unmap(sqlite3_file*, int) {
  return SQLITE_OK;  // it goes with the last connection
}

int control(sqlite3_file*, int, void*) {
  return SQLITE_NOTFOUND;
}
int sector_size(sqlite3_file*) {
  return 512;
}
// The bytes beside those of a torn write stay as they were, in the model as on every real disk.
int traits(sqlite3_file*) {
  return SQLITE_IOCAP_POWERSAFE_OVERWRITE;
}

// --- files
// ---------------------------------------------------------------------------------------------------

int close_file(sqlite3_file* file) {
  auto* const mine = reinterpret_cast<vfs_file*>(file);
  const std::unique_ptr<open_state> at(mine->state);
  mine->state = nullptr;
  const std::lock_guard lock(current->mutex);
  unlock(*at, SQLITE_LOCK_NONE);
  if (at->goes_at_close) static_cast<void>(current->disk.remove(at->path));
  return SQLITE_OK;
}

result<std::unique_ptr<disk_file>> open_or_create(open_state& at, int flags) {
  auto opened = current->disk.open(at.path);
  if (opened.ok() || opened.error().code != errc::not_found || (flags & SQLITE_OPEN_CREATE) == 0)
    return opened;
  at.name_is_volatile = true;
  return current->disk.create(at.path);
}

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* out, int flags, int* out_flags) {
  out->pMethods = nullptr;
  auto at = std::make_unique<open_state>();
  {
    const std::lock_guard lock(current->mutex);
    at->path = name != nullptr ? name : "/sqlite-temporary-" + std::to_string(++current->temporary);
    auto& known = current->files[{at->path, current->disk.cuts()}];
    at->shared = known.lock();
    if (!at->shared) known = at->shared = std::make_shared<shared_file>();
  }
  at->goes_at_close = (flags & SQLITE_OPEN_DELETEONCLOSE) != 0;
  auto file = open_or_create(*at, flags);
  if (!file.ok()) return SQLITE_CANTOPEN;
  at->file = std::move(*file);
  if (out_flags != nullptr) *out_flags = flags;
  reinterpret_cast<vfs_file*>(out)->state = at.release();
  out->pMethods = &current->methods;
  return SQLITE_OK;
}

int delete_file(sqlite3_vfs*, const char* name, int sync_folder) {
  const status removed = current->disk.remove(name);
  if (!removed.ok())
    return removed.error().code == errc::not_found ? SQLITE_IOERR_DELETE_NOENT : SQLITE_IOERR_DELETE;
  if (sync_folder != 0 && !current->disk.sync_folder(folder_of(name)).ok()) return SQLITE_IOERR_DIR_FSYNC;
  return SQLITE_OK;
}

int has_file(sqlite3_vfs*, const char* name, int, int* out) {
  const auto found = current->disk.size_of(name);
  *out = found.ok() ? 1 : 0;
  return found.ok() || found.error().code == errc::not_found ? SQLITE_OK : SQLITE_IOERR_ACCESS;
}

int full_path(sqlite3_vfs*, const char* name, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", name);
  return SQLITE_OK;
}

int fill_randomly(sqlite3_vfs*, int size, char* out) {
  const std::lock_guard lock(current->mutex);
  current->random.fill({reinterpret_cast<std::uint8_t*>(out), static_cast<std::size_t>(size)});
  return size;
}

int sleep_for(sqlite3_vfs*, int microseconds) {
  return microseconds;
}

int julian_day(sqlite3_vfs*, double* out) {
  *out = 2'461'000.5;
  return SQLITE_OK;
}

int last_error(sqlite3_vfs*, int, char*) {
  return 0;
}

}  // namespace

sim_vfs::sim_vfs(sim_disk& on, std::uint64_t seed) : state_(std::make_unique<state>(on, seed)) {
  OBSYNC_ASSERT(current == nullptr);
  current = state_.get();
  state_->methods = {2,           close_file,  read_file,     write_file,      truncate_file,
                     sync_file,   file_size,   lock_database, unlock_database, check_lock,
                     control,     sector_size, traits,        shm_map,         shm_lock,
                     shm_barrier, shm_unmap,   nullptr,       nullptr};
  sqlite3_vfs& vfs = state_->vfs;
  vfs.iVersion = 1;
  vfs.szOsFile = sizeof(vfs_file);
  vfs.mxPathname = 1024;
  vfs.zName = "obsync-sim";
  vfs.xOpen = open_file;
  vfs.xDelete = delete_file;
  vfs.xAccess = has_file;
  vfs.xFullPathname = full_path;
  vfs.xRandomness = fill_randomly;
  vfs.xSleep = sleep_for;
  vfs.xCurrentTime = julian_day;
  vfs.xGetLastError = last_error;
  sqlite3_vfs_register(&vfs, 1);
  sqlite3_randomness(0, nullptr);  // seeded anew at its next use
}

sim_vfs::~sim_vfs() {
  sqlite3_vfs_unregister(&state_->vfs);
  sqlite3_randomness(0, nullptr);
  current = nullptr;
}

}  // namespace obsync::test
