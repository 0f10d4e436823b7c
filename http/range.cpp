#include "http/range.hpp"

#include <algorithm>
#include <charconv>

namespace obsync::http {

namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || problem != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

range_choice choose_range(const std::string* header, std::uint64_t size) {
  constexpr std::string_view unit = "bytes=";
  if (header == nullptr || !header->starts_with(unit)) return {range_kind::whole, {0, size}};
  const std::string_view spec = std::string_view(*header).substr(unit.size());
  const std::size_t dash = spec.find('-');
  if (dash == std::string_view::npos) return {range_kind::unsatisfiable, {}};
  const std::string_view from = spec.substr(0, dash);
  const std::string_view to = spec.substr(dash + 1);
  if (from.empty()) {
    const auto suffix = number(to);
    if (!suffix || *suffix == 0 || size == 0) return {range_kind::unsatisfiable, {}};
    const std::uint64_t length = std::min(*suffix, size);
    return {range_kind::part, {size - length, length}};
  }
  const auto first = number(from);
  const auto last = to.empty() ? std::optional<std::uint64_t>(size == 0 ? 0 : size - 1) : number(to);
  if (!first || !last || *first >= size || *last < *first) return {range_kind::unsatisfiable, {}};
  return {range_kind::part, {*first, std::min(*last, size - 1) - *first + 1}};
}

std::string content_range(const byte_range& range, std::uint64_t size) {
  return "bytes " + std::to_string(range.first) + "-" + std::to_string(range.first + range.length - 1) + "/" +
         std::to_string(size);
}

}  // namespace obsync::http
