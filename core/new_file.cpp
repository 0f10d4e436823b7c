#include "core/new_file.hpp"

#include <algorithm>

namespace obsync {

namespace {

error taken(const std::string& path) {
  return {errc::exists, path + " is there already"};
}

}  // namespace

result<std::unique_ptr<new_file>> new_file::begin(disk& on, const std::string& path) {
  const auto there = on.size_of(path);
  if (there) return taken(path);
  if (there.error().code != errc::not_found)
    return error{there.error().code, path + ": " + there.error().detail};
  std::unique_ptr<new_file> out(new new_file(on, path));
  const error busy{errc::exists, out->part_ + " is being written by another process"};
  auto made = on.create(out->part_);
  if (!made && made.error().code == errc::exists) {
    // Whoever writes a part holds its lock; nobody holds that of one whose writer was killed.
    const auto left = lock_file(out->part_);
    if (!left) return left.error().code == errc::exists ? busy : left.error();
    if (const status gone = on.remove(out->part_); !gone && gone.error().code != errc::not_found)
      return gone.error();
    made = on.create(out->part_);
  }
  if (!made)
    return made.error().code == errc::exists ? busy
                                             : error{made.error().code, path + ": " + made.error().detail};
  auto lock = lock_file(out->part_);
  if (!lock) return lock.error().code == errc::exists ? busy : lock.error();
  out->file_ = std::move(*made);
  out->lock_ = std::move(*lock);
  out->made_ = true;
  return out;
}

new_file::~new_file() {
  if (made_) static_cast<void>(disk_.remove(part_));
}

status new_file::publish() {
  if (const status flushed = file_->sync(); !flushed) return flushed;
  // The name must still lead to what was written, whoever tidied up beside us.
  const auto written = file_->size();
  if (!written) return written.error();
  const auto named = disk_.size_of(part_);
  if (!named || *named != *written) return error{errc::unavailable, part_ + " was replaced meanwhile"};
  if (const status done = disk_.rename_to_free(part_, path_); !done)
    return done.error().code == errc::exists ? taken(path_) : done;
  made_ = false;
  return disk_.sync_folder(path_.substr(0, std::max<std::size_t>(path_.rfind('/'), 1)));
}

}  // namespace obsync
