// Structured log lines on standard error: `ts=<ms> level=<l> event=<e> key=value ...`. Any thread.
// What may never be written: secrets, tokens, file names, request targets.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace obsync::log {

enum class level { error, warn, info, debug };

// `error`, `warn`, `info` or `debug`.
bool parse(std::string_view text, level& out);
std::string_view name(level value);

void set_level(level least);
bool enabled(level value);

// Sends lines to `sink` instead of standard error; an empty function restores standard error. For tests.
void set_sink(std::function<void(std::string_view)> sink);

// One line, written when the object ends. Values with a space, `=`, a quote, a backslash or a control
// character are quoted.
class line {
 public:
  line(level value, std::string_view event);
  line(const line&) = delete;
  line& operator=(const line&) = delete;
  ~line();

  line& add(std::string_view key, std::string_view value);
  line& add(std::string_view key, const char* value) { return add(key, std::string_view(value)); }
  line& add(std::string_view key, std::int64_t value);

 private:
  level level_;
  std::string text_;
};

}  // namespace obsync::log
