#include "actors/garbage_search.hpp"

#include <algorithm>
#include <set>

namespace obsync::actors {

namespace {

constexpr int blob_folders = 256;
constexpr int folders_max = 32;  // in one step
// Versions that were pruned still count in a head, and a file's chunks are more than one: both make the
// filter larger than it need be or smaller than it should, which costs memory or leaves garbage for later.
constexpr std::uint64_t references_per_version = 2;

}  // namespace

status garbage_search::begin(random_source& random) {
  const auto progress = catalog_.progress();
  if (!progress) return progress.error();
  accounts_.clear();
  marked_.clear();
  std::uint64_t versions = 0;
  for (const store::prune_progress& one : *progress) {
    accounts_.push_back(one.account);
    versions += static_cast<std::uint64_t>(one.head);
  }
  marks_.emplace(versions * references_per_version, random);
  at_ = 0;
  after_.reset();
  folder_ = 0;
  looked_at_ = 0;
  return {};
}

result<bool> garbage_search::mark(std::int64_t versions_max) {
  if (at_ < accounts_.size()) {
    bool finished = false;
    if (const status done = mark_slice(accounts_[at_], versions_max, finished); !done) return done.error();
    if (finished) ++at_;
  }
  if (at_ < accounts_.size()) return false;
  at_ = 0;
  return true;
}

status garbage_search::mark_latest(std::int64_t versions_max) {
  const auto progress = catalog_.progress();
  if (!progress) return progress.error();
  for (const store::prune_progress& one : *progress) {
    bool finished = marked_[one.account] >= one.head;
    while (!finished)
      if (const status done = mark_slice(one.account, versions_max, finished); !done) return done;
  }
  return {};
}

status garbage_search::mark_slice(const account_id& account, std::int64_t versions_max, bool& finished) {
  sequence& upto = marked_[account];
  const auto slice = catalog_.references(account, upto, versions_max);
  if (!slice) return slice.error();
  for (const std::vector<chunk_sid>& named : slice->sids)
    for (const chunk_sid& sid : named) marks_->add(account, sid);
  upto = slice->upto;
  finished = slice->finished;
  return {};
}

result<std::optional<garbage_search::found>> garbage_search::next(std::int64_t names_max) {
  if (at_ >= accounts_.size() && folder_ >= blob_folders) return std::optional<found>();
  auto out = at_ < accounts_.size() ? next_small(accounts_[at_], names_max) : next_folders(names_max);
  if (!out) return out.error();
  return std::optional<found>(std::move(*out));
}

result<garbage_search::found> garbage_search::next_small(const account_id& account, std::int64_t names_max) {
  const auto names = small_.names(account, after_, names_max);
  if (!names) return names.error();
  found out{true};
  for (const chunk_sid& sid : *names)
    if (!marks_->may_have(account, sid)) out.unnamed.emplace_back(account, sid);
  looked_at_ += static_cast<std::int64_t>(names->size());
  if (static_cast<std::int64_t>(names->size()) < names_max) {
    ++at_;
    after_.reset();
  } else {
    after_ = names->back();
  }
  return out;
}

result<garbage_search::found> garbage_search::next_folders(std::int64_t names_max) {
  // Of an account that is gone altogether, or that came after the marking, others take care.
  const std::set<account_id> known(accounts_.begin(), accounts_.end());
  found out;
  std::int64_t seen = 0;
  for (int count = 0; count < folders_max && folder_ < blob_folders && seen < names_max; ++count, ++folder_) {
    const auto names = blobs_.names(static_cast<std::uint8_t>(folder_));
    if (!names) return names.error();
    for (const chunk& one : *names)
      if (known.contains(one.first) && !marks_->may_have(one.first, one.second)) out.unnamed.push_back(one);
    seen += static_cast<std::int64_t>(names->size());
  }
  looked_at_ += seen;
  return out;
}

std::vector<garbage_search::chunk> garbage_search::still_unnamed(const std::vector<chunk>& chunks) const {
  std::vector<chunk> out;
  std::copy_if(chunks.begin(), chunks.end(), std::back_inserter(out),
               [this](const chunk& one) { return !marks_->may_have(one.first, one.second); });
  return out;
}

}  // namespace obsync::actors
