#include "store/blob_store.hpp"

#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <shared_mutex>

#include "store/blob_layout.hpp"

namespace obsync::store {

namespace {

// Large enough that a disk writes in one go, small enough that it writes while the rest still comes.
constexpr std::uint64_t writeback_bytes = 1u << 20;

using wire::failure;
using wire::refusal;

failure refused(const error& cause) {
  const bool full = cause.code == errc::no_space;
  return {full ? refusal::storage_full : refusal::io_error, cause.detail};
}

std::string folder_of(const std::string& root, const chunk_sid& sid) {
  return root + "/" + blob_folder_name(sid.raw[0]);
}

std::string path_of(const std::string& root, const account_id& account, const chunk_sid& sid) {
  return folder_of(root, sid) + "/" + blob_file_name(account, sid);
}

using blob_key = std::pair<account_id, chunk_sid>;

// Names that are visible on the disk but not proven to survive a power cut: those between their rename and
// the flush of their folder, and those whose flush failed and which could not be taken back. The store
// answers as if they were not there; else a second device could build an acknowledged version on them. Any
// thread.
class unproven_names {
 public:
  // Runs `look` while no name can begin to be published; does not run it for an unproven one.
  template <class Value, class Look>
  Value unless_unproven(const blob_key& name, Value otherwise, Look look) const {
    const std::shared_lock lock(mutex_);
    if (publishing_.contains(name) || suspect_.contains(name)) return otherwise;
    return look();
  }

  // Waits while another upload publishes the same name. False when `is_visible` finds it then proven: there
  // is nothing to publish, and the name never went out of sight.
  template <class Look>
  bool enter(const blob_key& name, Look is_visible) {
    std::unique_lock lock(mutex_);
    left_.wait(lock, [&] { return !publishing_.contains(name); });
    if (!suspect_.contains(name) && is_visible()) return false;
    publishing_.insert(name);
    return true;
  }
  void leave(const blob_key& name) {
    const std::lock_guard lock(mutex_);
    publishing_.erase(name);
    left_.notify_all();
  }

  // These two between enter and leave.
  void suspect(const blob_key& name) {
    const std::lock_guard lock(mutex_);
    suspect_.insert(name);
  }
  void prove(const blob_key& name) {
    const std::lock_guard lock(mutex_);
    suspect_.erase(name);
  }

 private:
  mutable std::shared_mutex mutex_;
  std::condition_variable_any left_;
  std::set<blob_key> publishing_;
  std::set<blob_key> suspect_;
};

// What the store and its uploads share.
struct blob_place {
  blob_place(disk& place, const blob_options& options)
      : on(place), primary(options.folder), mirrors(options.mirrors), watch(options.watch) {}

  bool is_behind(std::size_t mirror) const { return watch && watch->is_behind(mirror); }
  bool go_on_without(std::size_t mirror, const error& why) const {
    return watch && watch->go_on_without(mirror, why);
  }

  disk& on;
  std::string primary;
  std::vector<std::string> mirrors;
  std::shared_ptr<mirror_watch> watch;
  unproven_names unproven;
  std::atomic<std::uint64_t> next_temp = 0;
};

// One volume's half-written file.
struct temp_file {
  std::optional<std::size_t> mirror;  // nothing: the primary's
  std::string root;
  std::string path;
  std::unique_ptr<disk_file> file;
};

class disk_blob_upload final : public blob_upload {
 public:
  disk_blob_upload(blob_place& place, const blob_key& key, std::uint64_t size)
      : place_(place), key_(key), size_(size) {}

  ~disk_blob_upload() override {
    for (temp_file& one : temps_) discard(one);
  }

  // Mirrors before the primary: the primary's name is what makes a chunk exist, so it comes last everywhere.
  wire::outcome<void> create_temps() {
    const std::string name = "/" + std::string(blob_temp_folder) + "/" + std::to_string(place_.next_temp++);
    for (std::size_t i = 0; i < place_.mirrors.size(); ++i)
      if (!place_.is_behind(i)) temps_.push_back({i, place_.mirrors[i], place_.mirrors[i] + name, {}});
    temps_.push_back({{}, place_.primary, place_.primary + name, {}});
    return on_each([this](temp_file& one) {
      auto made = place_.on.create(one.path);
      if (!made.ok()) one.path.clear();  // not ours to remove
      if (!made.ok()) return status{made.error()};
      one.file = std::move(*made);
      return status{};
    });
  }

