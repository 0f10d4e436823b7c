// JSON too long to be held, read value after value from a part of a file: the outer brackets are walked here,
// what is between them is handed out as text for the strict parser. Knows nothing of what the values mean.
// The first failure is kept and ends everything. Blocks; one thread. Included by wire's .cpp files only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/disk.hpp"
#include "core/result.hpp"
#include "crypto/digest.hpp"

namespace obsync::wire {

class json_slices {
 public:
  // `length` bytes of `from`, which outlives this, from `begin` on.
  json_slices(disk_file& from, std::uint64_t begin, std::uint64_t length)
      : from_(from), at_(begin), left_(length) {}

  bool failed() const { return failure_.has_value(); }
  const error& failure() const { return *failure_; }
  void fail(error why) {
    if (!failure_) failure_ = std::move(why);
  }

  // Each passes over white space first. False after a failure.
  bool open(char bracket);
  // Whether the container opened last ends here, which is then passed; otherwise the comma before its next
  // item is. `first`: no item has been read yet.
  bool closes(char bracket, bool first);
  // A member's name, at most 64 plain characters, and the colon.
  std::string key();
  // One value of at most `bytes_max`, as it is written. Only its brackets and quotes were looked at.
  std::string value(std::size_t bytes_max);
  // Fails when anything but white space follows.
  void end();

  // Of everything read; after end().
  digest hash() { return hash_.finish(); }

 private:
  static constexpr int at_end = -1;
  int peek();
  int take();
  int peek_mark();  // past white space

  disk_file& from_;
  std::uint64_t at_;
  std::uint64_t left_;
  bytes buffer_;
  std::size_t next_ = 0;  // in buffer_
  std::optional<error> failure_;
  crypto::sha256_stream hash_;
};

}  // namespace obsync::wire
