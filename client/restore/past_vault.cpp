#include "client/restore/past_vault.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>

#include "client/engine/merge.hpp"
#include "client/format/conflict_name.hpp"
#include "client/format/domain_map_record.hpp"
#include "client/sync/head_reader.hpp"

namespace obsync::client {

namespace {

// A vault has one domain, or a few. Keys are kept for each, so a source must not make up thousands.
constexpr std::size_t domains_max = 64;
constexpr std::size_t shown_id_digits = 8;

bool contains(const std::vector<version_id>& all, const version_id& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

// Of a file whose name is not known.
std::string label_of(const file_id& file) {
  return "file " + file.hex().substr(0, shown_id_digits);
}

// A version chosen, before it has its final name.
struct candidate {
  file_id id;
  std::string path;
  pending_head from;
  const domain_keys* keys;
  bool is_copy = false;  // the losing side of a conflict
};

// Gives everything a name of its own.
class naming_run {
 public:
  naming_run(std::vector<candidate>& all, past_vault& out,
             const std::function<std::string(const device_id&)>& name_of)
      : all_(all), out_(out), name_of_(name_of) {}

  void run() {
    for (const std::string& folder : out_.folders) claim_folder(folder);
    for (const candidate& one : all_) claim_folder(std::string(parent_of(one.path)));
    // The winning side first, then by identity: who keeps a name does not depend on who asks.
    std::stable_sort(all_.begin(), all_.end(), [](const candidate& a, const candidate& b) {
      return std::tie(a.is_copy, a.path, a.id) < std::tie(b.is_copy, b.path, b.id);
    });
    for (candidate& one : all_) place(one);
    std::sort(out_.files.begin(), out_.files.end(),
              [](const past_file& a, const past_file& b) { return a.path < b.path; });
  }

 private:
  void claim_folder(std::string path) {
    for (; !path.empty() && folders_.insert(path).second; path = std::string(parent_of(path))) {
    }
  }

  bool is_free(const std::string& path) const { return !files_.contains(path) && !folders_.contains(path); }

  void place(candidate& one) {
    // Two devices that made the same file made it once.
    const auto same = contents_.find(one.path);
    if (same != contents_.end() && same->second == one.from.head.content) return;
    std::string path = one.path;
    if (one.is_copy || !is_free(path)) {
      ++out_.conflicts;
      const remote_head& head = one.from.head;
      const conflict_mark mark{name_of_(head.author), head.ts_ms > 0 ? head.ts_ms : head.mtime_ms, {}};
      int number = 1;
      do path = conflict_path(one.path, mark, number++);
      while (!is_free(path));
    }
    files_.insert(path);
    contents_.emplace(path, one.from.head.content);
    out_.files.push_back(
        {path, one.from.head.size, one.from.head.mtime_ms, std::move(one.from.listed.chunks), one.keys});
  }

  std::vector<candidate>& all_;
  past_vault& out_;
  const std::function<std::string(const device_id&)>& name_of_;
  std::unordered_set<std::string> files_;
  std::unordered_set<std::string> folders_;
  std::map<std::string, content_id> contents_;  // by final path
};

// The living heads of one file: the one every device would choose, and copies of those that differ from it.
void choose(const file_id& id, std::vector<pending_head>& heads, const domain_keys& keys,
            std::vector<candidate>& files, std::vector<std::string>& folders) {
  std::erase_if(heads, [](const pending_head& one) { return one.head.deleted; });
  remote_file all{id, {}};
  for (const pending_head& one : heads) all.heads.push_back(one.head);
  const remote_head* const winner = winning_head(all);
  if (winner == nullptr) return;
  if (winner->kind == item_kind::folder) return folders.push_back(winner->path);
  std::set<content_id> kept{winner->content};
  for (pending_head& one : heads) {
    const bool wins = one.head.id == winner->id;
    if (one.head.kind != item_kind::file || (!wins && !kept.insert(one.head.content).second)) continue;
    const std::string path = wins ? one.head.path : winner->path;
    files.push_back({id, path, std::move(one), &keys, !wins});
  }
}

}  // namespace

history_reader::history_reader(const vault_keys& keys, std::optional<std::int64_t> at_ms)
    : keys_(keys), at_ms_(at_ms), map_(place_of_domain_map(keys).file) {}

void history_reader::take(const wire::change& change) {
  if (change.file == map_) return;
  const wire::version_record& version = change.version;
  const auto [place, is_new] = files_.try_emplace(change.file);
  file_history& file = place->second;
  if (is_new) file.domain = change.domain;
  if (at_ms_ && version.ts_ms > *at_ms_) {
    if (is_new) {
      file.begins_late = true;
      file.is_cut = !version.parents.empty();
      if (file.is_cut) file.oldest = version;
    }
    return;
  }
  file.begins_late = false;
  file.oldest = {};
  std::erase_if(file.heads, [&](const wire::version_record& head) {
    return contains(version.parents, head.id) || (!at_ms_ && !contains(change.heads, head.id));
  });
  if (at_ms_ || contains(change.heads, version.id)) file.heads.push_back(version);
}

past_vault history_reader::finish(const std::function<std::string(const device_id&)>& name_of) {
  past_vault out;
  std::vector<candidate> files;
  std::set<domain_id> domains;
  for (auto& [id, file] : files_) {
    domains.insert(file.domain);
    if (domains.size() > domains_max) {
      out.troubles.push_back({label_of(id), "bad_record", "there are more domains than a vault has"});
      domains.erase(file.domain);
      continue;
    }
    const domain_keys& keys = keys_.domain(file.domain);
    if (file.begins_late && file.is_cut) {
      const head_reading known = read_head(keys, id, file.domain, file.oldest);
      if (known.head || !known.refused.empty())
        out.troubles.push_back({known.head ? known.head->head.path : label_of(id), "not_kept",
                                "the version of that time is no longer kept"});
      continue;
    }
    std::vector<pending_head> heads;
    for (const wire::version_record& version : file.heads) {
      head_reading read = read_head(keys, id, file.domain, version);
      if (!read.refused.empty())
        out.troubles.push_back({label_of(id), read.refused, reason_of(read.refused)});
      if (read.head) heads.push_back(std::move(*read.head));
    }
    choose(id, heads, keys, files, out.folders);
  }
  std::sort(out.folders.begin(), out.folders.end());
  naming_run(files, out, name_of).run();
  return out;
}

}  // namespace obsync::client
