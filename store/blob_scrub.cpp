#include "store/blob_scrub.hpp"

#include <algorithm>

#include "crypto/digest.hpp"
#include "store/blob_layout.hpp"
#include "store/file_copy.hpp"

namespace obsync::store {

namespace {

constexpr std::size_t slice_bytes = 256 << 10;
constexpr const char* temp_name = "scrub";  // uploads name theirs by numbers

std::string parent_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

}  // namespace

blob_scrub::blob_scrub(disk& on, const blob_options& options, blob_store& blobs)
    : disk_(on), options_(options), blobs_(blobs) {}

std::string blob_scrub::path_in(const std::string& root, const account_id& account,
                                const chunk_sid& sid) const {
  return root + "/" + blob_folder_name(sid.raw[0]) + "/" + blob_file_name(account, sid);
}

// A copy that cannot be read is as good as a wrong one.
result<blob_scrub::copy> blob_scrub::look(const std::string& path, const chunk_sid& sid,
                                          copies_report& report) {
  const auto file = disk_.open(path);
  if (!file.ok()) return file.error().code == errc::not_found ? copy::missing : copy::wrong;
  crypto::sha256_stream hash;
  bytes slice(slice_bytes);
  for (std::uint64_t at = 0;;) {
    const auto got = (*file)->read_at(at, slice);
    if (!got.ok()) return copy::wrong;
    hash.update(byte_view(slice).first(*got));
    at += *got;
    report.bytes_read += *got;
    if (*got < slice.size()) break;
  }
  return hash.finish().raw == sid.raw ? copy::whole : copy::wrong;
}

result<copies_report> blob_scrub::check(const account_id& account, const chunk_sid& sid) {
  copies_report report;
  const std::string primary = path_in(options_.folder, account, sid);
  const auto found = look(primary, sid, report);
  if (!found.ok()) return found.error();
  if (*found != copy::whole) return mend_primary(account, sid, report);
  for (std::size_t i = 0; i < options_.mirrors.size(); ++i) {
    if (is_behind(i)) continue;
    const auto theirs = look(path_in(options_.mirrors[i], account, sid), sid, report);
    if (!theirs.ok()) return theirs.error();
    if (*theirs == copy::whole) continue;
    ++report.mismatches;
    // The chunk may have been collected since it was looked at; a copy too many on a mirror harms nobody.
    const status done = replace(primary, options_.mirrors[i], account, sid);
    if (done) ++report.repaired;
    if (!done && !go_on_without(i, done.error())) return done.error();
  }
  return report;
}

result<bool> blob_scrub::copy_from_mirror(const account_id& account, const chunk_sid& sid,
                                          copies_report& report) {
  for (std::size_t i = 0; i < options_.mirrors.size(); ++i) {
    if (is_behind(i)) continue;
    const std::string theirs = path_in(options_.mirrors[i], account, sid);
    const auto found = look(theirs, sid, report);
    if (!found.ok() || *found != copy::whole) continue;
    if (const status done = replace(theirs, options_.folder, account, sid); !done) return done.error();
    return true;
  }
  return false;
}

result<std::uint64_t> blob_scrub::bring_back(const account_id& account, const chunk_sid& sid) {
  if (options_.mirrors.empty()) return std::uint64_t{0};
  copies_report report;
  const auto held = blobs_.hold(account, sid);
  const std::string primary = path_in(options_.folder, account, sid);
  const auto found = look(primary, sid, report);
  if (!found.ok()) return found.error();
  if (*found != copy::missing) return std::uint64_t{0};
  const auto copied = copy_from_mirror(account, sid, report);
  if (!copied.ok()) return copied.error();
  if (!*copied) return std::uint64_t{0};
  return disk_.size_of(primary);
}

result<copies_report> blob_scrub::mend_primary(const account_id& account, const chunk_sid& sid,
                                               copies_report report) {
  const auto held = blobs_.hold(account, sid);
  const std::string primary = path_in(options_.folder, account, sid);
  const auto again = look(primary, sid, report);
  if (!again.ok()) return again.error();
  if (*again == copy::whole) return report;
  report.state = *again == copy::missing ? copies_state::absent : copies_state::rotten;
  if (*again == copy::missing) return report;
  ++report.mismatches;
  const auto copied = copy_from_mirror(account, sid, report);
  if (!copied.ok()) return copied.error();
  if (!*copied) return report;
  ++report.repaired;
  report.state = copies_state::good;
  return report;
}

// Written beside, durable, renamed into place: at no moment is there less than there was.
status blob_scrub::replace(const std::string& from, const std::string& root, const account_id& account,
                           const chunk_sid& sid) {
  const std::string temp = root + "/" + std::string(blob_temp_folder) + "/" + temp_name;
  const std::string to = path_in(root, account, sid);
  if (const status done = copy_over(from, temp); !done) return done;
  if (const status done = disk_.rename(temp, to); !done) return done;
  return disk_.sync_folder(parent_of(to));
}

// What an earlier try left under `to` goes first.
status blob_scrub::copy_over(const std::string& from, const std::string& to) {
  const status cleared = disk_.remove(to);
  if (!cleared.ok() && cleared.error().code != errc::not_found) return cleared;
  return copy_file(disk_, from, to);
}

result<std::uint64_t> blob_scrub::set_aside(const account_id& account, const chunk_sid& sid,
                                            const std::string& folder) {
  copies_report report;
  const std::string primary = path_in(options_.folder, account, sid);
  const auto found = look(primary, sid, report);
  if (!found.ok()) return found.error();
  if (*found != copy::wrong) return std::uint64_t{0};
  const auto size = disk_.size_of(primary);
  if (!size.ok()) return size.error();
  if (const status made = disk_.make_folder(folder); !made) return made.error();
  const std::string to = folder + "/" + blob_file_name(account, sid);
  const status copied = copy_over(primary, to + ".part");
  if (!copied.ok() && copied.error().code == errc::no_space) return copied.error();
  // What cannot be read cannot be kept as evidence; as much as there is must do, or nothing.
  if (!copied.ok())
    if (const auto part = disk_.open(to + ".part"); part.ok()) static_cast<void>((*part)->sync());
  const status kept = disk_.rename(to + ".part", to);
  if (!kept.ok() && (copied.ok() || kept.error().code != errc::not_found)) return kept.error();
  if (const status done = disk_.sync_folder(folder); !done) return done.error();
  if (const status done = disk_.sync_folder(parent_of(folder)); !done) return done.error();
  return std::max<std::uint64_t>(*size, 1);
}

status blob_scrub::drop(const account_id& account, const chunk_sid& sid) {
  const std::string primary = path_in(options_.folder, account, sid);
  if (const status removed = disk_.remove(primary); !removed) return removed;
  return disk_.sync_folder(parent_of(primary));
}

}  // namespace obsync::store
