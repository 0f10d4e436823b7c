#include "client/engine/pairing.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace obsync::client {

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

std::string_view name_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

class pairing_step {
 public:
  pairing_step(const std::vector<base_item>& base, const local_view& local) : base_(base), local_(local) {
    out_.local.resize(base.size(), nullptr);
    out_.where.resize(base.size(), presence::unseen);
  }

  item_pairing run() {
    by_path();
    undo_exchanges();
    find_vanished();
    by_inode();
    by_content();
    return std::move(out_);
  }

 private:
  void by_path() {
    // A file on its way to another name and a folder in its old place may share a path for a while.
    std::unordered_map<std::string_view, std::size_t> files;
    std::unordered_map<std::string_view, std::size_t> folders;
    const auto of = [&](item_kind kind) -> auto& {
      return kind == item_kind::file ? files : folders;
    };
    files.reserve(base_.size());
    for (std::size_t i = 0; i < base_.size(); ++i) {
      if (base_[i].gone) continue;
      const auto [place, alone] = of(base_[i].kind).emplace(base_[i].path, i);
      // Two files may have been agreed at one path, one of them kept elsewhere until its name is decided.
      if (!alone && lies_where_agreed(base_[i])) place->second = i;
    }
    for (const auto& [path, item] : local_.items) {
      const auto found = of(item.kind).find(path);
      if (found != of(item.kind).end()) {
        take(found->second, item);
      } else {
        out_.fresh.push_back(&item);
      }
    }
  }

  bool lies_where_agreed(const base_item& item) const {
    const auto here = local_.items.find(item.path);
    return here != local_.items.end() && item.mark.same_item(here->second.mark);
  }

  // Files that swapped names, or turned round in a longer ring, kept their inodes: those say who is who.
  void undo_exchanges() {
    std::unordered_map<std::uint64_t, std::size_t> owner;
    for (std::size_t i = 0; i < base_.size(); ++i) {
      if (moved_in(i)) owner.emplace(base_[i].mark.inode, i);
    }
    if (owner.empty()) return;
    const auto occupant = [&](std::size_t i) {
      const auto found = owner.find(out_.local[i]->mark.inode);
      if (found == owner.end()) return none;
      const file_mark& was = base_[found->second].mark;
      const file_mark& is = out_.local[i]->mark;
      return was.same_item(is) && was.looks_untouched(is) ? found->second : none;
    };
    std::unordered_set<std::size_t> seen;
    for (const auto& [inode, start] : owner) {
      if (seen.contains(start)) continue;
      std::vector<std::size_t> ring;
      std::size_t i = start;
      while (i != none && seen.insert(i).second) {
        ring.push_back(i);
        i = occupant(i);
      }
      if (i != start || ring.size() < 2) continue;
      // ring[k] is a path now held by the file of ring[k + 1].
      std::vector<const local_item*> held;
      for (std::size_t k : ring) held.push_back(out_.local[k]);
      for (std::size_t k = 0; k + 1 < ring.size(); ++k) out_.local[ring[k + 1]] = held[k];
      out_.local[ring[0]] = held.back();
    }
  }

  bool moved_in(std::size_t i) const {
    return base_[i].kind == item_kind::file && out_.local[i] != nullptr && base_[i].mark.inode != 0 &&
           !base_[i].mark.same_item(out_.local[i]->mark);
  }

  void find_vanished() {
    for (std::size_t i = 0; i < base_.size(); ++i) {
      if (base_[i].gone || out_.local[i] != nullptr) continue;
      if (local_.looked_at(base_[i].path)) {
        out_.where[i] = presence::vanished;
        if (base_[i].kind == item_kind::file) vanished_.push_back(i);
      }
    }
  }

  void by_inode() {
    if (vanished_.empty()) return;
    std::unordered_map<std::uint64_t, std::size_t> at;
    for (std::size_t i : vanished_) {
      if (base_[i].mark.inode != 0) at.emplace(base_[i].mark.inode, i);
    }
    match([&](const local_item& item) {
      const auto found = at.find(item.mark.inode);
      if (found == at.end() || !base_[found->second].mark.same_item(item.mark)) return none;
      return found->second;
    });
  }

  void by_content() {
    std::unordered_map<content_id, std::vector<std::size_t>> at;
    for (std::size_t i : vanished_) {
      if (out_.local[i] == nullptr && base_[i].mark.size > 0) at[base_[i].content].push_back(i);
    }
    if (at.empty()) return;
    const auto lookup = [&](const local_item& item, bool same_name) {
      if (!item.content) return none;
      const auto found = at.find(*item.content);
      if (found == at.end()) return none;
      for (std::size_t i : found->second) {
        if (out_.local[i] != nullptr) continue;
        if (!same_name || name_of(base_[i].path) == name_of(item.path)) return i;
      }
      return none;
    };
    match([&](const local_item& item) { return lookup(item, true); });
    match([&](const local_item& item) { return lookup(item, false); });
  }

  template <class Find>
  void match(const Find& find) {
    std::vector<const local_item*> rest;
    for (const local_item* item : out_.fresh) {
      const std::size_t i = item->kind == item_kind::file ? find(*item) : none;
      if (i != none && out_.local[i] == nullptr) {
        take(i, *item);
      } else {
        rest.push_back(item);
      }
    }
    out_.fresh = std::move(rest);
  }

  void take(std::size_t i, const local_item& item) {
    out_.local[i] = &item;
    out_.where[i] = presence::found;
  }

  const std::vector<base_item>& base_;
  const local_view& local_;
  item_pairing out_;
  std::vector<std::size_t> vanished_;
};

}  // namespace

item_pairing pair_items(const std::vector<base_item>& base, const local_view& local) {
  return pairing_step(base, local).run();
}

std::vector<std::string> paths_to_hash(const std::vector<base_item>& base, const local_view& local,
                                       const std::vector<remote_file>& remote) {
  const item_pairing pairs = pair_items(base, local);
  std::unordered_set<file_id> pending;
  std::unordered_map<std::string_view, std::unordered_set<std::int64_t>> offered;
  for (const remote_file& file : remote) {
    pending.insert(file.id);
    for (const remote_head& head : file.heads) offered[head.path].insert(head.size);
  }
  std::vector<std::string> out;
  std::unordered_set<std::int64_t> lost_sizes;
  for (std::size_t i = 0; i < base.size(); ++i) {
    if (pairs.where[i] == presence::vanished) lost_sizes.insert(base[i].mark.size);
    const local_item* item = pairs.local[i];
    if (item == nullptr || item->kind != item_kind::file || item->content || item->settling) continue;
    // A different size says "changed" by itself; only the server's news makes the content worth knowing.
    if (item->mark.size == base[i].mark.size || pending.contains(base[i].id)) out.push_back(item->path);
  }
  for (const local_item* item : pairs.fresh) {
    if (item->kind != item_kind::file || item->content || item->settling) continue;
    const auto found = offered.find(item->path);
    const bool maybe_offered = found != offered.end() && found->second.contains(item->mark.size);
    if (maybe_offered || lost_sizes.contains(item->mark.size)) out.push_back(item->path);
  }
  return out;
}

}  // namespace obsync::client
