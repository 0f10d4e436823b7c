// How the text of an option becomes a value and back. Each function answers nothing for text outside its
// grammar; what was expected instead is said once, in the option table. Printing and parsing are each other's
// inverse.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.hpp"

namespace obsync::config {

// The items between commas, without surrounding spaces. No text is no item; an empty item is kept.
std::vector<std::string> split_list(std::string_view text);

std::optional<std::int64_t> parse_count(std::string_view text);

// `127.0.0.1:8080` or `[::1]:8080`: numeric addresses only, for a name may mean something else tomorrow.
std::optional<endpoint> parse_endpoint(std::string_view text);
std::string print(const endpoint& value);

// `10.0.0.0/8, fd00::/8, 192.0.2.7`. A block of all addresses (`/0`) is refused: it would trust everybody.
std::optional<std::vector<network>> parse_networks(std::string_view text);
std::string print(const std::vector<network>& value);

// `/mnt/second, /mnt/third=usb`.
std::optional<std::vector<mirror>> parse_mirrors(std::string_view text);
std::string print(const std::vector<mirror>& value);

// `5%,2GiB`, or one of both.
std::optional<free_watermark> parse_watermark(std::string_view text);
std::string print(const free_watermark& value);

// An http or https address without user, query or fragment. A final slash is dropped. Empty stays empty.
std::optional<std::string> parse_url(std::string_view text);

// An absolute path without `.`, `..` or control characters. Final slashes are dropped.
std::optional<std::string> parse_path(std::string_view text);

// 1 to 64 characters of printable ASCII.
std::optional<std::string> parse_label(std::string_view text);

// 64 hex digits.
std::optional<server_key_bytes> parse_key(std::string_view text);

std::optional<mirror_failure> parse_mirror_failure(std::string_view text);
std::string print(mirror_failure value);
std::optional<edge_mode> parse_edge(std::string_view text);
std::string print(edge_mode value);

}  // namespace obsync::config
