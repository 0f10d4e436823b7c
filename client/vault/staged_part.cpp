#include "client/vault/staged_part.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace obsync::client {

namespace {

constexpr std::size_t writeback_bytes_min = 1u << 20;  // of a file that has more to come

int rename_with(const place_in_folder& from, const place_in_folder& to, unsigned flags) {
  return ::renameat2(from.folder.get(), from.name.c_str(), to.folder.get(), to.name.c_str(), flags);
}

error touched_meanwhile() {
  return {errc::unavailable, "the file was touched meanwhile"};
}

// The same file, untouched. ctime is left out: the exchange itself moves it.
bool is_still(const item_info& found, const file_mark& expected) {
  return found.is_file && found.mark.inode == expected.inode && found.mark.born_ns == expected.born_ns &&
         found.mark.looks_untouched(expected);
}

}  // namespace

result<std::uint64_t> staged_part::size() {
  const auto info = info_at(file_.get(), "");
  if (!info) return info.error();
  return static_cast<std::uint64_t>(info->mark.size);
}

result<std::size_t> staged_part::read_at(std::uint64_t offset, std::span<std::uint8_t> out) {
  return read_all_at(file_.get(), offset, out);
}

status staged_part::write_at(std::uint64_t offset, byte_view data) {
  const auto begin = static_cast<off64_t>(offset);
  const std::size_t size = data.size();
  while (!data.empty()) {
    const ssize_t count = ::pwrite(file_.get(), data.data(), data.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return last_error("write");
    offset += static_cast<std::uint64_t>(count);
    data = data.subspan(static_cast<std::size_t>(count));
  }
  // The disk begins now, so that the flush at the end has little to wait for. Its failures are that flush's.
  if (size >= writeback_bytes_min)
    ::sync_file_range(file_.get(), begin, static_cast<off64_t>(size), SYNC_FILE_RANGE_WRITE);
  return {};
}

status staged_part::truncate(std::uint64_t size) {
  if (::ftruncate(file_.get(), static_cast<off_t>(size)) != 0) return last_error("truncate");
  return {};
}

status staged_part::seal(std::int64_t mtime_ms, unsigned mode) {
  if (::fchmod(file_.get(), mode) != 0) return last_error("set mode");
  std::int64_t seconds = mtime_ms / 1000;
  std::int64_t rest_ms = mtime_ms % 1000;
  if (rest_ms < 0) {
    seconds -= 1;
    rest_ms += 1000;
  }
  timespec times[2] = {};
  times[0].tv_nsec = UTIME_OMIT;
  times[1].tv_sec = seconds;
  times[1].tv_nsec = rest_ms * 1'000'000;
  // A time this disk cannot hold is no reason to withhold the file.
  static_cast<void>(::futimens(file_.get(), times));
  if (::fsync(file_.get()) != 0) return last_error("sync");
  return {};
}

status staged_part::take_free_name(const place_in_folder& to) {
  return rename_to_free(place_, to);
}

status staged_part::take_place_of(const place_in_folder& to, const file_mark& expected) {
  const auto before = info_at(to.folder.get(), to.name);
  if (!before) return before.error();
  if (!before->is_file || before->mark != expected) return touched_meanwhile();
  if (rename_with(place_, to, RENAME_EXCHANGE) == 0) {
    // What was displaced is judged once more: a save between the look and the exchange must not be lost.
    const auto displaced = info_at(place_.folder.get(), place_.name);
    if (!displaced || !is_still(*displaced, expected)) return undo_exchange(to);
    if (::unlinkat(place_.folder.get(), place_.name.c_str(), 0) != 0) return last_error("remove");
    return {};
  }
  if (errno != EINVAL && errno != ENOSYS) return last_error("rename");
  if (rename_with(place_, to, 0) != 0) return last_error("rename");
  return {};
}

status staged_part::undo_exchange(const place_in_folder& to) {
  if (rename_with(place_, to, RENAME_EXCHANGE) != 0) return last_error("rename");
  return touched_meanwhile();
}

status rename_to_free(const place_in_folder& from, const place_in_folder& to) {
  if (rename_with(from, to, RENAME_NOREPLACE) == 0) return {};
  if (errno == EEXIST) {
    const auto source = info_at(from.folder.get(), from.name);
    const auto target = info_at(to.folder.get(), to.name);
    const bool only_case =
        source && target && source->mark.inode == target->mark.inode && from.name != to.name;
    if (!only_case || rename_with(from, to, 0) != 0) return error{errc::exists, "the name is taken"};
    return {};
  }
  if (errno != EINVAL && errno != ENOSYS) return last_error("rename");
  // This file system knows no careful rename: look first.
  if (info_at(to.folder.get(), to.name)) return error{errc::exists, "the name is taken"};
  if (rename_with(from, to, 0) != 0) return last_error("rename");
  return {};
}

}  // namespace obsync::client
