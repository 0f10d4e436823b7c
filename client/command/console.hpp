// Where a command reads and writes. Streams, so that a test can be at the other end.
#pragma once

#include <istream>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>

#include "client/command/arguments.hpp"
#include "core/result.hpp"

namespace obsync::client {

// Whole lines from any thread; the rest belongs to the command's thread.
class console {
 public:
  struct streams {
    std::istream& in;
    std::ostream& out;
    std::ostream& err;
  };
  console(streams to, bool writes_to_terminal, bool reads_from_terminal)
      : out_is_terminal(writes_to_terminal),
        in_is_terminal(reads_from_terminal),
        in_(to.in),
        out_(to.out),
        err_(to.err) {}

  const bool out_is_terminal;
  const bool in_is_terminal;

  void say(const std::string& line);
  void complain(const std::string& line);
  // A line that the next one overwrites; only on a terminal. An empty one clears it.
  void flash(const std::string& line);
  // Text without a line end, for questions.
  void ask(const std::string& question);
  std::optional<std::string> read_line();
  // True for a line that begins with y or Y.
  bool confirm(const std::string& question);

 private:
  void clear_flash();

  std::istream& in_;
  std::ostream& out_;
  std::ostream& err_;
  std::mutex mutex_;
  bool flashed_ = false;
};

// The secret from where the arguments or the environment variable `variable` say; errc::invalid when nowhere.
result<std::string> read_secret(const secret_source& from, const char* option, const char* variable,
                                console& io);

}  // namespace obsync::client
