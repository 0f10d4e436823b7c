#include "config/nearest.hpp"

#include <algorithm>
#include <vector>

namespace obsync::config {

namespace {

constexpr std::size_t longest_name = 80;

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Three rows of the usual table: the swap of two neighbours looks two rows back.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replace});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

std::string_view nearest(std::string_view text, std::span<const std::string_view> known) {
  if (text.size() > longest_name) return {};
  std::string_view best;
  std::size_t best_distance = longest_name;
  for (const std::string_view name : known) {
    const std::size_t apart = std::max(text.size(), name.size()) - std::min(text.size(), name.size());
    if (apart * 3 > name.size()) continue;
    const std::size_t distance = edit_distance(text, name);
    if (distance * 3 <= name.size() && distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace obsync::config
