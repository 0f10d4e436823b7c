#include "tests/sim/sim_account.hpp"

#include <algorithm>

namespace obsync::test {

namespace {

constexpr std::int64_t day_ms = 86'400'000;

}  // namespace

bool sim_account::told(const version_id& id, sequence seq) {
  const auto found = versions_.find(id);
  if (found == versions_.end() || seq <= 0) return false;
  const auto [place, fresh] = by_seq_.emplace(seq, id);
  if (!fresh && place->second != id) return false;  // one number for two versions
  if (found->second.seq != 0) return found->second.seq == seq;
  found->second.seq = seq;
  return true;
}

void sim_account::stored(const chunk_sid& sid, std::int64_t sent_ms) {
  stored_ms_[sid] = sent_ms;
}

const bytes* sim_account::body_of(const chunk_sid& sid) const {
  const auto found = bodies_.find(sid);
  return found == bodies_.end() ? nullptr : &found->second;
}

std::string sim_account::story_of(const version_id& of) const {
  std::string out;
  const file_id file = versions_.at(of).file;
  for (const auto& [id, one] : versions_) {
    if (one.file != file) continue;
    out += (id == of ? "* " : "  ") + id.hex().substr(0, 8) + " seq " + std::to_string(one.seq) + " at " +
           std::to_string(one.ts_ms) + (one.deleted ? " deleted" : "") + " after";
    for (const version_id& parent : one.parents) out += " " + parent.hex().substr(0, 8);
    out += "\n";
  }
  return out;
}

std::string sim_account::story_of(const chunk_sid& sid, const std::set<version_id>& versions) const {
  const auto stored = stored_ms_.find(sid);
  std::string out =
      "  sent last at " + std::to_string(stored == stored_ms_.end() ? 0 : stored->second) + "\n";
  for (const version_id& id : versions) {
    const auto& sids = versions_.at(id).sids;
    if (std::find(sids.begin(), sids.end(), sid) != sids.end()) out += story_of(id);
  }
  return out;
}

std::set<version_id> sim_account::promised_versions(const config::retention_settings& rule,
                                                    std::int64_t now_ms) const {
  std::set<version_id> parents;
  std::map<file_id, std::vector<const sim_version*>> files;
  for (const auto& [id, one] : versions_) {
    parents.insert(one.parents.begin(), one.parents.end());
    files[one.file].push_back(&one);
  }
  std::set<version_id> out;
  for (const auto& [id, one] : versions_) {
    if (one.seq == 0 || one.pruned) continue;
    // What is still on its way may turn out newer than this one.
    const auto newer =
        std::count_if(files[one.file].begin(), files[one.file].end(),
                      [&](const sim_version* other) { return other->seq == 0 || other->seq > one.seq; });
    const bool young = one.ts_ms > now_ms - rule.days * day_ms;
    // A deletion that nothing followed goes with its whole file once it is old.
    const bool old_end = !young && one.deleted;
    const bool head = !parents.contains(id) && !old_end;
    const bool buried =
        std::any_of(files[one.file].begin(), files[one.file].end(), [&](const sim_version* other) {
          return other->deleted && other->ts_ms <= now_ms - rule.days * day_ms;
        });
    if (young || head || (newer < rule.versions && !buried && !old_end)) out.insert(id);
  }
  return out;
}

std::set<chunk_sid> sim_account::promised_chunks(const std::set<version_id>& versions, std::int64_t grace_ms,
                                                 std::int64_t now_ms) const {
  std::set<chunk_sid> out;
  for (const version_id& id : versions) {
    const sim_version& one = versions_.at(id);
    out.insert(one.sids.begin(), one.sids.end());
  }
  // Sending again what was sent lately renews nothing, so half of the grace may be over by then.
  for (const auto& [sid, at_ms] : stored_ms_)
    if (at_ms + grace_ms / 2 > now_ms) out.insert(sid);
  return out;
}

}  // namespace obsync::test
