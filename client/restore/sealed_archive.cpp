#include "client/restore/sealed_archive.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "client/format/archive_proof.hpp"
#include "client/format/domain_map_record.hpp"
#include "client/format/manifest_seal.hpp"
#include "client/format/vault_keys.hpp"
#include "wire/archive_writer.hpp"
#include "wire/limits.hpp"

namespace obsync::client {

namespace {

constexpr std::uint64_t group_bytes_max = 4 << 20;

struct current_file {
  domain_id domain;
  std::vector<version_id> heads;
  std::vector<wire::version_record> versions;
};

class sealing {
 public:
  sealing(version_source& source, const crypto::secret32& root, disk_file& to, progress_sink& progress,
          const std::function<bool()>& must_stop)
      : source_(source),
        root_(root),
        keys_(root),
        map_(place_of_domain_map(keys_)),
        out_(to),
        progress_(progress),
        must_stop_(must_stop) {}

  result<sealed_report> run(const std::function<sequence()>& newest) {
    const status read = source_.visit([this](const wire::change& one) {
      take(one);
      return must_stop_() ? status{error{errc::shutting_down, "stopped"}} : status{};
    });
    if (!read) return read.error();
    if (const status done = write_index(newest()); !done) return done.error();
    if (const status done = write_chunks(); !done) return done.error();
    if (const status done = out_.finish(); !done) return done.error();
    return report_;
  }

 private:
  void take(const wire::change& one) {
    current_file& file = files_[one.file];
    file.domain = one.domain;
    file.heads = one.heads;
    const auto is_head = [&](const version_id& id) {
      return std::find(file.heads.begin(), file.heads.end(), id) != file.heads.end();
    };
    std::erase_if(file.versions, [&](const wire::version_record& kept) { return !is_head(kept.id); });
    if (is_head(one.version.id)) file.versions.push_back(one.version);
  }

  // Whoever vouches for a version has seen that it is one of this vault's.
  status check(const file_id& id, const current_file& file) const {
    const error stranger{errc::corrupt, "file " + id.hex().substr(0, 8) +
                                            " at the server has a version that is not this vault's, or lacks "
                                            "one; nothing was written"};
    if (file.versions.size() != file.heads.size()) return stranger;
    for (const wire::version_record& one : file.versions) {
      const bool opens = id == map_.file
                             ? open_manifest_json(keys_.map_key(), id, one).ok()
                             : open_manifest_json(domain_keys(root_, file.domain).manifest_key, id, one).ok();
      if (!opens) return stranger;
    }
    return {};
  }

  status write_index(sequence newest) {
    if (const status done = out_.begin({std::string(wire::archive_from_device), {}, newest}); !done)
      return done;
    for (auto& [id, file] : files_) {
      if (const status known = check(id, file); !known) return known;
      if (const status done = out_.begin_file({id, file.domain, file.heads}); !done) return done;
      for (const wire::version_record& one : file.versions) {
        if (const status done = out_.version(one, false); !done) return done;
        note_sizes(one);
      }
      if (const status done = out_.end_file(); !done) return done;
      ++report_.files;
    }
    files_.clear();
    return out_.end_index([this](const digest& index) { return archive_proof(root_, index); });
  }

  // Of chunks that are whole files; others are as large as chunks may be, for all we know.
  void note_sizes(const wire::version_record& one) {
    const auto size = static_cast<std::uint64_t>(one.bytes) + 16;
    if (one.sids.size() == 1 && size < wire::chunk_sealed_bytes_max) sizes_[one.sids.front()] = size;
  }

  std::uint64_t size_of(const chunk_sid& sid) const {
    const auto known = sizes_.find(sid);
    return known == sizes_.end() ? wire::chunk_sealed_bytes_max : known->second;
  }

  status write_chunks() {
    const std::vector<chunk_sid>& names = out_.names();
    progress_.planned(names.size(), 0);
    for (std::size_t at = 0; at < names.size();) {
      std::vector<chunk_sid> group;
      std::uint64_t bytes = 0;
      for (; at < names.size() && group.size() < wire::get_sids_max; ++at) {
        const std::uint64_t size = size_of(names[at]);
        if (!group.empty() && bytes + size > group_bytes_max) break;
        group.push_back(names[at]);
        bytes += size;
      }
      if (const status done = write_group(group); !done) return done;
    }
    return {};
  }

  status write_group(const std::vector<chunk_sid>& group) {
    if (must_stop_()) return error{errc::shutting_down, "stopped"};
    const auto bodies = source_.chunks(group);
    if (!bodies) return bodies.error();
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (i >= bodies->size() || !(*bodies)[i])
        return error{errc::corrupt,
                     "the server lacks chunk " + group[i].hex() +
                         "; `obsync sync --verify` on a device that has the file sends it again"};
      const bytes& body = *(*bodies)[i];
      if (const status done = out_.begin_chunk(group[i], body.size()); !done) return done;
      if (const status done = out_.chunk_part(body); !done) return done;
      if (const status done = out_.end_chunk(); !done) return done;
      ++report_.chunks;
      report_.bytes += body.size();
      progress_.moved(body.size());
      progress_.finished_file({});
    }
    return {};
  }

  version_source& source_;
  const crypto::secret32& root_;
  const vault_keys keys_;
  const domain_map_place map_;
  wire::archive_writer out_;
  progress_sink& progress_;
  const std::function<bool()>& must_stop_;
  std::map<file_id, current_file> files_;
  std::unordered_map<chunk_sid, std::uint64_t> sizes_;
  sealed_report report_;
};

}  // namespace

result<sealed_report> seal_archive(version_source& source, const std::function<sequence()>& newest,
                                   const crypto::secret32& vault_root_key, disk_file& to,
                                   progress_sink& progress, const std::function<bool()>& must_stop) {
  return sealing(source, vault_root_key, to, progress, must_stop).run(newest);
}

}  // namespace obsync::client
