// The kinds of value an option can have: a grammar with its bounds, its printed form and its description.
// Included by the option table only.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/grammar.hpp"
#include "core/duration_text.hpp"
#include "core/hex.hpp"
#include "core/size_text.hpp"

namespace obsync::config::kinds {

using std::chrono::milliseconds;

// `Min` and `Max` are inclusive.
template <std::int64_t Min, std::int64_t Max>
struct count {
  static std::optional<std::int64_t> parse(std::string_view text) {
    const auto value = parse_count(text);
    if (!value || *value < Min || *value > Max) return std::nullopt;
    return value;
  }
  static std::string print(std::int64_t value) { return std::to_string(value); }
  static std::string expected() {
    return "a whole number from " + std::to_string(Min) + " to " + std::to_string(Max);
  }
};

template <std::int64_t Min, std::int64_t Max>
struct size {
  static std::optional<std::int64_t> parse(std::string_view text) {
    const auto value = parse_size(text);
    if (!value || *value < Min || *value > Max) return std::nullopt;
    return value;
  }
  static std::string print(std::int64_t value) { return size_text(value); }
  static std::string expected() {
    return "a size from " + size_text(Min) + " to " + size_text(Max) + ", such as 64KiB or 2GiB";
  }
};

template <std::int64_t Min, std::int64_t Max>
struct rate {
  static std::optional<std::int64_t> parse(std::string_view text) {
    if (text.ends_with("/s")) text.remove_suffix(2);
    return size<Min, Max>::parse(text);
  }
  static std::string print(std::int64_t value) { return size_text(value) + "/s"; }
  static std::string expected() {
    return "a rate from " + print(Min) + " to " + print(Max) + ", such as 4MiB/s";
  }
};

struct capacity {
  using inner = size<1, (1LL << 62)>;
  static std::optional<std::optional<std::int64_t>> parse(std::string_view text) {
    if (text.empty()) return std::optional<std::int64_t>{};
    const auto value = inner::parse(text);
    if (!value) return std::nullopt;
    return std::optional<std::int64_t>{*value};
  }
  static std::string print(const std::optional<std::int64_t>& value) {
    return value ? size_text(*value) : std::string();
  }
  static std::string expected() { return "a size such as 500GiB, or nothing"; }
};

template <std::int64_t MinMs, std::int64_t MaxMs>
struct span {
  static std::optional<milliseconds> parse(std::string_view text) {
    const auto value = parse_duration(text);
    if (!value || value->count() < MinMs || value->count() > MaxMs) return std::nullopt;
    return value;
  }
  static std::string print(milliseconds value) { return duration_text(value); }
  static std::string expected() {
    return "a time from " + duration_text(milliseconds(MinMs)) + " to " + duration_text(milliseconds(MaxMs)) +
           ", with its unit: ms, s, min, h or d";
  }
};

struct address {
  static auto parse(std::string_view text) { return parse_endpoint(text); }
  static std::string print(const endpoint& value) { return config::print(value); }
  static std::string expected() {
    return "a numeric address and a port, such as 127.0.0.1:8080 or [::]:8080";
  }
};

struct networks {
  static auto parse(std::string_view text) { return parse_networks(text); }
  static std::string print(const std::vector<network>& value) { return config::print(value); }
  static std::string expected() { return "address blocks such as 10.0.0.0/8, separated by commas; never /0"; }
};

struct mirrors {
  static auto parse(std::string_view text) { return parse_mirrors(text); }
  static std::string print(const std::vector<mirror>& value) { return config::print(value); }
  static std::string expected() { return "absolute paths separated by commas, each with an optional =label"; }
};

struct watermark {
  static auto parse(std::string_view text) { return parse_watermark(text); }
  static std::string print(const free_watermark& value) { return config::print(value); }
  static std::string expected() { return "a share and a size such as 5%,2GiB, or one of both"; }
};

struct path {
  static auto parse(std::string_view text) { return parse_path(text); }
  static std::string print(const std::string& value) { return value; }
  static std::string expected() { return "an absolute path without . or .. in it"; }
};

struct path_or_nothing {
  static std::optional<std::string> parse(std::string_view text) {
    return text.empty() ? std::optional<std::string>{std::string()} : parse_path(text);
  }
  static std::string print(const std::string& value) { return value; }
  static std::string expected() { return path::expected() + ", or nothing"; }
};

struct flag {
  static std::optional<bool> parse(std::string_view text) {
    if (text == "true") return true;
    if (text == "false") return false;
    return std::nullopt;
  }
  static std::string print(bool value) { return value ? "true" : "false"; }
  static std::string expected() { return "true or false"; }
};

struct url {
  static auto parse(std::string_view text) { return parse_url(text); }
  static std::string print(const std::string& value) { return value; }
  static std::string expected() {
    return "an http:// or https:// address without user, query or fragment, or nothing";
  }
};

struct label {
  static auto parse(std::string_view text) { return parse_label(text); }
  static std::string print(const std::string& value) { return value; }
  static std::string expected() { return "1 to 64 printable characters"; }
};

struct on_mirror_failure {
  static auto parse(std::string_view text) { return parse_mirror_failure(text); }
  static std::string print(mirror_failure value) { return config::print(value); }
  static std::string expected() { return "refuse or degrade"; }
};

struct edge {
  static auto parse(std::string_view text) { return parse_edge(text); }
  static std::string print(edge_mode value) { return config::print(value); }
  static std::string expected() { return "none or cloudflare"; }
};

struct key {
  static std::optional<std::optional<server_key_bytes>> parse(std::string_view text) {
    if (text.empty()) return std::optional<server_key_bytes>{};
    const auto value = parse_key(text);
    if (!value) return std::nullopt;
    return std::optional<server_key_bytes>{*value};
  }
  static std::string print(const std::optional<server_key_bytes>& value) {
    return value ? to_hex(*value) : std::string();
  }
  static std::string expected() { return "64 lowercase hex digits, or nothing"; }
};

struct level {
  static std::optional<log::level> parse(std::string_view text) {
    log::level out{};
    if (!log::parse(text, out)) return std::nullopt;
    return out;
  }
  static std::string print(log::level value) { return std::string(log::name(value)); }
  static std::string expected() { return "error, warn, info or debug"; }
};

}  // namespace obsync::config::kinds