  wire::outcome<void> write(byte_view slice) override {
    if (slice.size() > size_ - written_) {
      return failure{refusal::length_mismatch, "the body is longer than declared"};
    }
    hash_.update(slice);
    const auto written = on_each([&](temp_file& one) { return one.file->write_at(written_, slice); });
    if (!written.ok()) return written;
    written_ += slice.size();
    if (written_ - begun_writeback_ >= writeback_bytes) {
      for (const temp_file& one : temps_)
        one.file->begin_writeback(begun_writeback_, written_ - begun_writeback_);
      begun_writeback_ = written_;
    }
    return {};
  }

  wire::outcome<put_result> finish() override {
    if (written_ != size_) return failure{refusal::length_mismatch, "the body is shorter than declared"};
    if (hash_.finish().raw != key_.second.raw) {
      return failure{refusal::sid_mismatch, "the body's hash is not its name"};
    }
    if (temps_.empty()) return still_there();
    const auto synced = on_each([](temp_file& one) {
      const status done = one.file->sync();
      one.file.reset();
      return done;
    });
    if (!synced.ok()) return synced.error();
    const bool entered = place_.unproven.enter(
        key_, [&] { return place_.on.size_of(path_of(place_.primary, key_.first, key_.second)).ok(); });
    if (!entered) return put_result::existed;  // another upload of the same chunk was faster
    auto published = publish();
    place_.unproven.leave(key_);
    return published;
  }

