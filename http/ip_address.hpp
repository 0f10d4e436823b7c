// An Internet address as one canonical value, whatever its spelling: an IPv4 address inside IPv6 is the IPv4
// address. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace obsync::http {

class ip_address {
 public:
  // Nothing for anything but a plain numeric address: no port, no brackets, no zone.
  static std::optional<ip_address> parse(std::string_view text);

  std::string text() const;
  bool is_v4() const { return v4_; }
  const std::array<std::uint8_t, 16>& raw() const { return raw_; }
  bool operator==(const ip_address&) const = default;

 private:
  bool v4_ = false;
  std::array<std::uint8_t, 16> raw_{};  // IPv4 in the first four
};

// All addresses that begin with the same `bits`.
class ip_network {
 public:
  // Nothing when `address` is none or has fewer bits.
  static std::optional<ip_network> make(std::string_view address, int bits);
  bool contains(const ip_address& address) const;

 private:
  ip_address base_;
  int bits_ = 0;
};

}  // namespace obsync::http
