#include "client/restore/write_out.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "client/format/chunk_seal.hpp"
#include "client/sync/session.hpp"
#include "client/vault/name_rule.hpp"
#include "wire/limits.hpp"

namespace obsync::client {

namespace {

// Files up to this size travel together, several groups at once; a larger one has the memory to itself.
constexpr std::int64_t grouped_bytes_max = 1 << 20;
constexpr std::int64_t group_bytes_max = 4 << 20;
constexpr int in_flight = 4;

using file_group = std::vector<const past_file*>;

bool is_grouped(const past_file& file) {
  return file.size <= grouped_bytes_max && file.chunks.size() == 1;
}

std::vector<file_group> group_files(const std::vector<past_file>& files) {
  std::vector<file_group> out;
  std::int64_t bytes = 0;
  for (const past_file& one : files) {
    if (!is_grouped(one)) continue;
    if (out.empty() || out.back().size() == wire::get_sids_max || bytes + one.size > group_bytes_max) {
      out.emplace_back();
      bytes = 0;
    }
    out.back().push_back(&one);
    bytes += one.size;
  }
  return out;
}

// What ends everything: the other side is gone, or this one is full. The rest is one file's matter.
bool ends_everything(const error& why) {
  switch (why.code) {
    case errc::unavailable:
    case errc::shutting_down:
    case errc::timed_out:
    case errc::overloaded:
    case errc::no_space:
    case errc::denied:
      return true;
    default:
      return false;
  }
}

class writing {
 public:
  writing(version_source& source, vault& to, progress_sink& progress, const std::function<bool()>& must_stop)
      : source_(source), to_(to), progress_(progress), must_stop_(must_stop) {}

  written_out run(const past_vault& from) {
    announce(from);
    for (const std::string& folder : from.folders) {
      if (stopped()) break;
      const auto made = to_.make_folder(folder);
      if (!made) fault(folder, made.error());
    }
    const auto groups = group_files(from.files);
    run_in_flight(in_flight, groups.size(), [&](std::size_t i) {
      if (!stopped()) bring(groups[i]);
    });
    for (const past_file& one : from.files) {
      if (!is_grouped(one) && !stopped()) bring_alone(one);
    }
    std::sort(out_.troubles.begin(), out_.troubles.end(),
              [](const file_trouble& a, const file_trouble& b) { return a.path < b.path; });
    return std::move(out_);
  }

 private:
  void announce(const past_vault& from) {
    std::uint64_t bytes = 0;
    for (const past_file& one : from.files) bytes += static_cast<std::uint64_t>(one.size);
    progress_.planned(from.files.size(), bytes);
  }

  bool stopped() {
    if (must_stop_()) end({errc::shutting_down, "stopped"});
    return ended_;
  }

  void end(const error& why) {
    const std::lock_guard lock(mutex_);
    if (!out_.ended) out_.ended = why;
    ended_ = true;
  }

  void trouble(const std::string& path, const std::string& code, const std::string& reason) {
    const std::lock_guard lock(mutex_);
    out_.troubles.push_back({path, code, reason});
  }

  void fault(const std::string& path, const error& why) {
    if (ends_everything(why)) return end(why);
    trouble(path, trouble_code(why), why.detail);
  }

  void lacks(const std::string& path) {
    trouble(path, "unknown_chunk", "a part of its content is not there any more");
  }

  void bring(const file_group& group) {
    std::vector<chunk_sid> sids;
    for (const past_file* one : group) sids.push_back(one->chunks.front().sid);
    const auto sealed = source_.chunks(sids);
    if (!sealed && ends_everything(sealed.error())) return end(sealed.error());
    if (!sealed || sealed->size() != group.size()) {
      // One that is damaged must not take the others along.
      for (const past_file* one : group) {
        if (!stopped()) bring_alone(*one);
      }
      return;
    }
    for (std::size_t i = 0; i < group.size() && !stopped(); ++i) {
      const past_file& one = *group[i];
      if (!(*sealed)[i]) {
        lacks(one.path);
        continue;
      }
      const auto data = open(one, one.chunks.front(), *(*sealed)[i]);
      if (data) {
        write(one, [&](staged_file& staged) { return staged.write_at(0, *data); });
      } else {
        fault(one.path, data.error());
      }
    }
  }

  void bring_alone(const past_file& one) {
    write(one, [&](staged_file& staged) -> status {
      std::uint64_t offset = 0;
      for (const wire::manifest_chunk& chunk : one.chunks) {
        if (stopped()) return error{errc::shutting_down, "stopped"};
        const auto sealed = source_.chunks({chunk.sid});
        if (!sealed) return sealed.error();
        if (sealed->size() != 1 || !sealed->front())
          return error{errc::corrupt, "a part of its content is not there any more"};
        const auto data = open(one, chunk, *sealed->front());
        if (!data) return data.error();
        if (const status done = staged.write_at(offset, *data); !done) return done;
        offset += data->size();
      }
      return {};
    });
  }

  result<bytes> open(const past_file& file, const wire::manifest_chunk& chunk, byte_view sealed) {
    auto data = open_chunk(*file.keys, chunk.sid, chunk.cid, sealed);
    if (data && data->size() != static_cast<std::size_t>(chunk.len))
      return error{errc::corrupt, "a chunk has another length than its manifest says"};
    if (data) progress_.moved(data->size());
    return data;
  }

  void write(const past_file& one, const std::function<status(staged_file&)>& fill) {
    const std::string key = std::to_string(++keys_);
    const auto staged = to_.stage(one.path, key);
    if (!staged) return fault(one.path, staged.error());
    status done = (*staged)->truncate(0);
    if (done) done = fill(**staged);
    if (done) {
      const auto placed = to_.place(**staged, one.path, std::nullopt, one.mtime_ms);
      if (!placed) done = placed.error();
    }
    if (!done) {
      const std::string above(parent_of(one.path));
      static_cast<void>(to_.drop_staged((above.empty() ? "" : above + "/") + staged_name(key)));
      return fault(one.path, done.error());
    }
    progress_.finished_file(one.path);
    const std::lock_guard lock(mutex_);
    ++out_.files;
    out_.bytes += static_cast<std::uint64_t>(one.size);
  }

  version_source& source_;
  vault& to_;
  progress_sink& progress_;
  const std::function<bool()>& must_stop_;
  std::atomic<std::uint64_t> keys_ = 0;
  std::atomic<bool> ended_ = false;
  std::mutex mutex_;
  written_out out_;
};

}  // namespace

written_out write_out(const past_vault& from, version_source& source, vault& to, progress_sink& progress,
                      const std::function<bool()>& must_stop) {
  return writing(source, to, progress, must_stop).run(from);
}

}  // namespace obsync::client
