#include "core/duration_text.hpp"

#include <array>
#include <charconv>
#include <cstdint>

namespace obsync {

namespace {

struct unit {
  std::string_view name;
  std::int64_t milliseconds;
};

// Largest first, so that printing takes the first that divides.
constexpr std::array<unit, 5> units{
    {{"d", 86'400'000}, {"h", 3'600'000}, {"min", 60'000}, {"s", 1'000}, {"ms", 1}}};
constexpr std::int64_t longest_ms = 36'525LL * 86'400'000;

}  // namespace

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return std::nullopt;
  std::int64_t count = 0;
  const char* end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, count);
  if (failure != std::errc{}) return std::nullopt;
  const std::string_view suffix(rest, static_cast<std::size_t>(end - rest));
  for (const unit& each : units) {
    if (suffix != each.name) continue;
    if (count > longest_ms / each.milliseconds) return std::nullopt;
    return std::chrono::milliseconds(count * each.milliseconds);
  }
  return std::nullopt;
}

std::string duration_text(std::chrono::milliseconds span) {
  const std::int64_t count = span.count();
  if (count == 0) return "0s";
  for (const unit& each : units) {
    if (count % each.milliseconds == 0) {
      return std::to_string(count / each.milliseconds) + std::string(each.name);
    }
  }
  return std::to_string(count) + "ms";
}

}  // namespace obsync
