#include "client/watch/folder_watcher.hpp"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <filesystem>

#include "client/home/folder_path.hpp"

namespace obsync::client {

namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t wanted_events = IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO |
                                        IN_DELETE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR |
                                        IN_DONT_FOLLOW | IN_EXCL_UNLINK;
// A lazily unmounted folder sends no event: look now and then whether the path still means the same folder.
constexpr std::int64_t root_check_ms = 5'000;

std::int64_t steady_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::string join(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

bool is_hidden(std::string_view name) {
  return name.starts_with('.');
}

}  // namespace

folder_watcher::folder_watcher(std::string folder, int descriptor, const settle_limits& limits)
    : folder_(std::move(folder)), descriptor_(descriptor), queue_(limits) {}

folder_watcher::~folder_watcher() {
  ::close(descriptor_);
}

result<std::unique_ptr<folder_watcher>> folder_watcher::open(const std::string& folder,
                                                             const settle_limits& limits) {
  const auto root = identify_folder(folder);
  if (!root) return root.error();
  const int descriptor = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (descriptor < 0) {
    return error{errc::overloaded, std::string("cannot watch for changes: ") + std::strerror(errno)};
  }
  auto watcher = std::unique_ptr<folder_watcher>(new folder_watcher(folder, descriptor, limits));
  watcher->root_ = *root;
  folder_changes ignored;
  watcher->watch_tree("", false, ignored);
  return watcher;
}

// Watches a folder and everything below it. The watch comes before the listing, so that whatever appears in
// between is seen by one or the other.
void folder_watcher::watch_tree(const std::string& path, bool report, folder_changes& out) {
  const int watch = ::inotify_add_watch(descriptor_, absolute(path).c_str(), wanted_events);
  if (watch >= 0) {
    // The kernel knows folders, not paths: one that moved unseen keeps its number under its new name.
    if (const auto known = path_of_.find(watch); known != path_of_.end()) watch_of_.erase(known->second);
    path_of_[watch] = path;
    watch_of_[path] = watch;
  } else if (errno == ENOSPC || errno == ENOMEM) {
    complete_ = false;
  } else {
    return;  // gone again, or not ours to read: the scan names it
  }
  std::error_code failed;
  for (fs::directory_iterator item(absolute(path), failed), end; !failed && item != end;
       item.increment(failed)) {
    const std::string name = item->path().filename().string();
    if (is_hidden(name)) continue;
    std::error_code unreadable;
    const fs::file_status kind = item->symlink_status(unreadable);
    const std::string child = join(path, name);
    if (report) queue_.finished(child, steady_ms());
    if (fs::is_directory(kind)) watch_tree(child, report, out);
  }
}

void folder_watcher::forget_tree(const std::string& path) {
  const std::string inside = path + "/";
  for (auto item = watch_of_.lower_bound(path); item != watch_of_.end() && item->first.starts_with(path);) {
    if (item->first == path || item->first.starts_with(inside)) {
      ::inotify_rm_watch(descriptor_, item->second);
      path_of_.erase(item->second);
      item = watch_of_.erase(item);
    } else {
      ++item;
    }
  }
}

folder_changes folder_watcher::wait(std::int64_t timeout_ms, wake_signal& wake) {
  const std::int64_t until = steady_ms() + timeout_ms;
  folder_changes out;
  for (;;) {
    const std::int64_t now = steady_ms();
    out.paths.merge(queue_.take(now));
    if (!root_is_the_same()) out.root_gone = true;
    if (out.root_gone || out.look_at_all || !out.paths.empty() || now >= until) return out;

    std::int64_t pause = std::min(until - now, root_check_ms);
    if (const auto next = queue_.next_ms()) pause = std::min(pause, std::max<std::int64_t>(*next - now, 0));
    std::array<pollfd, 2> waiting{pollfd{descriptor_, POLLIN, 0}, pollfd{wake.descriptor(), POLLIN, 0}};
    ::poll(waiting.data(), waiting.size(), static_cast<int>(std::min<std::int64_t>(pause, INT_MAX)));
    if (waiting[0].revents != 0) read_events(out);
    if (waiting[1].revents != 0) {
      wake.lower();
      out.paths.merge(queue_.take(steady_ms()));
      return out;
    }
  }
}

void folder_watcher::read_events(folder_changes& out) {
  alignas(inotify_event) std::array<char, 64u << 10> buffer;
  for (;;) {
    const ssize_t got = ::read(descriptor_, buffer.data(), buffer.size());
    if (got <= 0) return;
    for (std::size_t at = 0; at < static_cast<std::size_t>(got);) {
      inotify_event event{};
      std::memcpy(&event, buffer.data() + at, sizeof event);
      const char* name = buffer.data() + at + sizeof event;
      on_event(event.wd, event.mask, event.len == 0 ? std::string() : std::string(name), out);
      at += sizeof event + event.len;
    }
  }
}

void folder_watcher::on_event(int watch, std::uint32_t mask, const std::string& name, folder_changes& out) {
  if ((mask & IN_Q_OVERFLOW) != 0) {
    out.look_at_all = true;
    watch_tree("", false, out);  // folders may have come unseen; known watches are simply renewed
    return;
  }
  const auto found = path_of_.find(watch);
  if (found == path_of_.end()) return;
  const std::string folder = found->second;
  if ((mask & IN_IGNORED) != 0) {
    watch_of_.erase(folder);
    path_of_.erase(found);
    return;
  }
  if ((mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)) != 0) {
    if (folder.empty()) out.root_gone = true;
    return;
  }
  if (name.empty() || is_hidden(name)) return;

  const std::string path = join(folder, name);
  const std::int64_t now = steady_ms();
  if ((mask & IN_ISDIR) != 0) {
    if ((mask & (IN_DELETE | IN_MOVED_FROM)) != 0) forget_tree(path);
    if ((mask & (IN_CREATE | IN_MOVED_TO)) != 0) watch_tree(path, true, out);
    queue_.finished(path, now);
  } else if ((mask & (IN_CREATE | IN_MODIFY)) != 0) {
    queue_.writing(path, now);
  } else if ((mask & IN_ATTRIB) != 0) {
    queue_.touched(path, now);
  } else {
    queue_.finished(path, now);
  }
}

bool folder_watcher::root_is_the_same() const {
  const auto present = identify_folder(folder_);
  return present.ok() && *present == root_;
}

}  // namespace obsync::client
