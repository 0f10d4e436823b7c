#include "client/engine/plan.hpp"

#include <algorithm>

#include "client/engine/pairing.hpp"

namespace obsync::client {

namespace {

class planner {
 public:
  planner(const std::vector<base_item>& base, const local_view& local, const std::vector<remote_file>& remote,
          const naming& rules)
      : base_(base), local_(local), remote_(remote), rules_(rules), names_(rules) {}

  plan run() {
    assemble();
    out_.names_wait = place_all(all_, names_, rules_);
    for (const wanted& one : all_) {
      if (!one.id() && one.local != nullptr && one.alive && one.path != one.local->path) {
        displaced_.emplace(one.local->path, &one);
      }
    }
    for (const wanted& one : all_) {
      if (!one.hold.empty()) {
        add_hold(one);
      } else if (one.unseen && one.remote == nullptr) {
        continue;  // nothing is known, so nothing is done
      } else if (one.kind() == item_kind::folder) {
        folder(one);
      } else {
        file(one);
      }
    }
    for (const auto& [path, one] : displaced_) {
      out_.aside.push_back({one->local->path, one->path, one->local->mark});
    }
    for (const auto& [path, code] : local_.blocked) out_.holds.push_back({path, code, false, {}});
    keep_folders_of_the_held();
    delay_moves();
    sort();
    return std::move(out_);
  }

 private:
  void assemble() {
    const item_pairing pairs = pair_items(base_, local_);
    std::unordered_map<file_id, const remote_file*> news;
    for (const remote_file& one : remote_) news.emplace(one.id, &one);
    all_.reserve(base_.size() + pairs.fresh.size() + remote_.size());
    std::unordered_map<std::string_view, const local_item*> fresh_folders;
    for (const local_item* item : pairs.fresh) {
      if (item->kind == item_kind::folder) fresh_folders.emplace(item->path, item);
    }
    for (std::size_t i = 0; i < base_.size(); ++i) {
      const base_item& base = base_[i];
      const local_item* item = pairs.local[i];
      if (base.gone && base.kind == item_kind::folder) item = claim_gone(base, fresh_folders);
      const auto found = news.find(base.id);
      const remote_file* remote = found == news.end() ? nullptr : found->second;
      if (found != news.end()) news.erase(found);
      const bool unknown = !base.gone && pairs.where[i] == presence::unseen && item == nullptr;
      all_.push_back(merge_item(&base, item, unknown, remote));
      if (all_.back().path.empty()) all_.back().path = base.path;
    }
    for (const remote_file& one : remote_) {
      if (!news.contains(one.id)) continue;
      const remote_head* head = winning_head(one);
      const local_item* item = nullptr;
      if (head != nullptr && head->kind == item_kind::folder) {
        const auto here = fresh_folders.find(head->path);
        if (here != fresh_folders.end()) {
          item = here->second;
          fresh_folders.erase(here);
        }
      }
      const bool unknown = item == nullptr && head != nullptr && !local_.looked_at(head->path);
      all_.push_back(merge_item(nullptr, item, unknown, &one));
      if (all_.back().path.empty() && head != nullptr) all_.back().path = head->path;
    }
    for (const local_item* item : pairs.fresh) {
      if (item->kind == item_kind::folder && !fresh_folders.contains(item->path)) continue;
      all_.push_back(merge_item(nullptr, item, false, nullptr));
    }
  }

  // A folder that was deleted elsewhere but could not be removed here, because something we do not sync lies
  // in it, stays as it is. Any other folder of that name is the old one made anew.
  const local_item* claim_gone(const base_item& base,
                               std::unordered_map<std::string_view, const local_item*>& fresh) {
    const auto found = fresh.find(base.path);
    if (found == fresh.end()) return nullptr;
    const local_item* item = found->second;
    fresh.erase(found);
    return base.mark.same_item(item->mark) ? nullptr : item;
  }

  void add_hold(const wanted& one) {
    const std::string& path = one.local != nullptr ? one.local->path : one.path;
    const bool moved = one.base != nullptr && !one.base->gone && one.base->path != path;
    out_.holds.push_back({path, one.hold, one.waits, moved ? one.base->path : ""});
  }

