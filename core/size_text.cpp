#include "core/size_text.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <limits>

namespace obsync {

namespace {

struct unit {
  std::string_view name;
  int shift;
};

// Largest first, so that printing takes the first that divides.
constexpr std::array<unit, 4> units{{{"Ti", 40}, {"Gi", 30}, {"Mi", 20}, {"Ki", 10}}};

std::optional<int> shift_of(std::string_view suffix) {
  if (suffix.empty() || suffix == "B") return 0;
  for (const unit& each : units) {
    if (suffix == each.name) return each.shift;
    if (suffix.size() == 3 && suffix.starts_with(each.name) && suffix[2] == 'B') return each.shift;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> parse_size(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  std::int64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, count);
  if (failure != std::errc{}) return std::nullopt;
  const auto shift = shift_of({rest, static_cast<std::size_t>(end - rest)});
  if (!shift || count > (std::numeric_limits<std::int64_t>::max() >> *shift)) return std::nullopt;
  return count << *shift;
}

std::string size_text(std::int64_t bytes) {
  for (const unit& each : units) {
    const std::int64_t whole = std::int64_t{1} << each.shift;
    if (bytes >= whole && bytes % whole == 0) {
      return std::to_string(bytes / whole) + std::string(each.name) + "B";
    }
  }
  return std::to_string(bytes);
}

std::string rounded_size_text(std::int64_t bytes) {
  constexpr std::array names{"B", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < names.size()) {
    value /= 1024;
    ++unit;
  }
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), unit == 0 ? "%.0f %s" : "%.1f %s", value, names[unit]);
  return text.data();
}

}  // namespace obsync
