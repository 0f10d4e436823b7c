// What changes under a folder, as the kernel tells it (inotify), gathered until it has come to rest.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "client/home/binding.hpp"
#include "client/watch/settle_queue.hpp"
#include "client/watch/wake_signal.hpp"
#include "core/result.hpp"

namespace obsync::client {

struct folder_changes {
  std::set<std::string> paths;  // relative to the folder
  bool look_at_all = false;     // changes were lost: only a scan tells
  bool root_gone = false;       // the folder is not there any more, or is another one
};

// Belongs to one thread. Hidden names are not watched: the vault never holds them, and our own half-written
// files are hidden. Links are not followed.
class folder_watcher {
 public:
  // errc::not_found when the folder is missing.
  static result<std::unique_ptr<folder_watcher>> open(const std::string& folder, const settle_limits& limits);
  folder_watcher(const folder_watcher&) = delete;
  folder_watcher& operator=(const folder_watcher&) = delete;
  ~folder_watcher();

  // Waits for changes at rest, for `wake`, or for the time to be over, whatever is first.
  folder_changes wait(std::int64_t timeout_ms, wake_signal& wake);

  // False when the kernel had no watch left for some folder: changes there are only found by scans.
  bool complete() const { return complete_; }
  const folder_identity& root() const { return root_; }

 private:
  folder_watcher(std::string folder, int descriptor, const settle_limits& limits);

  void watch_tree(const std::string& path, bool report, folder_changes& out);
  void forget_tree(const std::string& path);
  void read_events(folder_changes& out);
  void on_event(int watch, std::uint32_t mask, const std::string& name, folder_changes& out);
  bool root_is_the_same() const;
  std::string absolute(const std::string& path) const {
    return path.empty() ? folder_ : folder_ + "/" + path;
  }

  const std::string folder_;
  const int descriptor_;
  folder_identity root_;
  settle_queue queue_;
  bool complete_ = true;
  std::map<int, std::string> path_of_;  // watch descriptor to relative path; the folder itself is ""
  std::map<std::string, int> watch_of_;
};

}  // namespace obsync::client