  void file(const wanted& one) {
    const server_state server = one.server();
    if (!one.alive) return end_of(one, server);
    if (!one.id() && one.local->path != one.path) return;  // only moves aside now, and is new next time
    const bool same_text =
        one.local != nullptr && one.local->content && *one.local->content == server.content;
    if (one.from_server && !same_text) {
      add_pull(one);
    } else if (one.local != nullptr && one.local->path != one.path) {
      add_move(one, server, same_text);
    }
    const bool text_differs = !one.from_server && !same_text;
    if (!server.alive || server.path != one.path || text_differs || one.forked()) {
      add_push(one, server, same_text);
    } else if (one.local != nullptr && same_text && one.local->path == one.path) {
      settle(one, server);
    }
  }

  // The file is to be nowhere.
  void end_of(const wanted& one, const server_state& server) {
    const auto id = one.id();
    if (!id) return;
    if (server.alive) {
      out_.gone.push_back({item_kind::file, *id, std::string(server.path), one.parents(), one.keeper});
    } else if (one.local != nullptr) {
      out_.removals.push_back({*id, one.local->path, one.local->mark, {server.version, server.ts_ms}});
    } else if (one.remote != nullptr) {
      settle(one, server);
    }
  }

  void settle(const wanted& one, const server_state& server) {
    base_item item;
    item.id = *one.id();
    item.kind = one.kind();
    item.gone = !one.alive;
    item.path = server.path.empty() ? one.path : std::string(server.path);
    item.version = server.version;
    item.ts_ms = server.ts_ms;
    item.content = server.content;
    if (one.local != nullptr) item.mark = one.local->mark;
    const bool known = one.base != nullptr && one.base->version == item.version &&
                       one.base->gone == item.gone && one.base->mark == item.mark &&
                       one.base->path == item.path;
    if (known && one.remote == nullptr) return;
    out_.agreed.push_back({std::move(item)});
  }

  void add_pull(const wanted& one) {
    pull act;
    act.id = *one.id();
    act.head = *one.head;
    act.path = one.path;
    if (one.local != nullptr) {
      act.expected = one.local->mark;
      if (one.local->path != one.path) {
        out_.moves.push_back({act.id, one.local->path, one.path, one.local->mark, std::nullopt});
      }
      if (one.keep_local) act.keep_as = one.local_copy;
    } else if (const auto found = displaced_.find(one.path); found != displaced_.end()) {
      act.expected = found->second->local->mark;
      act.keep_as = found->second->path;
      displaced_.erase(found);
    }
    out_.pulls.push_back(std::move(act));
  }

  void add_move(const wanted& one, const server_state& server, bool same_text) {
    move_here act{*one.id(), one.local->path, one.path, one.local->mark, std::nullopt};
    if (same_text && server.path == one.path && !one.forked()) act.then = {server.version, server.ts_ms};
    out_.moves.push_back(std::move(act));
  }

  void add_push(const wanted& one, const server_state& server, bool same_text) {
    push act;
    act.id = one.id();
    act.path = one.path;
    act.parents = one.parents();
    const bool chunks_there = server.alive && (one.from_server || same_text);
    act.from = !chunks_there         ? push::source::local
               : one.head != nullptr ? push::source::head
                                     : push::source::agreed;
    if (one.local != nullptr) act.expected = one.local->mark;
    act.known = server.version;
    if (one.forked()) add_copies(one, act);
    out_.pushes.push_back(std::move(act));
  }

  // Every text of a fork lives on: the winner under the name, the others beside it.
  void add_copies(const wanted& one, push& act) {
    std::vector<content_id> kept = {one.head->content};
    for (const remote_head& loser : one.remote->heads) {
      if (loser.deleted || loser.kind != item_kind::file) continue;
      if (std::find(kept.begin(), kept.end(), loser.content) != kept.end()) continue;
      if (!one.from_server && one.local != nullptr && one.local->content == loser.content) continue;
      kept.push_back(loser.content);
      act.copies.push_back({loser, names_.copy_of(one.path, loser.author, loser.ts_ms)});
    }
  }

  void folder(const wanted& one) {
    const server_state server = one.server();
    const std::string path = one.local != nullptr ? one.local->path : one.path;
    if (one.alive) {
      if (server.alive && !one.forked()) {
        if (one.local == nullptr) {
          out_.folders_here.push_back({*one.id(), path, agreed_version{server.version, server.ts_ms}});
        } else {
          settle(one, server);
        }
        return;
      }
      if (one.local == nullptr && !is_ghost(one)) out_.folders_here.push_back({id_or_none(one), path, {}});
      push act;
      act.kind = item_kind::folder;
      act.id = one.id();
      act.path = path;
      if (one.local != nullptr) act.expected = one.local->mark;
      act.parents = one.parents();
      out_.pushes.push_back(std::move(act));
    } else if (server.alive) {
      out_.gone.push_back({item_kind::folder, *one.id(), path, one.parents(), std::nullopt});
    } else if (one.local != nullptr || is_ghost(one)) {
      out_.folders_gone.push_back({*one.id(), path, {server.version, server.ts_ms}});
    } else if (one.remote != nullptr) {
      settle(one, server);
    }
  }

