#include "client/home/record.hpp"

#include <array>

#include "core/hex.hpp"

namespace obsync::client {

namespace {

error corrupt(const std::string& what) {
  return {errc::corrupt, what};
}

bool needs_escape(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 || code == 0x7F || c == '%';
}

std::string escaped(std::string_view value) {
  std::string text;
  for (const char c : value) {
    if (needs_escape(c)) {
      const std::array<std::uint8_t, 1> byte{static_cast<std::uint8_t>(c)};
      text += "%" + to_hex(byte);
    } else {
      text.push_back(c);
    }
  }
  return text;
}

std::optional<std::string> unescaped(std::string_view text) {
  std::string value;
  while (!text.empty()) {
    if (text.front() != '%') {
      if (needs_escape(text.front())) return std::nullopt;
      value.push_back(text.front());
      text.remove_prefix(1);
      continue;
    }
    std::array<std::uint8_t, 1> byte{};
    if (text.size() < 3 || !from_hex(text.substr(1, 2), byte)) return std::nullopt;
    value.push_back(static_cast<char>(byte[0]));
    text.remove_prefix(3);
  }
  return value;
}

bool is_name(std::string_view name) {
  if (name.empty()) return false;
  for (const char c : name) {
    if (!(c >= 'a' && c <= 'z') && c != '_') return false;
  }
  return true;
}

// The next line without its end; nothing when the text has no complete line left.
std::optional<std::string_view> take_line(std::string_view& text) {
  const auto end = text.find('\n');
  if (end == std::string_view::npos) return std::nullopt;
  const auto line = text.substr(0, end);
  text.remove_prefix(end + 1);
  return line;
}

}  // namespace

result<std::string> record::get(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return corrupt(title_ + ": no line for " + name);
  return found->second;
}

std::optional<std::string> record::find(const std::string& name) const {
  const auto found = values_.find(name);
  if (found == values_.end()) return std::nullopt;
  return found->second;
}

std::string record::text() const {
  std::string text = title_ + "\n";
  for (const auto& [name, value] : values_) text += name + " " + escaped(value) + "\n";
  return text;
}

result<record> record::parse(std::string_view title, std::string_view text) {
  record out{std::string(title)};
  const auto first = take_line(text);
  if (!first || *first != title) return corrupt("does not begin with the line `" + out.title_ + "`");
  while (!text.empty()) {
    const auto line = take_line(text);
    if (!line) return corrupt(out.title_ + ": cut off in the middle of a line");
    const auto space = line->find(' ');
    const std::string name(line->substr(0, space));
    if (space == std::string_view::npos || !is_name(name))
      return corrupt(out.title_ + ": a line without a name");
    auto value = unescaped(line->substr(space + 1));
    if (!value) return corrupt(out.title_ + ": broken value of " + name);
    if (!out.values_.emplace(name, *std::move(value)).second)
      return corrupt(out.title_ + ": " + name + " twice");
  }
  return out;
}

}  // namespace obsync::client
