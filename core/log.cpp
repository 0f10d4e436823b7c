#include "core/log.hpp"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <memory>
#include <mutex>

#include "core/clock.hpp"

namespace obsync::log {

namespace {

std::atomic<level> least_level{level::info};
std::mutex sink_mutex;
std::function<void(std::string_view)> test_sink;

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made = std::make_shared<spdlog::logger>("obsync", std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%v");
    made->set_level(spdlog::level::trace);
    return made;
  }();
  return *instance;
}

bool needs_quotes(std::string_view value) {
  if (value.empty()) return true;
  for (const char c : value) {
    const auto code = static_cast<unsigned char>(c);
    if (code <= 0x20 || code == 0x7F || c == '=' || c == '"' || c == '\\') return true;
  }
  return false;
}

void append_quoted(std::string& text, std::string_view value) {
  constexpr std::string_view digits = "0123456789abcdef";
  text.push_back('"');
  for (const char c : value) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      text.push_back('\\');
      text.push_back(c);
    } else if (code < 0x20 || code == 0x7F) {
      text += "\\x";
      text.push_back(digits[code >> 4]);
      text.push_back(digits[code & 0x0F]);
    } else {
      text.push_back(c);
    }
  }
  text.push_back('"');
}

}  // namespace

bool parse(std::string_view text, level& out) {
  for (const level candidate : {level::error, level::warn, level::info, level::debug}) {
    if (text == name(candidate)) {
      out = candidate;
      return true;
    }
  }
  return false;
}

std::string_view name(level value) {
  switch (value) {
    case level::error:
      return "error";
    case level::warn:
      return "warn";
    case level::info:
      return "info";
    case level::debug:
      return "debug";
  }
  return "unknown";
}

void set_level(level least) {
  least_level = least;
}

bool enabled(level value) {
  return value <= least_level.load(std::memory_order_relaxed);
}

void set_sink(std::function<void(std::string_view)> sink) {
  const std::lock_guard lock(sink_mutex);
  test_sink = std::move(sink);
}

line::line(level value, std::string_view event) : level_(value) {
  if (!enabled(level_)) return;
  text_.reserve(192);
  text_ = "ts=" + std::to_string(system_clock{}.now_ms());
  add("level", name(level_)).add("event", event);
}

line::~line() {
  if (text_.empty()) return;
  const std::lock_guard lock(sink_mutex);
  if (test_sink) {
    test_sink(text_);
  } else {
    logger().info(text_);
  }
}

line& line::add(std::string_view key, std::string_view value) {
  if (text_.empty()) return *this;
  text_.push_back(' ');
  text_ += key;
  text_.push_back('=');
  if (needs_quotes(value)) {
    append_quoted(text_, value);
  } else {
    text_ += value;
  }
  return *this;
}

line& line::add(std::string_view key, std::int64_t value) {
  return add(key, std::to_string(value));
}

}  // namespace obsync::log
