#include "client/engine/merge.hpp"

#include <algorithm>
#include <tuple>

namespace obsync::client {

namespace {

bool differs(const local_item& local, const content_id& content) {
  return local.kind == item_kind::file && (!local.content || *local.content != content);
}

bool some_head_holds(const remote_file& remote, const local_item& local) {
  return std::any_of(remote.heads.begin(), remote.heads.end(),
                     [&](const remote_head& head) { return !head.deleted && !differs(local, head.content); });
}

void keep_what_is_here(wanted& out) {
  out.alive = out.local != nullptr;
  if (out.alive) out.path = out.local->path;
}

void take_from_server(wanted& out) {
  out.alive = true;
  out.path = out.head->path;
  out.from_server = true;
}

// The server was set back and no longer knows the agreed version.
void merge_rewound(wanted& out) {
  const bool overtaken = out.head != nullptr && out.head->ts_ms > out.base->ts_ms;
  if (!overtaken) return keep_what_is_here(out);
  if (out.local == nullptr) {
    if (!out.head->deleted) take_from_server(out);
    return;
  }
  // Somebody went on from the older state. What we have may be nowhere else: it is a second text.
  if (out.head->deleted) return keep_what_is_here(out);
  take_from_server(out);
  out.keep_local = differs(*out.local, out.head->content) && !some_head_holds(*out.remote, *out.local);
}

void merge_both(wanted& out) {
  const base_item& base = *out.base;
  const local_item& local = *out.local;
  const remote_head& head = *out.head;
  const bool local_moved = local.path != base.path;
  const bool head_moved = head.path != base.path;
  const bool local_edited = differs(local, base.content);
  if (head.deleted) {
    out.alive = local_moved || local_edited;  // an edit is stronger than a deletion
    if (out.alive) out.path = local.path;
    return;
  }
  take_from_server(out);
  if (local_moved && !head_moved) out.path = local.path;
  if (!local_edited || !differs(local, head.content)) return;
  if (head.content == base.content) {
    out.from_server = false;
  } else {
    out.keep_local = !some_head_holds(*out.remote, local);
  }
}

}  // namespace

const remote_head* winning_head(const remote_file& file) {
  const auto rank = [](const remote_head& head) { return std::tie(head.deleted, head.ts_ms, head.id); };
  const auto best = std::min_element(file.heads.begin(), file.heads.end(),
                                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return best == file.heads.end() ? nullptr : &*best;
}

server_state wanted::server() const {
  if (head != nullptr) return {!head->deleted, head->path, head->content, head->id, head->ts_ms};
  if (remote != nullptr || base == nullptr) return {};  // set back to before the file existed, or a new file
  return {!base->gone, base->path, base->content, base->version, base->ts_ms};
}

std::vector<version_id> wanted::parents() const {
  std::vector<version_id> out;
  if (remote != nullptr) {
    for (const remote_head& one : remote->heads) out.push_back(one.id);
  } else if (base != nullptr) {
    out.push_back(base->version);
  }
  return out;
}

wanted merge_item(const base_item* base, const local_item* local, bool local_unknown,
                  const remote_file* remote) {
  wanted out;
  out.base = base;
  out.local = local;
  out.remote = remote;
  out.unseen = local_unknown;
  if (remote != nullptr) out.head = winning_head(*remote);
  if (remote != nullptr && !remote->refused.empty()) {
    out.hold = remote->refused;
  } else if (local_unknown && remote != nullptr) {
    out.hold = "not_looked_at";
    out.waits = true;
  } else if (local != nullptr && local->settling) {
    out.hold = "still_changing";
    out.waits = true;
  }
  if (!out.hold.empty() || local_unknown) {
    // Whatever happens, the name stays taken.
    out.alive = local != nullptr || (base != nullptr && !base->gone);
    out.path = local != nullptr ? local->path : base != nullptr ? base->path : "";
    return out;
  }
  if (remote == nullptr) {
    keep_what_is_here(out);
  } else if (remote->rewound && base != nullptr) {
    merge_rewound(out);
  } else if (out.head == nullptr) {
    keep_what_is_here(out);
  } else if (local == nullptr || base == nullptr) {
    if (out.head->deleted) {
      keep_what_is_here(out);
    } else {
      take_from_server(out);
      if (local != nullptr) out.keep_local = differs(*local, out.head->content);
    }
  } else {
    merge_both(out);
  }
  return out;
}

}  // namespace obsync::client
