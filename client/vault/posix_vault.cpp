#include "client/vault/posix_vault.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include <limits>

#include "client/vault/folder_scan.hpp"
#include "client/vault/folder_walk.hpp"
#include "client/vault/name_rule.hpp"
#include "client/vault/staged_part.hpp"

namespace obsync::client {

namespace {

error touched_meanwhile() {
  return {errc::unavailable, "the file was touched meanwhile"};
}

error refused_path() {
  return {errc::unsupported, "this name is never synced"};
}

status sync_folder(const place_in_folder& place) {
  if (::fsync(place.folder.get()) != 0) return last_error("sync folder");
  return {};
}

class posix_reader final : public vault_reader {
 public:
  explicit posix_reader(file_handle file) : file_(std::move(file)) {}

  result<file_mark> mark() override {
    const auto info = info_at(file_.get(), "");
    if (!info) return info.error();
    return info->mark;
  }

  result<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> out) override {
    return read_all_at(file_.get(), offset, out);
  }

 private:
  file_handle file_;
};

class posix_vault final : public vault {
 public:
  posix_vault(std::string folder, std::int64_t settle_ms, clock& time)
      : folder_(std::move(folder)), settle_ns_(settle_ms * 1'000'000), time_(time) {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    new_mode_ = 0666u & ~static_cast<unsigned>(mask);
  }

  result<root_mark> open_root() override {
    file_handle opened(::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened) return last_error("open the folder");
    const auto info = info_at(opened.get(), "");
    if (!info) return info.error();
    root_ = std::move(opened);
    return root_mark{info->mark.inode, info->mark.born_ns};
  }

  bool root_in_place() override {
    struct stat now {};
    struct stat held {};
    return ::stat(folder_.c_str(), &now) == 0 && ::fstat(root_.get(), &held) == 0 &&
           now.st_ino == held.st_ino && now.st_dev == held.st_dev;
  }

  result<scan_result> scan(const scan_scope& scope) override {
    const std::int64_t now_ns = time_.now_ms() * 1'000'000;
    // Nothing settles where no wait was asked for, not even a file of this very millisecond.
    const std::int64_t quiet_before_ns =
        settle_ns_ == 0 ? std::numeric_limits<std::int64_t>::max() : now_ns - settle_ns_;
    return scan_folder(root_.get(), scope, quiet_before_ns, now_ns + 1'000'000);
  }

  result<std::optional<file_mark>> look(const std::string& path) override {
    if (!is_synced_path(path)) return refused_path();
    const auto place = walk_to(root_.get(), path, false);
    if (!place) return absence(place.error());
    const auto info = info_at(place->folder.get(), place->name);
    if (!info) return absence(info.error());
    if (!info->is_file && !info->is_folder) return error{errc::exists, "something else has this name"};
    return std::optional(info->mark);
  }

  result<std::unique_ptr<vault_reader>> open(const std::string& path) override {
    if (!is_synced_path(path)) return refused_path();
    const auto place = walk_to(root_.get(), path, false);
    if (!place) return place.error();
    const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    file_handle file(::openat(place->folder.get(), place->name.c_str(), flags));
    if (!file) return last_error("open");
    const auto info = info_at(file.get(), "");
    if (!info) return info.error();
    if (!info->is_file) return touched_meanwhile();
    return std::unique_ptr<vault_reader>(std::make_unique<posix_reader>(std::move(file)));
  }

  result<std::unique_ptr<staged_file>> stage(const std::string& path, const std::string& key) override {
    if (!is_synced_path(path)) return refused_path();
    auto place = walk_to(root_.get(), path, true);
    if (!place) return place.error();
    place->name = staged_name(key);
    const int flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC;
    file_handle file(::openat(place->folder.get(), place->name.c_str(), flags, 0600));
    if (!file) return last_error("create");
    return std::unique_ptr<staged_file>(std::make_unique<staged_part>(std::move(*place), std::move(file)));
  }

  result<file_mark> place(staged_file& staged, const std::string& path,
                          const std::optional<file_mark>& expected, std::int64_t mtime_ms) override {
    if (!is_synced_path(path)) return refused_path();
    auto& part = static_cast<staged_part&>(staged);
    const auto to = walk_to(root_.get(), path, true);
    if (!to) return to.error();
    unsigned mode = new_mode_;
    if (expected) {
      const auto old = info_at(to->folder.get(), to->name);
      if (!old || old->mark != *expected) return touched_meanwhile();
      mode = old->mode;
    }
    if (auto sealed = part.seal(mtime_ms, mode); !sealed) return sealed.error();
    const auto before = info_at(part.descriptor(), "");
    if (!before) return before.error();
    const status placed = expected ? part.take_place_of(*to, *expected) : part.take_free_name(*to);
    if (!placed) return placed.error();
    if (auto synced = sync_folder(*to); !synced) return synced.error();
    const auto after = info_at(part.descriptor(), "");
    if (!after) return after.error();
    return before->mark.after_rename(after->mark);
  }

