#include "client/sync/look.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_set>

#include "client/engine/pairing.hpp"
#include "client/sync/arrive.hpp"
#include "client/sync/file_chunks.hpp"
#include "client/vault/name_rule.hpp"

namespace obsync::client {

namespace {

class looking {
 public:
  looking(sync_session& session, const scan_scope& scope)
      : session_(session), state_(*session.state), scope_(scope) {}

  std::optional<views> run() {
    auto remote = state_.pending();
    if (!remote) return fail(remote.error());
    out_.remote = std::move(*remote);
    if (scope_ && !widen_by_news()) return std::nullopt;
    if (!scan(scope_)) return std::nullopt;
    if (scope_ && !widen_by_inodes()) return std::nullopt;
    if (!load_base()) return std::nullopt;
    mark_known_contents();
    hash();
    if (session_.must_stop()) return std::nullopt;
    return std::move(out_);
  }

 private:
  std::nullopt_t fail(const error& why) {
    session_.log->end(why);
    return std::nullopt;
  }

  // What news are about has to be looked at too: where the file is and where it is to go.
  bool widen_by_news() {
    for (const remote_file& file : out_.remote) {
      const auto base = state_.base_of(file.id);
      if (!base) return fail(base.error()), false;
      if (*base) scope_->insert((*base)->item.path);
      for (const remote_head& head : file.heads) scope_->insert(head.path);
    }
    return true;
  }

  bool scan(const scan_scope& scope) {
    auto found = session_.folder->scan(scope);
    if (!found) return fail(found.error()), false;
    drop_stale_downloads(found->staged);
    if (out_.local.items.empty() && out_.local.blocked.empty()) {
      out_.local = std::move(found->view);
    } else {
      out_.local.items.merge(found->view.items);
      out_.local.blocked.merge(found->view.blocked);
    }
    out_.local.scope = scope_;
    return true;
  }

  // A file that is new at its path may be one that left another path, which nobody mentioned.
  bool widen_by_inodes() {
    std::set<std::string, std::less<>> more;
    for (const auto& [path, item] : out_.local.items) {
      if (item.kind != item_kind::file) continue;
      const auto known = state_.path_of_inode(item.mark.inode);
      if (!known) return fail(known.error()), false;
      if (*known && **known != path && !out_.local.looked_at(**known)) more.insert(**known);
    }
    if (more.empty()) return true;
    scope_->insert(more.begin(), more.end());
    return scan(scan_scope(more));
  }

  bool load_base() {
    auto base = scope_ ? state_.base_at({scope_->begin(), scope_->end()}) : state_.base();
    if (!base) return fail(base.error()), false;
    out_.base = std::move(*base);
    if (!scope_) return true;
    // A path and the folder above it may both be in the scope.
    std::unordered_set<file_id> seen;
    std::erase_if(out_.base, [&](const base_item& one) { return !seen.insert(one.id).second; });
    return true;
  }

  void mark_known_contents() {
    for (const base_item& base : out_.base) {
      if (base.gone || base.kind != item_kind::file) continue;
      const auto here = out_.local.items.find(base.path);
      if (here != out_.local.items.end() && here->second.mark == base.mark)
        here->second.content = base.content;
    }
  }

  void hash() {
    const auto paths = paths_to_hash(out_.base, out_.local, out_.remote);
    run_in_flight(session_.options.small_in_flight, paths.size(), [&](std::size_t i) {
      if (session_.must_stop()) return;
      local_item& item = out_.local.items.find(paths[i])->second;
      const auto content = hash_file(*session_.folder, item.path, item.mark, *session_.domain);
      if (content) {
        item.content = *content;
      } else if (heals_by_waiting(content.error())) {
        item.settling = true;
      } else {
        const std::lock_guard lock(blocked_mutex_);
        unreadable_.emplace_back(item.path, trouble_code(content.error()));
      }
    });
    for (auto& [path, code] : unreadable_) {
      out_.local.items.erase(path);
      out_.local.blocked.emplace(std::move(path), std::move(code));
    }
  }

  // Downloads that nobody will go on with: their version is no longer wanted.
  void drop_stale_downloads(const std::vector<std::string>& staged) {
    if (staged.empty()) return;
    std::unordered_set<std::string> wanted;
    for (const remote_file& file : out_.remote) {
      for (const remote_head& head : file.heads) wanted.insert(staged_name(staging_key(head.id)));
    }
    for (const std::string& path : staged) {
      const auto slash = path.rfind('/');
      if (!wanted.contains(slash == std::string::npos ? path : path.substr(slash + 1))) {
        static_cast<void>(session_.folder->drop_staged(path));  // litter: no harm when it stays
      }
    }
  }

  sync_session& session_;
  sync_state& state_;
  scan_scope scope_;
  views out_;
  std::mutex blocked_mutex_;
  std::vector<std::pair<std::string, std::string>> unreadable_;
};

}  // namespace

std::optional<views> look_around(sync_session& session, const scan_scope& scope) {
  return looking(session, scope).run();
}

}  // namespace obsync::client
