#include "client/engine/place.hpp"

#include <algorithm>

namespace obsync::client {

namespace {

bool is_file(const wanted& one) {
  return one.kind() == item_kind::file;
}

std::optional<content_id> content_of(const wanted& one) {
  if (one.from_server) return one.head->content;
  if (one.local != nullptr) return one.local->content;
  return std::nullopt;
}

// Whether the text this file is to have is already in a version.
bool covered(const wanted& one) {
  const auto content = content_of(one);
  return content && one.server().alive && one.server().content == *content && !one.keep_local &&
         !one.forked();
}

class placing {
 public:
  placing(std::vector<wanted>& all, name_book& names, const naming& rules)
      : all_(all), names_(names), rules_(rules) {}

  bool run() {
    adopt_equal();
    for (const wanted& one : all_) {
      if (!one.alive) continue;
      if (is_file(one)) {
        names_.claim(one.path);
      } else {
        names_.claim_folder(one.path);
      }
    }
    group();
    for (auto& [path, members] : groups_) settle(path, members);
    hold_below();
    revive_folders();
    name_local_copies();
    return waits_;
  }

 private:
  // A new local file with the name and bytes of one the server offers is that file.
  void adopt_equal() {
    std::unordered_map<std::string_view, wanted*> offered;
    for (wanted& one : all_) {
      if (is_file(one) && one.alive && one.from_server && one.local == nullptr && one.hold.empty()) {
        const auto [place, fresh] = offered.emplace(one.path, &one);
        if (!fresh && one.remote->id < place->second->remote->id) place->second = &one;
      }
    }
    if (offered.empty()) return;
    for (wanted& one : all_) {
      if (one.id() || one.local == nullptr || !is_file(one) || !one.hold.empty()) continue;
      const auto found = offered.find(one.path);
      if (found == offered.end() || !one.local->content || found->second->local != nullptr) continue;
      if (found->second->head->content != *one.local->content) continue;
      found->second->local = one.local;
      one.local = nullptr;
      one.alive = false;
    }
  }

  void group() {
    std::unordered_map<std::string_view, std::vector<wanted*>> by_path;
    by_path.reserve(all_.size());
    for (wanted& one : all_) {
      if (one.alive && is_file(one)) by_path[one.path].push_back(&one);
    }
    for (auto& [path, members] : by_path) {
      if (members.size() > 1 || names_.is_folder(path)) groups_.emplace(path, std::move(members));
    }
  }

  void settle(const std::string& path, std::vector<wanted*>& members) {
    std::sort(members.begin(), members.end(), [](const wanted* a, const wanted* b) {
      const auto rank = [](const wanted* one) { return std::pair(one->hold.empty(), !one->id()); };
      if (rank(a) != rank(b)) return rank(a) < rank(b);
      return a->id() && b->id() ? *a->id() < *b->id() : a < b;
    });
    retire_doubles(members);
    const bool folder = names_.is_folder(path);
    const bool blocked = !members.empty() && !members.front()->hold.empty();
    const auto known = std::count_if(members.begin(), members.end(),
                                     [](const wanted* one) { return one->id().has_value(); });
    const bool early = !rules_.decide_now && (folder ? known > 0 : known > 1);
    if (early || blocked) {
      waits_ = waits_ || early;
      for (wanted* one : members) wait(*one);
      held_.push_back(path);
      return;
    }
    for (std::size_t k = folder ? 0 : 1; k < members.size(); ++k) rename(*members[k], path);
  }

  void wait(wanted& one) {
    if (!one.hold.empty()) return;
    one.hold = "name_taken";
    one.waits = true;
  }

  void rename(wanted& one, const std::string& path) {
    const std::optional<device_id> author =
        one.head != nullptr ? std::optional(one.head->author) : std::nullopt;
    const std::int64_t ts = one.id() ? one.server().ts_ms : rules_.now_ms;
    one.path = names_.copy_of(path, author, ts);
  }

  // Known files with one name and equal bytes become one: the least identity lives.
  void retire_doubles(std::vector<wanted*>& members) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      wanted& keeper = *members[i];
      if (!keeper.id() || !keeper.hold.empty() || !covered(keeper)) continue;
      for (std::size_t k = members.size() - 1; k > i; --k) {
        wanted& twin = *members[k];
        if (!twin.id() || !covered(twin) || content_of(twin) != content_of(keeper)) continue;
        const bool holds_place = twin.local != nullptr && twin.local->path == keeper.path;
        if (twin.local != nullptr && (!holds_place || keeper.local != nullptr)) continue;
        if (holds_place) {
          keeper.local = twin.local;
          twin.local = nullptr;
        }
        twin.alive = false;
        twin.keeper = keeper.id();
        members.erase(members.begin() + static_cast<std::ptrdiff_t>(k));
      }
    }
  }

  void hold_below() {
    for (const std::string& path : held_) {
      for (wanted& one : all_) {
        if (one.alive && is_below(one.path, path)) wait(one);
      }
    }
  }

  void revive_folders() {
    for (wanted& one : all_) {
      if (is_file(one) || one.alive) continue;
      const std::string& path = one.path.empty() && one.base != nullptr ? one.base->path : one.path;
      if (!names_.is_folder(path)) continue;
      one.alive = true;
      one.path = path;
    }
  }

  void name_local_copies() {
    for (wanted& one : all_) {
      if (one.keep_local && one.hold.empty()) {
        one.local_copy = names_.copy_of(one.path, std::nullopt, rules_.now_ms);
      }
    }
  }

  std::vector<wanted>& all_;
  name_book& names_;
  const naming& rules_;
  std::map<std::string, std::vector<wanted*>> groups_;
  std::vector<std::string> held_;
  bool waits_ = false;
};

}  // namespace

void name_book::claim(std::string_view path) {
  files_.emplace(path);
  claim_folder(parent_of(path));
}

void name_book::claim_folder(std::string_view path) {
  for (; !path.empty() && folders_.emplace(path).second; path = parent_of(path)) {
  }
}

std::string name_book::copy_of(std::string_view path, std::optional<device_id> author, std::int64_t ts_ms) {
  for (int number = 1;; ++number) {
    std::string name = rules_.namer.name(path, author, ts_ms, number);
    if (files_.contains(name) || folders_.contains(name) || rules_.taken(name)) continue;
    claim(name);
    return name;
  }
}

bool place_all(std::vector<wanted>& all, name_book& names, const naming& rules) {
  return placing(all, names, rules).run();
}

}  // namespace obsync::client