  status drop_staged(const std::string& staged_path) override {
    const auto slash = staged_path.rfind('/');
    const std::string name = slash == std::string::npos ? staged_path : staged_path.substr(slash + 1);
    if (!name.starts_with(staged_prefix)) return refused_path();
    const auto place = walk_to(root_.get(), staged_path, false);
    if (!place) return place.error();
    if (::unlinkat(place->folder.get(), place->name.c_str(), 0) != 0) return last_error("remove");
    return {};
  }

  result<file_mark> move(const std::string& from, const std::string& to, const file_mark& expected) override {
    if (!is_synced_path(from) || !is_synced_path(to)) return refused_path();
    const auto source = walk_to(root_.get(), from, false);
    if (!source) return source.error();
    const auto before = info_at(source->folder.get(), source->name);
    if (!before) return before.error();
    if (!before->is_file || before->mark != expected) return touched_meanwhile();
    const auto target = walk_to(root_.get(), to, true);
    if (!target) return target.error();
    if (auto renamed = rename_to_free(*source, *target); !renamed) return renamed.error();
    if (auto synced = sync_folder(*target); !synced) return synced.error();
    if (auto synced = sync_folder(*source); !synced) return synced.error();
    const auto after = info_at(target->folder.get(), target->name);
    if (!after) return after.error();
    return expected.after_rename(after->mark);
  }

  status exchange(const std::string& one, const std::string& other) override {
    if (!is_synced_path(one) || !is_synced_path(other)) return refused_path();
    const auto a = walk_to(root_.get(), one, false);
    if (!a) return a.error();
    const auto b = walk_to(root_.get(), other, false);
    if (!b) return b.error();
    if (::renameat2(a->folder.get(), a->name.c_str(), b->folder.get(), b->name.c_str(), RENAME_EXCHANGE) !=
        0) {
      return last_error("exchange");
    }
    if (auto synced = sync_folder(*a); !synced) return synced.error();
    return sync_folder(*b);
  }

  status remove(const std::string& path, const file_mark& expected) override {
    if (!is_synced_path(path)) return refused_path();
    const auto place = walk_to(root_.get(), path, false);
    if (!place) return place.error();
    const auto before = info_at(place->folder.get(), place->name);
    if (!before) return before.error();
    if (!before->is_file || before->mark != expected) return touched_meanwhile();
    if (::unlinkat(place->folder.get(), place->name.c_str(), 0) != 0) return last_error("remove");
    return sync_folder(*place);
  }

  result<file_mark> make_folder(const std::string& path) override {
    if (!is_synced_path(path)) return refused_path();
    const auto place = walk_to(root_.get(), path, true);
    if (!place) return place.error();
    if (::mkdirat(place->folder.get(), place->name.c_str(), 0777) == 0) {
      if (auto synced = sync_folder(*place); !synced) return synced.error();
    } else if (errno != EEXIST) {
      return last_error("make folder");
    }
    const auto info = info_at(place->folder.get(), place->name);
    if (!info) return info.error();
    if (!info->is_folder) return error{errc::exists, "a file has the folder's name"};
    return info->mark;
  }

  status remove_folder(const std::string& path) override {
    if (!is_synced_path(path)) return refused_path();
    const auto place = walk_to(root_.get(), path, false);
    if (!place) return place.error().code == errc::not_found ? status() : place.error();
    if (::unlinkat(place->folder.get(), place->name.c_str(), AT_REMOVEDIR) == 0) return sync_folder(*place);
    if (errno == ENOENT) return {};
    return last_error("remove folder");
  }

 private:
  static result<std::optional<file_mark>> absence(const error& why) {
    if (why.code == errc::not_found) return std::optional<file_mark>();
    return why;
  }

  std::string folder_;
  std::int64_t settle_ns_;
  clock& time_;
  unsigned new_mode_ = 0600;
  file_handle root_;
};

}  // namespace

std::unique_ptr<vault> make_posix_vault(std::string folder, std::int64_t settle_ms, clock& time) {
  return std::make_unique<posix_vault>(std::move(folder), settle_ms, time);
}

}  // namespace obsync::client
