#include "http/ip_address.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <cstring>

namespace obsync::http {

namespace {

constexpr std::array<std::uint8_t, 12> mapped_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};

}  // namespace

std::optional<ip_address> ip_address::parse(std::string_view text) {
  if (text.size() > INET6_ADDRSTRLEN || text.find('\0') != std::string_view::npos) return std::nullopt;
  const std::string copy(text);
  ip_address out;
  if (::inet_pton(AF_INET, copy.c_str(), out.raw_.data()) == 1) {
    out.v4_ = true;
    return out;
  }
  if (::inet_pton(AF_INET6, copy.c_str(), out.raw_.data()) != 1) return std::nullopt;
  if (std::equal(mapped_prefix.begin(), mapped_prefix.end(), out.raw_.begin())) {
    std::rotate(out.raw_.begin(), out.raw_.begin() + mapped_prefix.size(), out.raw_.end());
    std::fill(out.raw_.begin() + 4, out.raw_.end(), std::uint8_t{0});
    out.v4_ = true;
  }
  return out;
}

std::string ip_address::text() const {
  std::array<char, INET6_ADDRSTRLEN> buffer{};
  ::inet_ntop(v4_ ? AF_INET : AF_INET6, raw_.data(), buffer.data(), buffer.size());
  return buffer.data();
}

std::optional<ip_network> ip_network::make(std::string_view address, int bits) {
  const auto base = ip_address::parse(address);
  if (!base || bits < 0) return std::nullopt;
  ip_network out;
  out.base_ = *base;
  out.bits_ = bits;
  // A block written in the mapped spelling counts its bits from the start of the IPv6 address.
  const bool mapped = base->is_v4() && address.find(':') != std::string_view::npos;
  if (mapped) out.bits_ -= static_cast<int>(mapped_prefix.size()) * 8;
  if (out.bits_ < 0 || out.bits_ > (base->is_v4() ? 32 : 128)) return std::nullopt;
  return out;
}

bool ip_network::contains(const ip_address& address) const {
  if (address.is_v4() != base_.is_v4()) return false;
  const auto whole = static_cast<std::size_t>(bits_ / 8);
  if (std::memcmp(address.raw().data(), base_.raw().data(), whole) != 0) return false;
  const int rest = bits_ % 8;
  if (rest == 0) return true;
  const auto mask = static_cast<std::uint8_t>(0xFF00 >> rest);
  return (address.raw()[whole] & mask) == (base_.raw()[whole] & mask);
}

}  // namespace obsync::http