  // A folder deleted elsewhere that could not be removed so far: it is tried again, for what lay in it may be
  // gone.
  bool is_ghost(const wanted& one) const {
    if (one.base == nullptr || !one.base->gone) return false;
    const auto found = local_.items.find(one.path);
    return found != local_.items.end() && one.base->mark.same_item(found->second.mark);
  }

  // A folder cannot go while something that waits lies in it. It waits as well, or else it would be taken for
  // one with things in it that are not synced, and stay when the last of it has left.
  void keep_folders_of_the_held() {
    std::set<std::string, std::less<>> in_use;
    for (const wanted& one : all_) {
      if (one.hold.empty() || one.local == nullptr) continue;
      for (auto at = parent_of(one.local->path); !at.empty(); at = parent_of(at)) in_use.emplace(at);
    }
    std::erase_if(out_.folders_gone, [&](const drop_folder& act) {
      if (!in_use.contains(act.path)) return false;
      out_.holds.push_back({act.path, "still_changing", true, {}});
      return true;
    });
  }

  static bool lies_in_one_of(const std::set<std::string, std::less<>>& folders, std::string_view path) {
    for (auto at = parent_of(path); !at.empty(); at = parent_of(at)) {
      if (folders.contains(at)) return true;
    }
    return false;
  }

  // A file may go into a folder that takes its own name, or leave a folder to take the name of one that goes.
  // It steps out of the way first, to a free name that any later look takes for a rename, should we end in
  // between.
  void delay_moves() {
    std::set<std::string, std::less<>> entered;
    for (const move_here& act : out_.moves) {
      for (auto at = parent_of(act.to); !at.empty(); at = parent_of(at)) entered.emplace(at);
    }
    std::set<std::string, std::less<>> left;
    for (const drop_folder& act : out_.folders_gone) left.insert(act.path);
    std::vector<move_here> first;
    for (move_here& act : out_.moves) {
      const bool takes_folder_name = left.contains(act.to);
      const bool in_the_way =
          entered.contains(act.from) || (takes_folder_name && lies_in_one_of(left, act.from));
      if (in_the_way) {
        const std::string& beside = takes_folder_name ? act.to : act.from;
        std::string step = names_.copy_of(beside, std::nullopt, rules_.now_ms);
        first.push_back({act.id, act.from, step, act.expected, std::nullopt});
        act.from = std::move(step);
      }
      (in_the_way || takes_folder_name ? out_.late_moves : first).push_back(std::move(act));
    }
    out_.moves = std::move(first);
  }

  static file_id id_or_none(const wanted& one) { return one.id().value_or(file_id{}); }

  void sort() {
    const auto by_path = [](const auto& a, const auto& b) { return a.path < b.path; };
    std::sort(out_.folders_here.begin(), out_.folders_here.end(), by_path);
    std::sort(out_.folders_gone.begin(), out_.folders_gone.end(),
              [](const auto& a, const auto& b) { return b.path < a.path; });
    std::sort(out_.pushes.begin(), out_.pushes.end(), [](const push& a, const push& b) {
      const bool folder_a = a.kind == item_kind::folder;
      const bool folder_b = b.kind == item_kind::folder;
      return folder_a != folder_b ? folder_a : a.path < b.path;
    });
    std::sort(out_.gone.begin(), out_.gone.end(), [](const push_gone& a, const push_gone& b) {
      if (a.kind != b.kind) return a.kind == item_kind::file;
      return a.kind == item_kind::file ? a.path < b.path : b.path < a.path;
    });
    std::sort(out_.pulls.begin(), out_.pulls.end(), by_path);
    std::sort(out_.removals.begin(), out_.removals.end(), by_path);
  }

  const std::vector<base_item>& base_;
  const local_view& local_;
  const std::vector<remote_file>& remote_;
  const naming& rules_;
  name_book names_;
  std::vector<wanted> all_;
  std::map<std::string_view, const wanted*> displaced_;
  plan out_;
};

}  // namespace

plan make_plan(const std::vector<base_item>& base, const local_view& local,
               const std::vector<remote_file>& remote, const naming& rules) {
  return planner(base, local, remote, rules).run();
}

}  // namespace obsync::client
