#include "config/grammar.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

#include "core/hex.hpp"
#include "core/size_text.hpp"

namespace obsync::config {

namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c <= 0x7E; });
}

// 32, 128, or 0 when the text is no address.
int address_bits(const std::string& text) {
  in6_addr out{};
  if (inet_pton(AF_INET, text.c_str(), &out) == 1) return 32;
  if (inet_pton(AF_INET6, text.c_str(), &out) == 1) return 128;
  return 0;
}

std::optional<network> parse_network(std::string_view text) {
  const std::size_t slash = text.find('/');
  network out{std::string(text.substr(0, slash)), 0};
  const int widest = address_bits(out.address);
  if (widest == 0) return std::nullopt;
  if (slash == std::string_view::npos) {
    out.bits = widest;
    return out;
  }
  const auto bits = parse_count(text.substr(slash + 1));
  if (!bits || *bits < 1 || *bits > widest) return std::nullopt;
  out.bits = static_cast<int>(*bits);
  return out;
}

std::optional<std::int64_t> parse_percent(std::string_view text) {
  if (!text.ends_with('%')) return std::nullopt;
  const auto count = parse_count(text.substr(0, text.size() - 1));
  if (!count || *count > 99) return std::nullopt;
  return count;
}

}  // namespace

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> out;
  if (trimmed(text).empty()) return out;
  for (;;) {
    const std::size_t comma = text.find(',');
    out.emplace_back(trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

std::optional<std::int64_t> parse_count(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  std::int64_t out = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, out);
  if (failure != std::errc{} || rest != end) return std::nullopt;
  return out;
}

std::optional<endpoint> parse_endpoint(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  endpoint out{std::string(host), 0};
  if (address_bits(out.host) != (bracketed ? 128 : 32)) return std::nullopt;
  const auto port = parse_count(text.substr(colon + 1));
  if (!port || *port > 65'535) return std::nullopt;
  out.port = static_cast<std::uint16_t>(*port);
  return out;
}

std::string print(const endpoint& value) {
  const bool six = value.host.find(':') != std::string::npos;
  return (six ? "[" + value.host + "]" : value.host) + ":" + std::to_string(value.port);
}

std::optional<std::vector<network>> parse_networks(std::string_view text) {
  std::vector<network> out;
  for (const std::string& item : split_list(text)) {
    auto one = parse_network(item);
    if (!one) return std::nullopt;
    out.push_back(std::move(*one));
  }
  return out;
}

std::string print(const std::vector<network>& value) {
  std::string out;
  for (const network& each : value) {
    if (!out.empty()) out += ",";
    out += each.address + "/" + std::to_string(each.bits);
  }
  return out;
}

std::optional<std::vector<mirror>> parse_mirrors(std::string_view text) {
  std::vector<mirror> out;
  for (const std::string& item : split_list(text)) {
    const std::size_t equals = item.find('=');
    const auto path = parse_path(std::string_view(item).substr(0, equals));
    if (!path) return std::nullopt;
    mirror one{*path, "mirror"};
    if (equals != std::string::npos) {
      const auto label = parse_label(std::string_view(item).substr(equals + 1));
      if (!label) return std::nullopt;
      one.label = *label;
    }
    out.push_back(std::move(one));
  }
  return out;
}

std::string print(const std::vector<mirror>& value) {
  std::string out;
  for (const mirror& each : value) {
    if (!out.empty()) out += ",";
    out += each.path;
    if (each.label != "mirror") out += "=" + each.label;
  }
  return out;
}

std::optional<free_watermark> parse_watermark(std::string_view text) {
  const auto items = split_list(text);
  if (items.empty() || items.size() > 2) return std::nullopt;
  free_watermark out{0, 0};
  bool has_percent = false;
  bool has_bytes = false;
  for (const std::string& item : items) {
    if (const auto percent = parse_percent(item); percent && !has_percent) {
      out.percent = *percent;
      has_percent = true;
    } else if (const auto bytes = parse_size(item); bytes && !has_bytes) {
      out.bytes = *bytes;
      has_bytes = true;
    } else {
      return std::nullopt;
    }
  }
  return out;
}

std::string print(const free_watermark& value) {
  return std::to_string(value.percent) + "%," + size_text(value.bytes);
}

std::optional<std::string> parse_url(std::string_view text) {
  if (text.empty()) return std::string();
  std::string_view rest = text;
  if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
  } else if (rest.starts_with("https://")) {
    rest.remove_prefix(8);
  } else {
    return std::nullopt;
  }
  if (rest.empty() || rest.front() == '/' || rest.front() == ':' || !printable(rest)) return std::nullopt;
  if (rest.find_first_of(" \"'<>\\?#@") != std::string_view::npos) return std::nullopt;
  while (text.ends_with('/')) text.remove_suffix(1);
  return std::string(text);
}

std::optional<std::string> parse_path(std::string_view text) {
  if (!text.starts_with('/')) return std::nullopt;
  const bool has_control = std::any_of(text.begin(), text.end(), [](char c) {
    const auto code = static_cast<unsigned char>(c);
    return code < 0x20 || code == 0x7F;
  });
  if (has_control) return std::nullopt;
  while (text.size() > 1 && text.ends_with('/')) text.remove_suffix(1);
  for (std::string_view rest = text.substr(1);;) {
    const std::size_t slash = rest.find('/');
    const std::string_view segment = rest.substr(0, slash);
    if (segment == "." || segment == "..") return std::nullopt;
    if (slash == std::string_view::npos) return std::string(text);
    rest.remove_prefix(slash + 1);
  }
}

std::optional<std::string> parse_label(std::string_view text) {
  if (text.empty() || text.size() > 64 || !printable(text)) return std::nullopt;
  return std::string(text);
}

std::optional<server_key_bytes> parse_key(std::string_view text) {
  server_key_bytes out{};
  if (!from_hex(text, out)) return std::nullopt;
  return out;
}

std::optional<mirror_failure> parse_mirror_failure(std::string_view text) {
  if (text == "refuse") return mirror_failure::refuse;
  if (text == "degrade") return mirror_failure::degrade;
  return std::nullopt;
}

std::string print(mirror_failure value) {
  return value == mirror_failure::degrade ? "degrade" : "refuse";
}

std::optional<edge_mode> parse_edge(std::string_view text) {
  if (text == "none") return edge_mode::none;
  if (text == "cloudflare") return edge_mode::cloudflare;
  return std::nullopt;
}

std::string print(edge_mode value) {
  return value == edge_mode::cloudflare ? "cloudflare" : "none";
}

}  // namespace obsync::config
