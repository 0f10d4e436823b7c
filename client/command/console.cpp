#include "client/command/console.hpp"

#include <cstdlib>
#include <fstream>

namespace obsync::client {

namespace {

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

}  // namespace

void console::clear_flash() {
  if (flashed_) out_ << "\r\x1b[K";
  flashed_ = false;
}

void console::say(const std::string& line) {
  const std::lock_guard lock(mutex_);
  clear_flash();
  out_ << line << '\n' << std::flush;
}

void console::complain(const std::string& line) {
  const std::lock_guard lock(mutex_);
  clear_flash();
  out_ << std::flush;
  err_ << "obsync: " << line << '\n' << std::flush;
}

void console::flash(const std::string& line) {
  if (!out_is_terminal) return;
  const std::lock_guard lock(mutex_);
  clear_flash();
  if (line.empty()) {
    out_ << std::flush;
    return;
  }
  out_ << line << std::flush;
  flashed_ = true;
}

void console::ask(const std::string& question) {
  const std::lock_guard lock(mutex_);
  clear_flash();
  out_ << question << std::flush;
}

std::optional<std::string> console::read_line() {
  std::string line;
  if (!std::getline(in_, line)) return std::nullopt;
  return trimmed(line);
}

bool console::confirm(const std::string& question) {
  ask(question + " [y/N] ");
  const auto line = read_line();
  return line && (line->starts_with('y') || line->starts_with('Y'));
}

result<std::string> read_secret(const secret_source& from, const char* option, const char* variable,
                                console& io) {
  std::optional<std::string> text;
  if (from.file) {
    std::ifstream file(*from.file);
    std::string line;
    if (!file || !std::getline(file, line)) return error{errc::not_found, "cannot read " + *from.file};
    text = trimmed(line);
  } else if (from.given && *from.given == "-") {
    text = io.read_line();
  } else if (from.given) {
    text = trimmed(*from.given);
  } else if (const char* set = std::getenv(variable)) {
    text = trimmed(set);
  }
  if (!text || text->empty()) {
    return error{errc::invalid, std::string("no ") + option + ": give --" + option + ", --" + option +
                                    "-file or the environment variable " + variable};
  }
  return *text;
}

}  // namespace obsync::client
