#include "client/vault/folder_scan.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "client/vault/folder_walk.hpp"
#include "client/vault/name_rule.hpp"

namespace obsync::client {

namespace {

struct close_listing {
  void operator()(DIR* listing) const { ::closedir(listing); }
};
using folder_listing = std::unique_ptr<DIR, close_listing>;

std::string code_for(const error& why) {
  return why.code == errc::denied ? "no_permission" : "unreadable";
}

class scanning {
 public:
  scanning(std::int64_t quiet_before_ns, std::int64_t now_ns)
      : quiet_before_ns_(quiet_before_ns), now_ns_(now_ns) {}

  // Everything in `folder`, whose path is `path` ("" for the top).
  void list(const file_handle& folder, const std::string& path) {
    folder_listing listing(::fdopendir(::fcntl(folder.get(), F_DUPFD_CLOEXEC, 0)));
    if (!listing) return block(path, last_error("list"));
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(listing.get());
      if (entry == nullptr) {
        if (errno != 0) block(path, last_error("list"));
        return;
      }
      const std::string name = entry->d_name;
      if (name != "." && name != "..") visit(folder, path.empty() ? name : path + "/" + name, name);
    }
  }

  void visit(const file_handle& folder, const std::string& path, const std::string& name) {
    const name_verdict verdict = judge_name(name);
    if (name.starts_with(staged_prefix)) out.staged.push_back(path);
    if (verdict == name_verdict::passed_over) return;
    if (verdict == name_verdict::refused) {
      out.view.blocked.emplace(path, "refused_name");
      return;
    }
    const auto info = info_at(folder.get(), name);
    if (!info) {
      if (info.error().code != errc::not_found) block(path, info.error());
      return;
    }
    if (info->is_file) {
      local_item item{item_kind::file, path, info->mark, std::nullopt, false};
      item.settling = info->mark.ctime_ns > quiet_before_ns_ && info->mark.ctime_ns <= now_ns_;
      out.view.items.insert_or_assign(path, std::move(item));
    } else if (info->is_folder) {
      enter(folder, path, name, *info);
    } else {
      out.view.blocked.emplace(path, "");  // a link or a device: never synced, nothing to report
    }
  }

  void block(const std::string& path, const error& why) {
    out.view.blocked.insert_or_assign(path, code_for(why));
  }

  scan_result out;

 private:
  void enter(const file_handle& folder, const std::string& path, const std::string& name,
             const item_info& info) {
    out.view.items.insert_or_assign(path,
                                    local_item{item_kind::folder, path, info.mark, std::nullopt, false});
    const auto opened = open_folder(folder.get(), name);
    if (opened) return list(*opened, path);
    if (opened.error().code != errc::not_found) return block(path, opened.error());
    out.view.items.erase(path);
  }

  std::int64_t quiet_before_ns_;
  std::int64_t now_ns_;
};

// Whether `path` lies below another path of the scope, and so is visited anyway.
bool is_covered(const std::set<std::string, std::less<>>& scope, std::string_view path) {
  for (std::string_view at = parent_of(path); !at.empty(); at = parent_of(at)) {
    if (scope.contains(at)) return true;
  }
  return false;
}

}  // namespace

result<scan_result> scan_folder(int root, const scan_scope& scope, std::int64_t quiet_before_ns,
                                std::int64_t now_ns) {
  scanning scan(quiet_before_ns, now_ns);
  const auto top = open_folder(root, ".");
  if (!top) return top.error();
  scan.out.view.scope = scope;
  if (!scope || scope->contains("")) {
    scan.list(*top, "");
    if (scan.out.view.blocked.contains("")) return error{errc::io_failed, "the folder cannot be listed"};
    return std::move(scan.out);
  }
  for (const std::string& path : *scope) {
    if (is_covered(*scope, path)) continue;
    if (!is_synced_path(path)) {
      scan.out.view.blocked.emplace(path, "");
      continue;
    }
    const auto place = walk_to(root, path, false);
    if (place) {
      scan.visit(place->folder, path, place->name);
    } else if (place.error().code == errc::exists) {
      scan.out.view.blocked.emplace(path, "");  // a link, perhaps, stands for one of its folders
    } else if (place.error().code != errc::not_found) {
      scan.block(path, place.error());
    }
  }
  return std::move(scan.out);
}

}  // namespace obsync::client
