// A synced folder in memory, for thousands of rounds without a disk. It is kept between runs of a client like
// a disk would be: the memory_folder is the disk, a memory_vault one process's view of it.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "client/vault/vault.hpp"

namespace obsync::client::testing {

class memory_folder {
 public:
  struct node {
    bool is_folder = false;
    bytes data;
    file_mark mark;
  };

  // What a person does. Parents are made and kept as folders.
  void write(const std::string& path, std::string_view text);
  // A file or a folder with all in it, to a free name.
  void rename(const std::string& from, const std::string& to);
  void remove(const std::string& path);
  void make_folder(const std::string& path);

  // Files by path, hidden ones left out.
  std::map<std::string, std::string> texts() const;
  std::vector<std::string> folders() const;

  std::map<std::string, node> nodes;
  std::uint64_t next_inode = 1;
  std::int64_t now_ns = 1'600'000'000'000'000'000;
  mutable std::recursive_mutex mutex;

  file_mark fresh_mark(std::int64_t size);
  void make_parents(const std::string& path);
};

// `before` is asked ahead of each call that changes the folder; an error it returns is the outcome.
std::unique_ptr<vault> make_memory_vault(
    memory_folder& folder, std::function<std::optional<error>(const std::string& call)> before = {});

}  // namespace obsync::client::testing
