#include "store/retention.hpp"

#include <algorithm>

namespace obsync::store {

namespace {

// The only head, when it says that the file is gone, and has said so for long.
const kept_version* old_tombstone(std::span<const kept_version> versions, std::int64_t cutoff_ms) {
  const auto heads =
      std::count_if(versions.begin(), versions.end(), [](const auto& one) { return one.is_head; });
  if (heads != 1) return nullptr;
  const auto head =
      std::find_if(versions.begin(), versions.end(), [](const auto& one) { return one.is_head; });
  return head->deleted && head->ts_ms < cutoff_ms ? &*head : nullptr;
}

}  // namespace

retention_verdict judge(std::span<const kept_version> newest_first, const retention_rule& rule,
                        std::int64_t now_ms, std::int64_t heard_ms) {
  const std::int64_t cutoff_ms = rule.cutoff_ms(now_ms);
  retention_verdict out;
  if (const kept_version* tombstone = old_tombstone(newest_first, cutoff_ms)) {
    out.whole_file = tombstone->ts_ms < heard_ms;
    out.waits = !out.whole_file;
  }
  for (std::size_t at = 0; at < newest_first.size(); ++at) {
    const kept_version& one = newest_first[at];
    const bool promised = one.ts_ms >= cutoff_ms || static_cast<std::int64_t>(at) < rule.versions;
    const bool stays = one.is_head || (promised && !out.waits);
    if (out.whole_file || !stays) out.versions.push_back(one.seq);
  }
  std::reverse(out.versions.begin(), out.versions.end());
  return out;
}

}  // namespace obsync::store