 private:
  // The same on every copy. A mirror that fails and may be passed over is one copy less; any other failure
  // ends it.
  template <class Act>
  wire::outcome<void> on_each(Act act) {
    for (std::size_t i = 0; i < temps_.size();) {
      const status done = act(temps_[i]);
      if (done.ok()) {
        ++i;
        continue;
      }
      const auto mirror = temps_[i].mirror;
      if (!mirror || !place_.go_on_without(*mirror, done.error())) return refused(done.error());
      discard(temps_[i]);
      temps_.erase(temps_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return {};
  }

  wire::outcome<put_result> still_there() {
    const bool there = place_.unproven.unless_unproven<bool>(key_, false, [&] {
      return place_.on.size_of(path_of(place_.primary, key_.first, key_.second)).ok();
    });
    if (there) return put_result::existed;
    return failure{refusal::io_error, "the chunk was removed meanwhile; send it again"};
  }

  // Between enter and leave: nobody else publishes this name.
  wire::outcome<put_result> publish() {
    const auto published = on_each([this](temp_file& one) {
      const std::string to = path_of(one.root, key_.first, key_.second);
      if (status done = place_.on.rename(one.path, to); !done.ok()) return done;
      one.path.clear();
      status done = place_.on.sync_folder(folder_of(one.root, key_.second));
      // Taken back where possible. A name that stays on a mirror harms nobody: mirrors are not asked.
      if (!done.ok() && !place_.on.remove(to).ok() && !one.mirror) place_.unproven.suspect(key_);
      return done;
    });
    if (!published.ok()) return published.error();
    place_.unproven.prove(key_);
    return put_result::created;
  }

  void discard(temp_file& one) {
    one.file.reset();
    // A leftover costs room until the next start, which removes it.
    if (!one.path.empty()) static_cast<void>(place_.on.remove(one.path));
  }

  blob_place& place_;
  blob_key key_;
  std::uint64_t size_;
  std::uint64_t written_ = 0;
  std::uint64_t begun_writeback_ = 0;  // bytes the system was told to begin with
  crypto::sha256_stream hash_;
  std::vector<temp_file> temps_;  // empty when the chunk exists already
};

class name_hold final : public blob_hold {
 public:
  name_hold(unproven_names& names, blob_key key) : names_(names), key_(std::move(key)) {
    names_.enter(key_, [] { return false; });
  }
  ~name_hold() override { names_.leave(key_); }
  name_hold(const name_hold&) = delete;
  name_hold& operator=(const name_hold&) = delete;

 private:
  unproven_names& names_;
  blob_key key_;
};

class disk_blob_store final : public blob_store {
 public:
  disk_blob_store(disk& on, const blob_options& options) : place_(on, options) {}

  // Makes, cleans and flushes one volume's folders.
  status prepare(const std::string& root) {
    if (const status made = place_.on.make_folder(root); !made.ok()) return made;
    const std::string temp = root + "/" + std::string(blob_temp_folder);
    if (const status made = place_.on.make_folder(temp); !made.ok()) return made;
    for (std::size_t first = 0; first < blob_folder_count; ++first) {
      const std::string folder = root + "/" + blob_folder_name(static_cast<std::uint8_t>(first));
      if (const status made = place_.on.make_folder(folder); !made.ok()) return made;
      // A killed process may have renamed without flushing: its names are visible, so they must be made
      // durable.
      if (const status synced = place_.on.sync_folder(folder); !synced.ok()) return synced;
    }
    if (const status synced = place_.on.sync_folder(root); !synced.ok()) return synced;
    if (const status synced = place_.on.sync_folder(parent_of(root)); !synced.ok()) return synced;
    return remove_leftovers(temp);
  }

  wire::outcome<std::unique_ptr<blob_upload>> begin(const account_id& account, const chunk_sid& sid,
                                                    std::uint64_t size) override {
    const auto stored = touch(account, sid);
    if (!stored.ok()) return refused(stored.error());
    auto upload = std::make_unique<disk_blob_upload>(place_, blob_key{account, sid}, size);
    if (!*stored) {
      if (const auto made = upload->create_temps(); !made.ok()) return made.error();
    }
    return std::unique_ptr<blob_upload>(std::move(upload));
  }

  result<bool> has(const account_id& account, const chunk_sid& sid) override {
    const auto size = size_of(account, sid);
    if (size.ok()) return true;
    if (size.error().code == errc::not_found) return false;
    return size.error();
  }

  result<std::unique_ptr<disk_file>> open(const account_id& account, const chunk_sid& sid) override {
    return place_.unproven.unless_unproven<result<std::unique_ptr<disk_file>>>(
        {account, sid}, not_stored(), [&] { return place_.on.open(path_of(place_.primary, account, sid)); });
  }

  result<std::uint64_t> size_of(const account_id& account, const chunk_sid& sid) override {
    return place_.unproven.unless_unproven<result<std::uint64_t>>({account, sid}, not_stored(), [&] {
      return place_.on.size_of(path_of(place_.primary, account, sid));
    });
  }

  result<std::vector<std::pair<account_id, std::int64_t>>> usage() override {
    std::map<account_id, std::int64_t> sums;
    for (std::size_t first = 0; first < blob_folder_count; ++first) {
      const std::string folder = place_.primary + "/" + blob_folder_name(static_cast<std::uint8_t>(first));
      const auto entries = place_.on.list(folder);
      if (!entries.ok()) return entries.error();
      for (const disk_entry& entry : *entries) {
        const auto name = parse_blob_file_name(entry.name);
        if (!name) continue;
        const auto size = place_.on.size_of(folder + "/" + entry.name);
        if (!size.ok() && size.error().code == errc::not_found) continue;  // removed meanwhile
        if (!size.ok()) return size.error();
        sums[name->first] += static_cast<std::int64_t>(*size);
      }
    }
    return std::vector<std::pair<account_id, std::int64_t>>(sums.begin(), sums.end());
  }

  result<std::vector<blob_key>> names(std::uint8_t folder) override {
    const auto entries = place_.on.list(place_.primary + "/" + blob_folder_name(folder));
    if (!entries.ok()) return entries.error();
    std::vector<blob_key> out;
    for (const disk_entry& entry : *entries)
      if (const auto name = parse_blob_file_name(entry.name)) out.push_back(*name);
    return out;
  }

  result<std::int64_t> remove_old(const account_id& account, const chunk_sid& sid,
                                  std::int64_t before_ms) override {
    const name_hold held(place_.unproven, {account, sid});
    return remove_held({account, sid}, before_ms);
  }

  std::unique_ptr<blob_hold> hold(const account_id& account, const chunk_sid& sid) override {
    return std::make_unique<name_hold>(place_.unproven, blob_key{account, sid});
  }

  status erase(const account_id& account, std::uint8_t folder) override {
    for (std::size_t i = 0; i < place_.mirrors.size(); ++i)
      if (place_.is_behind(i)) return error{errc::unavailable, "a mirror that may hold chunks is behind"};
    return from_each([&](const std::string& root) { return erase_in(root, account, folder); });
  }

  status take_back(std::size_t mirror) override {
    if (!place_.is_behind(mirror)) return {};
    if (const status ready = prepare(place_.mirrors.at(mirror)); !ready.ok()) return ready;
    place_.watch->returns(mirror);
    return {};
  }

 private:
  // Mirrors first: what is gone from the primary is gone. What one that is behind keeps is dead weight.
  template <class Act>
  status from_each(Act act) {
    for (std::size_t i = 0; i < place_.mirrors.size(); ++i) {
      if (place_.is_behind(i)) continue;
      const status done = act(place_.mirrors[i]);
      if (!done.ok() && !place_.go_on_without(i, done.error())) return done;
    }
    return act(place_.primary);
  }

  status erase_in(const std::string& root, const account_id& account, std::uint8_t folder) {
    const std::string path = root + "/" + blob_folder_name(folder);
    const auto entries = place_.on.list(path);
    if (!entries.ok()) return entries.error();
    bool changed = false;
    for (const disk_entry& entry : *entries) {
      const auto name = parse_blob_file_name(entry.name);
      if (!name || name->first != account) continue;
      const status removed = place_.on.remove(path + "/" + entry.name);
      if (!removed.ok()) return removed;
      changed = true;
    }
    return changed ? place_.on.sync_folder(path) : status{};
  }

  // True when the chunk is stored; it is young again then.
  result<bool> touch(const account_id& account, const chunk_sid& sid) {
    const status done = place_.unproven.unless_unproven<status>(
        {account, sid}, not_stored(), [&] { return place_.on.touch(path_of(place_.primary, account, sid)); });
    if (done.ok()) return true;
    if (done.error().code == errc::not_found) return false;
    return done.error();
  }

  result<std::int64_t> remove_held(const blob_key& key, std::int64_t before_ms) {
    const std::string primary = path_of(place_.primary, key.first, key.second);
    const auto modified = place_.on.modified_ms(primary);
    if (!modified.ok() && modified.error().code == errc::not_found) return std::int64_t{0};
    if (!modified.ok()) return modified.error();
    if (*modified >= before_ms) return std::int64_t{0};
    const auto size = place_.on.size_of(primary);
    if (!size.ok()) return size.error();
    const status removed = from_each([&](const std::string& root) {
      const status done = place_.on.remove(path_of(root, key.first, key.second));
      return !done.ok() && done.error().code == errc::not_found ? status{} : done;
    });
    if (!removed.ok()) return removed.error();
    // No flush of the folders: a name that comes back after a power cut names whole bytes that nobody needs.
    return static_cast<std::int64_t>(*size);
  }

  static std::string parent_of(const std::string& folder) {
    const std::size_t slash = folder.rfind('/');
    return slash == 0 ? "/" : folder.substr(0, slash);
  }

  static error not_stored() { return {errc::not_found, "the chunk is not stored"}; }

  status remove_leftovers(const std::string& temp) {
    const auto entries = place_.on.list(temp);
    if (!entries.ok()) return entries.error();
    for (const disk_entry& entry : *entries) {
      if (const status removed = place_.on.remove(temp + "/" + entry.name); !removed.ok()) return removed;
    }
    return {};
  }

  blob_place place_;
};

}  // namespace

std::unique_ptr<blob_store> view_blob_store(disk& on, const blob_options& options) {
  return std::make_unique<disk_blob_store>(on, options);
}

result<std::unique_ptr<blob_store>> open_blob_store(disk& on, const blob_options& options) {
  auto store = std::make_unique<disk_blob_store>(on, options);
  if (const status ready = store->prepare(options.folder); !ready.ok()) return ready.error();
  for (std::size_t i = 0; i < options.mirrors.size(); ++i) {
    const status ready = store->prepare(options.mirrors[i]);
    if (ready.ok() || (options.watch && options.watch->go_on_without(i, ready.error()))) continue;
    return ready.error();
  }
  return std::unique_ptr<blob_store>(std::move(store));
}

}  // namespace obsync::store
