#include "client/restore/bring_in.hpp"

#include <algorithm>

#include "client/format/conflict_name.hpp"
#include "client/sync/session.hpp"
#include "client/vault/name_rule.hpp"
#include "crypto/digest.hpp"

namespace obsync::client {

namespace {

constexpr std::size_t slice_bytes = 1u << 20;
constexpr int copies_max = 100;  // names tried for one file
constexpr int attempts_max = 3;  // a watch beside us takes staged files it does not know for litter
constexpr std::size_t key_digits = 32;
constexpr std::int64_t ns_per_ms = 1'000'000;

error moved() {
  return {errc::unavailable, "it changed while it was read"};
}

class bringing {
 public:
  bringing(vault& from, vault& to, const bring_options& options, const bring_listener& heard,
           progress_sink& progress, const std::function<bool()>& must_stop)
      : from_(from), to_(to), options_(options), heard_(heard), progress_(progress), must_stop_(must_stop) {}

  bring_report run() {
    const auto found = from_.scan({});
    if (!found) {
      out_.ended = found.error();
      return std::move(out_);
    }
    const local_view& view = found->view;
    for (const auto& [path, code] : view.blocked) {
      const bool is_name = code == "refused_name";
      trouble(path, code.empty() ? "no_file" : code,
              is_name        ? "this name cannot be synced"
              : code.empty() ? "a link or something else that is no file"
                             : "it could not be read");
    }
    announce(view);
    // By path, so folders come before what they hold.
    for (const auto& [path, item] : view.items) {
      if (must_stop_()) out_.ended = error{errc::shutting_down, "stopped"};
      if (out_.ended) break;
      if (item.kind == item_kind::folder) {
        folder(path);
      } else {
        file(path, item.mark);
      }
    }
    return std::move(out_);
  }

 private:
  void announce(const local_view& view) {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    for (const auto& [path, item] : view.items) {
      if (item.kind != item_kind::file) continue;
      ++files;
      bytes += static_cast<std::uint64_t>(item.mark.size);
    }
    progress_.planned(files, bytes);
  }

  std::string inside(const std::string& path) const {
    return options_.under.empty() ? path : options_.under + "/" + path;
  }

  void trouble(const std::string& path, const std::string& code, const std::string& reason) {
    out_.troubles.push_back({path, code, reason});
  }

  void fault(const std::string& path, const error& why) {
    if (why.code == errc::no_space || why.code == errc::io_failed || why.code == errc::shutting_down) {
      out_.ended = why;
    } else {
      trouble(path, trouble_code(why), why.detail);
    }
  }

  void folder(const std::string& path) {
    if (options_.only_list) return;
    const auto made = to_.make_folder(inside(path));
    if (!made) fault(path, made.error());
  }

  void file(const std::string& path, const file_mark& mark) {
    const std::string wanted = inside(path);
    if (!is_synced_path(wanted)) return trouble(path, "refused_name", "this name cannot be synced there");
    // The same name whenever it is brought again: the file's own time, not today's.
    const conflict_mark copy{options_.device_name, mark.mtime_ns / ns_per_ms, {}};
    for (int number = 0; number <= copies_max; ++number) {
      const std::string name = number == 0 ? wanted : conflict_path(wanted, copy, number);
      const auto there = to_.look(name);
      if (!there && there.error().code != errc::exists) return fault(path, there.error());
      if (there && !*there) return bring(path, name, mark, number == 0 ? brought::copied : brought::beside);
      if (!there) continue;
      const auto same = is_same(path, mark, name, **there);
      if (!same) return fault(path, same.error());
      if (*same) return count(path, name, brought::equal);
    }
    trouble(path, "name_taken", "no name is free for it where it should go");
  }

  void count(const std::string& path, const std::string& name, brought what) {
    ++(what == brought::copied ? out_.copied : what == brought::equal ? out_.equal : out_.beside);
    heard_(path, name, what);
    progress_.finished_file(path);
  }

  // Byte by byte; a folder is never the same.
  result<bool> is_same(const std::string& path, const file_mark& mark, const std::string& name,
                       const file_mark& there) {
    if (mark.size != there.size) return false;
    const auto theirs = to_.open(name);
    if (!theirs)
      return theirs.error().code == errc::unavailable || theirs.error().code == errc::exists
                 ? result<bool>(false)
                 : theirs.error();
    const auto ours = from_.open(path);
    if (!ours) return ours.error();
    slice_.resize(slice_bytes);
    other_.resize(slice_bytes);
    for (std::uint64_t at = 0;; at += slice_bytes) {
      const auto a = (*ours)->read_at(at, slice_);
      if (!a) return a.error();
      const auto b = (*theirs)->read_at(at, other_);
      if (!b) return b.error();
      if (*a != *b ||
          !std::equal(slice_.begin(), slice_.begin() + static_cast<std::ptrdiff_t>(*a), other_.begin()))
        return false;
      if (*a < slice_bytes) break;
    }
    return is_still(**ours, mark) ? result<bool>(true) : moved();
  }

  static bool is_still(vault_reader& reader, const file_mark& mark) {
    const auto now = reader.mark();
    return now && *now == mark;
  }

  void bring(const std::string& path, const std::string& name, const file_mark& mark, brought what) {
    if (options_.only_list) return count(path, name, what);
    status done = error{errc::not_found, ""};
    for (int attempt = 0; attempt < attempts_max && !done && done.error().code == errc::not_found; ++attempt)
      done = copy(path, name, mark);
    if (!done) return fault(path, done.error());
    count(path, name, what);
  }

  status copy(const std::string& path, const std::string& name, const file_mark& mark) {
    const auto reader = from_.open(path);
    if (!reader) return reader.error().code == errc::not_found ? moved() : reader.error();
    const std::string key = crypto::sha256(as_bytes(name)).hex().substr(0, key_digits);
    const auto staged = to_.stage(name, key);
    if (!staged) return staged.error();
    status done = fill(**reader, **staged);
    if (done && !is_still(**reader, mark)) done = moved();
    if (done) {
      const auto placed = to_.place(**staged, name, std::nullopt, mark.mtime_ns / ns_per_ms);
      if (!placed) done = placed.error();
    }
    if (done) return {};
    const std::string above(parent_of(name));
    static_cast<void>(to_.drop_staged((above.empty() ? "" : above + "/") + staged_name(key)));
    return done;
  }

  status fill(vault_reader& reader, staged_file& staged) {
    if (const status cut = staged.truncate(0); !cut) return cut;
    slice_.resize(slice_bytes);
    for (std::uint64_t at = 0;;) {
      if (must_stop_()) return error{errc::shutting_down, "stopped"};
      const auto got = reader.read_at(at, slice_);
      if (!got) return got.error();
      if (const status done = staged.write_at(at, byte_view(slice_).first(*got)); !done) return done;
      progress_.moved(*got);
      at += *got;
      if (*got < slice_bytes) return {};
    }
  }

  vault& from_;
  vault& to_;
  const bring_options& options_;
  const bring_listener& heard_;
  progress_sink& progress_;
  const std::function<bool()>& must_stop_;
  bring_report out_;
  bytes slice_;
  bytes other_;
};

}  // namespace

bring_report bring_in(vault& from, vault& to, const bring_options& options, const bring_listener& heard,
                      progress_sink& progress, const std::function<bool()>& must_stop) {
  return bringing(from, to, options, heard, progress, must_stop).run();
}

}  // namespace obsync::client
