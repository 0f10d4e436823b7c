// What one account may rely on: everything acknowledged to any of its devices, and what retention allows the
// server to forget. Judged by rules of its own, not by the server's code.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "core/ids.hpp"
#include "wire/version.hpp"

namespace obsync::test {

struct sim_version {
  file_id file;
  sequence seq = 0;  // 0: nobody was told
  std::vector<version_id> parents;
  std::vector<chunk_sid> sids;
  bool deleted = false;
  std::int64_t ts_ms = 0;  // when it was sent: it arrived then or later
  bool pruned = false;     // was seen to be gone, as it might be
};

class sim_account {
 public:
  // A version that is on its way: it may be committed from now on.
  void posting(const version_id& id, const sim_version& made) { versions_.emplace(id, made); }
  // Told by an answer or by the feed. False when that contradicts what was told before.
  bool told(const version_id& id, sequence seq);
  // Acknowledged to a request sent then.
  void stored(const chunk_sid& sid, std::int64_t sent_ms);
  void made(const chunk_sid& sid, bytes body) { bodies_.emplace(sid, std::move(body)); }
  // It was not there after a restart, so it never will be.
  void never_was(const version_id& id) { versions_.erase(id); }

  void pruned(const version_id& id) { versions_.at(id).pruned = true; }

  bool knows(const version_id& id) const { return versions_.contains(id); }
  const std::map<version_id, sim_version>& versions() const { return versions_; }
  const bytes* body_of(const chunk_sid& sid) const;
  // The file of that version, version by version, for whoever looks at a failure.
  std::string story_of(const version_id& id) const;
  // When the chunk was stored last, and which of `versions` name it.
  std::string story_of(const chunk_sid& sid, const std::set<version_id>& versions) const;

  // Of those told, what must still be there.
  std::set<version_id> promised_versions(const config::retention_settings& rule, std::int64_t now_ms) const;
  std::set<chunk_sid> promised_chunks(const std::set<version_id>& versions, std::int64_t grace_ms,
                                      std::int64_t now_ms) const;

 private:
  std::map<version_id, sim_version> versions_;
  std::map<sequence, version_id> by_seq_;
  std::map<chunk_sid, bytes> bodies_;
  std::map<chunk_sid, std::int64_t> stored_ms_;  // acknowledged last
};

}  // namespace obsync::test
