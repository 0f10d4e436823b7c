#include "actors/scrub_walk.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <sstream>

namespace obsync::actors {

namespace {

constexpr std::array<std::string_view, 3> words{"small", "file", "reference"};
constexpr std::size_t folders = 256;
constexpr std::int64_t names_max = 256;
constexpr std::int64_t versions_max = 64;

}  // namespace

status scrub_walk::begin(const std::optional<std::string>& place) {
  const auto progress = catalog_.progress();
  if (!progress) return progress.error();
  accounts_.clear();
  for (const store::prune_progress& one : *progress) accounts_.push_back(one.account);
  what_ = kind::small;
  behind_ = 0;
  over_ = false;
  after_.reset();
  upto_ = 0;
  page_.clear();
  if (!place) return {};
  std::istringstream text(*place);
  std::string word;
  std::size_t behind = 0;
  if (!(text >> word >> behind)) return {};
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) return {};
  what_ = static_cast<kind>(found - words.begin());
  behind_ = behind;
  return {};
}

std::string scrub_walk::place() const {
  return std::string(words[static_cast<std::size_t>(what_)]) + " " + std::to_string(behind_);
}

result<std::optional<scrub_walk::item>> scrub_walk::next() {
  while (page_.empty() && !over_)
    if (const status done = load(); !done) return done.error();
  if (page_.empty()) return std::optional<item>();
  const item out = page_.front();
  page_.pop_front();
  return std::optional(out);
}

// False when `behind_` is beyond the last of so many; the next kind has begun then.
bool scrub_walk::step_over(std::size_t count) {
  if (behind_ < count) return true;
  behind_ = 0;
  if (what_ == kind::reference) {
    over_ = true;
  } else {
    what_ = what_ == kind::small ? kind::file : kind::reference;
  }
  return false;
}

status scrub_walk::load() {
  switch (what_) {
    case kind::small:
      return step_over(accounts_.size()) ? load_small(accounts_[behind_]) : status{};
    case kind::file:
      return step_over(folders) ? load_folder() : status{};
    case kind::reference:
      return step_over(accounts_.size()) ? load_references(accounts_[behind_]) : status{};
  }
  return {};
}

status scrub_walk::load_small(const account_id& account) {
  const auto names = small_.names(account, after_, names_max);
  if (!names) return names.error();
  for (const chunk_sid& sid : *names) page_.push_back({kind::small, account, sid});
  if (static_cast<std::int64_t>(names->size()) < names_max) {
    after_.reset();
    ++behind_;
  } else {
    after_ = names->back();
  }
  return {};
}

status scrub_walk::load_folder() {
  auto names = blobs_.names(static_cast<std::uint8_t>(behind_));
  if (!names) return names.error();
  std::sort(names->begin(), names->end(),
            [](const auto& one, const auto& other) { return one.second < other.second; });
  for (const auto& [account, sid] : *names) page_.push_back({kind::file, account, sid});
  ++behind_;
  return {};
}

status scrub_walk::load_references(const account_id& account) {
  const auto slice = catalog_.references(account, upto_, versions_max);
  if (!slice) return slice.error();
  std::set<chunk_sid> named;
  for (const std::vector<chunk_sid>& sids : slice->sids) named.insert(sids.begin(), sids.end());
  for (const chunk_sid& sid : named) page_.push_back({kind::reference, account, sid});
  upto_ = slice->finished ? 0 : slice->upto;
  if (slice->finished) ++behind_;
  return {};
}

}  // namespace obsync::actors
