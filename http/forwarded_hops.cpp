#include "http/forwarded_hops.hpp"

#include <algorithm>
#include <string>

#include "http/header_text.hpp"

namespace obsync::http {

namespace {

bool is_port(std::string_view text) {
  return !text.empty() && text.size() <= 5 && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// An address, an IPv4 address with a port, or a bracketed IPv6 address with or without one.
std::optional<ip_address> read_node(std::string_view text) {
  if (text.starts_with('[')) {
    const auto end = text.find(']');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view rest = text.substr(end + 1);
    if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1)))) return std::nullopt;
    const std::string_view inner = text.substr(1, end - 1);
    return inner.find(':') == std::string_view::npos ? std::nullopt : ip_address::parse(inner);
  }
  const auto colon = text.find(':');
  const bool with_port =
      colon != std::string_view::npos && text.find(':', colon + 1) == std::string_view::npos;
  if (!with_port) return ip_address::parse(text);
  return is_port(text.substr(colon + 1)) ? ip_address::parse(text.substr(0, colon)) : std::nullopt;
}

// Reads `name=value` pairs of one element after the other.
class forwarded_reader {
 public:
  explicit forwarded_reader(std::string_view text) : text_(text) {}

  hop_list read() {
    hop_list hops;
    while (skip_blank(), at_ < text_.size()) {
      if (text_[at_] == ',') {
        ++at_;
        continue;
      }
      hops.push_back(element());
      if (unclosed_) return {std::nullopt};
    }
    return hops;
  }

 private:
  void skip_blank() {
    while (at_ < text_.size() && header_blanks.find(text_[at_]) != std::string_view::npos) ++at_;
  }

  bool take(char wanted) {
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  std::string_view token() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_token_char(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // What stands between quotes, without its escapes; nothing when they never close.
  std::optional<std::string> quoted() {
    std::string out;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return out;
      if (c == '\\' && at_ == text_.size()) break;
      out.push_back(c == '\\' ? text_[at_++] : c);
    }
    unclosed_ = true;
    return std::nullopt;
  }

  std::optional<std::string> value() {
    if (take('"')) return quoted();
    const std::string_view plain = token();
    return plain.empty() ? std::nullopt : std::optional<std::string>(plain);
  }

  std::optional<ip_address> element() {
    std::optional<std::string> node;
    bool sound = true;
    do {
      skip_blank();
      if (at_ >= text_.size() || text_[at_] == ',') break;
      if (text_[at_] == ';') continue;
      const std::string_view name = token();
      auto given = name.empty() || !take('=') ? std::nullopt : value();
      if (!given) {
        sound = false;
        break;
      }
      if (!equals_no_case(name, "for")) continue;
      sound = sound && !node;
      node = std::move(given);
    } while (skip_blank(), take(';'));
    if (at_ < text_.size() && text_[at_] != ',') {
      sound = false;
      skip_element();
    }
    if (!sound || !node) return std::nullopt;
    return read_node(*node);
  }

  // To the comma that ends a broken element; commas inside quotes do not.
  void skip_element() {
    while (at_ < text_.size() && text_[at_] != ',') {
      if (text_[at_++] == '"' && !quoted()) return;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool unclosed_ = false;
};

}  // namespace

hop_list read_x_forwarded_for(std::string_view list) {
  hop_list hops;
  for (;;) {
    const auto comma = list.find(',');
    const std::string_view item = trimmed(list.substr(0, comma));
    if (!item.empty()) hops.push_back(read_node(item));
    if (comma == std::string_view::npos) return hops;
    list.remove_prefix(comma + 1);
  }
}

hop_list read_forwarded(std::string_view list) {
  return forwarded_reader(list).read();
}

}  // namespace obsync::http
