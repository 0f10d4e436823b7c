// A file that appears under its name only when it is whole: written beside as `<path>.part`, flushed, renamed
// to a name that must be free. What a killed process left beside is taken away by the next one; a part that
// is still being written is not. Blocks; one thread.
#pragma once

#include <memory>
#include <string>

#include "core/disk.hpp"
#include "core/result.hpp"

namespace obsync {

class new_file {
 public:
  // `path` is absolute, on the machine's file system. errc::exists, with a detail for a person, when it is
  // taken or another process is writing it.
  static result<std::unique_ptr<new_file>> begin(disk& on, const std::string& path);
  new_file(const new_file&) = delete;
  new_file& operator=(const new_file&) = delete;
  // Removes what was not published.
  ~new_file();

  // Mode 0600.
  disk_file& file() { return *file_; }
  // Durable under its name when it returns. errc::exists when the name was taken meanwhile.
  status publish();

 private:
  new_file(disk& on, const std::string& path) : disk_(on), path_(path), part_(path + ".part") {}

  disk& disk_;
  std::string path_;
  std::string part_;
  std::unique_ptr<file_lock> lock_;
  std::unique_ptr<disk_file> file_;
  bool made_ = false;
};

}  // namespace obsync
