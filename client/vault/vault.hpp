// The synced folder as the client touches it: every path is relative, checked, and walked from the folder's
// own descriptor without following links, so nothing outside is ever read or written. Blocking; open_root,
// scan and the structural verbs from one thread, readers and staged files from several at once.
//
// Errors: denied (permissions), no_space, exists (the name is taken), unavailable (not what was expected:
// somebody touched it meanwhile), unsupported (a name this disk cannot hold), not_found, io_failed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "client/engine/views.hpp"
#include "core/bytes.hpp"
#include "core/result.hpp"

namespace obsync::client {

// Which folder is synced. Device numbers change from mount to mount, so they are not part of it.
struct root_mark {
  std::uint64_t inode = 0;
  std::int64_t born_ns = 0;
};

// A file open for reading. Its mark tells whether it held still.
class vault_reader {
 public:
  virtual ~vault_reader() = default;
  // The mark now, of the open file.
  virtual result<file_mark> mark() = 0;
  virtual result<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> out) = 0;
};

// A hidden file that becomes a real one only when it is whole. Left behind by a crash, it is found again.
class staged_file {
 public:
  virtual ~staged_file() = default;
  virtual result<std::uint64_t> size() = 0;
  virtual result<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> out) = 0;
  virtual status write_at(std::uint64_t offset, byte_view data) = 0;
  virtual status truncate(std::uint64_t size) = 0;
};

using scan_scope = std::optional<std::set<std::string, std::less<>>>;

struct scan_result {
  local_view view;
  std::vector<std::string> staged;  // paths of staged files found
};

class vault {
 public:
  virtual ~vault() = default;

  // Opens the folder anew; everything until the next call happens in what was opened, whatever is mounted
  // over it meanwhile. not_found when there is no folder.
  virtual result<root_mark> open_root() = 0;
  // Whether the folder's path still leads to what is open.
  virtual bool root_in_place() = 0;

  // Files and folders as they are; contents are not computed. Names that are never synced are passed over.
  virtual result<scan_result> scan(const scan_scope& scope) = 0;
  // The mark of a regular file or a folder; nothing when the name is free; exists for anything else.
  virtual result<std::optional<file_mark>> look(const std::string& path) = 0;
  virtual result<std::unique_ptr<vault_reader>> open(const std::string& path) = 0;

  // A staged file for `path`, found again under the same `key`. Makes the folders above.
  virtual result<std::unique_ptr<staged_file>> stage(const std::string& path, const std::string& key) = 0;
  // Flushes and gives the staged file its name. With `expected` it replaces exactly that file, else the name
  // must be free. On failure the staged file stays, and so does what was there.
  virtual result<file_mark> place(staged_file& staged, const std::string& path,
                                  const std::optional<file_mark>& expected, std::int64_t mtime_ms) = 0;
  virtual status drop_staged(const std::string& staged_path) = 0;

  // Renames exactly the expected file to a free name, making the folders above it.
  virtual result<file_mark> move(const std::string& from, const std::string& to,
                                 const file_mark& expected) = 0;
  // Swaps two files in one step.
  virtual status exchange(const std::string& one, const std::string& other) = 0;
  virtual status remove(const std::string& path, const file_mark& expected) = 0;
  // Success when it exists already.
  virtual result<file_mark> make_folder(const std::string& path) = 0;
  // exists when it is not empty; success when it is not there.
  virtual status remove_folder(const std::string& path) = 0;
};

}  // namespace obsync::client
