#include "tests/support/faulty_vfs.hpp"

#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <new>
#include <vector>

#include "core/assert.hpp"

namespace obsync::test {

enum class operation { write, truncate, sync };

struct faulty_vfs::state {
  mutable std::mutex mutex;
  sqlite3_vfs* real = nullptr;
  sqlite3_vfs mine{};
  sqlite3_io_methods methods{};
  std::uint64_t operations = 0;
  std::uint64_t syncs = 0;
  bool armed = false;
  bool once = false;
  std::uint64_t fail_from = 0;
  vfs_fault kind = vfs_fault::input_output;
  std::map<std::string, std::vector<char>> durable;

  // True when this operation must fail.
  bool step(operation what) {
    const std::lock_guard lock(mutex);
    const std::uint64_t number = operations++;
    const bool due = armed && (once ? number == fail_from : number >= fail_from);
    if (kind == vfs_fault::flush) return due && what == operation::sync;
    if (kind == vfs_fault::full) return due && what == operation::write;
    return due;
  }
};

namespace {

faulty_vfs::state* current = nullptr;

struct shim_file {
  sqlite3_file base;
  const char* path;  // SQLite keeps it alive while the file is open
  sqlite3_file* real() { return reinterpret_cast<sqlite3_file*>(this + 1); }
};

shim_file* shim(sqlite3_file* file) {
  return reinterpret_cast<shim_file*>(file);
}
sqlite3_file* real(sqlite3_file* file) {
  return shim(file)->real();
}

int close_file(sqlite3_file* file) {
  return real(file)->pMethods->xClose(real(file));
}

int read_file(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
  return real(file)->pMethods->xRead(real(file), out, size, offset);
}

int write_file(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
  if (!current->step(operation::write)) return real(file)->pMethods->xWrite(real(file), data, size, offset);
  real(file)->pMethods->xWrite(real(file), data, size / 2, offset);
  return current->kind == vfs_fault::input_output ? SQLITE_IOERR_WRITE : SQLITE_FULL;
}

int truncate_file(sqlite3_file* file, sqlite3_int64 size) {
  if (current->step(operation::truncate)) return SQLITE_IOERR_TRUNCATE;
  return real(file)->pMethods->xTruncate(real(file), size);
}

// Remembers instead of flushing: the machine's disk has no part in the model, and would take most of the
// time.
int sync_file(sqlite3_file* file, int) {
  if (current->step(operation::sync)) return SQLITE_IOERR_FSYNC;
  if (shim(file)->path == nullptr) return SQLITE_OK;
  sqlite3_int64 size = 0;
  real(file)->pMethods->xFileSize(real(file), &size);
  std::vector<char> content(static_cast<std::size_t>(size));
  if (size > 0) real(file)->pMethods->xRead(real(file), content.data(), static_cast<int>(size), 0);
  const std::lock_guard lock(current->mutex);
  ++current->syncs;
  current->durable[shim(file)->path] = std::move(content);
  return SQLITE_OK;
}

int file_size(sqlite3_file* file, sqlite3_int64* size) {
  return real(file)->pMethods->xFileSize(real(file), size);
}
int lock_database(sqlite3_file* file, int level) {
  return real(file)->pMethods->xLock(real(file), level);
}
int unlock_database(sqlite3_file* file, int level) {
  return real(file)->pMethods->xUnlock(real(file), level);
}
int check_lock(sqlite3_file* file, int* out) {
  return real(file)->pMethods->xCheckReservedLock(real(file), out);
}
int control(sqlite3_file* file, int what, void* argument) {
  return real(file)->pMethods->xFileControl(real(file), what, argument);
}
int sector_size(sqlite3_file* file) {
  return real(file)->pMethods->xSectorSize(real(file));
}
int traits(sqlite3_file* file) {
  return real(file)->pMethods->xDeviceCharacteristics(real(file));
}
int shm_map(sqlite3_file* file, int page, int size, int extend, void volatile** out) {
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, out);
}
int shm_lock(sqlite3_file* file, int offset, int count, int flags) {
  return real(file)->pMethods->xShmLock(real(file), offset, count, flags);
}
void shm_barrier(sqlite3_file* file) {
  real(file)->pMethods->xShmBarrier(real(file));
}
int shm_unmap(sqlite3_file* file, int remove) {
  return real(file)->pMethods->xShmUnmap(real(file), remove);
}

int open_file(sqlite3_vfs*, const char* name, sqlite3_file* out, int flags, int* out_flags) {
  shim_file* file = shim(out);
  file->base.pMethods = nullptr;
  file->path = name;
  const int code = current->real->xOpen(current->real, name, file->real(), flags, out_flags);
  if (file->real()->pMethods != nullptr) file->base.pMethods = &current->methods;
  return code;
}

int delete_file(sqlite3_vfs*, const char* name, int sync_folder) {
  {
    const std::lock_guard lock(current->mutex);
    current->durable.erase(name);
  }
  return current->real->xDelete(current->real, name, sync_folder);
}

}  // namespace

faulty_vfs::faulty_vfs() : state_(std::make_unique<state>()) {
  OBSYNC_ASSERT(current == nullptr);
  current = state_.get();
  state_->real = sqlite3_vfs_find(nullptr);
  state_->mine = *state_->real;
  state_->mine.zName = "obsync-faulty";
  state_->mine.szOsFile = static_cast<int>(sizeof(shim_file)) + state_->real->szOsFile;
  state_->mine.pNext = nullptr;
  state_->mine.xOpen = open_file;
  state_->mine.xDelete = delete_file;
  state_->methods = {2,           close_file,  read_file,     write_file,      truncate_file,
                     sync_file,   file_size,   lock_database, unlock_database, check_lock,
                     control,     sector_size, traits,        shm_map,         shm_lock,
                     shm_barrier, shm_unmap,   nullptr,       nullptr};
  sqlite3_vfs_register(&state_->mine, 1);
}

faulty_vfs::~faulty_vfs() {
  sqlite3_vfs_unregister(&state_->mine);
  sqlite3_vfs_register(state_->real, 1);
  current = nullptr;
}

void faulty_vfs::fail_from(std::uint64_t n, vfs_fault kind) {
  const std::lock_guard lock(state_->mutex);
  state_->operations = 0;
  state_->fail_from = n;
  state_->kind = kind;
  state_->armed = true;
  state_->once = false;
}

void faulty_vfs::fail_once_at(std::uint64_t n, vfs_fault kind) {
  fail_from(n, kind);
  const std::lock_guard lock(state_->mutex);
  state_->once = true;
}

void faulty_vfs::heal() {
  const std::lock_guard lock(state_->mutex);
  state_->armed = false;
}

bool faulty_vfs::fault_was_reached() const {
  const std::lock_guard lock(state_->mutex);
  return state_->operations > state_->fail_from;
}

std::uint64_t faulty_vfs::sync_count() const {
  const std::lock_guard lock(state_->mutex);
  return state_->syncs;
}

void faulty_vfs::copy_durable(const std::string& from, const std::string& to) const {
  const std::lock_guard lock(state_->mutex);
  for (const auto& [path, content] : state_->durable) {
    const std::filesystem::path source(path);
    if (source.parent_path() != std::filesystem::path(from)) continue;
    std::ofstream out(std::filesystem::path(to) / source.filename(), std::ios::binary);
    out.write(content.data(), static_cast<std::streamsize>(content.size()));
  }
}

}  // namespace obsync::test
