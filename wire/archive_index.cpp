#include "wire/archive_index.hpp"

#include <algorithm>
#include <unordered_set>

#include "wire/json_fields.hpp"
#include "wire/json_slices.hpp"

namespace obsync::wire {

namespace {

// A version was posted in a body of json_body_bytes_max; with room for what an archive adds.
constexpr std::size_t version_bytes_max = json_body_bytes_max + (1u << 20);
constexpr std::size_t member_bytes_max = 64u << 10;
constexpr std::size_t members_max = 64;
constexpr std::int64_t format_version = 1;

// `{"name":value,...}` again, for the strict parser.
class collected_members {
 public:
  void add(const std::string& name, const std::string& value) {
    text_ += (text_.empty() ? "{\"" : ",\"") + name + "\":" + value;
    ++count_;
  }
  bool full() const { return count_ == members_max; }
  std::string text() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;
  std::size_t count_ = 0;
};

error as_error(const failure& why) {
  return {errc::invalid, "the index of the archive: " + why.detail};
}

// As in the protocol, but without a device, and with a time only where one is told.
void read_version(json_fields& in, version_record& out) {
  in.id("version_id", out.id);
  in.ids("parents", version_parents_max, out.parents);
  in.ids("sids", version_sids_max, out.sids);
  in.integer("bytes", out.bytes);
  in.base64("manifest_ct", out.manifest_ct);
  in.id("manifest_nonce", out.manifest_nonce);
  if (in.find("ts") != nullptr) in.integer("ts", out.ts_ms);
  in.flag("deleted", out.deleted);
  if (out.deleted && !out.sids.empty()) in.fail(refusal::bad_request, "a deleted version names no chunks");
}

class index_reading {
 public:
  index_reading(json_slices& in, archive_visitor& visitor) : in_(in), visitor_(visitor) {}

  status run() {
    collected_members header;
    bool has_files = false;
    in_.open('{');
    for (bool first = true; !in_.closes('}', first) && !in_.failed(); first = false) {
      const std::string name = in_.key();
      if (name == "files") {
        if (has_files) in_.fail({errc::invalid, "the index of the archive lists its files twice"});
        has_files = true;
        if (const status done = files(); !done) return done;
      } else {
        member(header, name);
      }
    }
    in_.end();
    if (in_.failed()) return in_.failure();
    if (!has_files) return error{errc::invalid, "the index of the archive lists no files"};
    return read_header(header.text());
  }

  archive_index out;

 private:
  void member(collected_members& to, const std::string& name) {
    const std::string text = in_.value(member_bytes_max);
    if (to.full()) in_.fail({errc::invalid, "the index of the archive has too many members"});
    if (!in_.failed()) to.add(name, text);
  }

  status files() {
    in_.open('[');
    for (bool first = true; !in_.closes(']', first) && !in_.failed(); first = false)
      if (const status done = file(); !done) return done;
    return in_.failed() ? status{in_.failure()} : status{};
  }

  status file() {
    collected_members about;
    bool has_versions = false;
    in_.open('{');
    for (bool first = true; !in_.closes('}', first) && !in_.failed(); first = false) {
      const std::string name = in_.key();
      if (name != "versions") {
        member(about, name);
        continue;
      }
      if (has_versions) in_.fail({errc::invalid, "a file of the archive lists its versions twice"});
      if (in_.failed()) break;
      has_versions = true;
      if (const status done = begin_file(about.text()); !done) return done;
      if (const status done = versions(); !done) return done;
    }
    if (in_.failed()) return in_.failure();
    // What comes after the versions is read as strictly; it may not say anything again.
    if (!has_versions || !parse_json(about.text()))
      return error{errc::invalid, "a file of the archive lacks its versions, or says something twice"};
    if (heads_left_.empty()) return visitor_.end_file();
    return error{errc::corrupt, "the archive lacks a current version of file " + file_.id.hex()};
  }

  status begin_file(const std::string& text) {
    const auto read = read_json<archived_file>(text, [](json_fields& in, archived_file& file) {
      in.id("file_id", file.id);
      in.id("domain_id", file.domain);
      in.ids("heads", file_heads_max, file.heads);
    });
    if (!read) return as_error(read.error());
    file_ = *read;
    heads_left_ = {file_.heads.begin(), file_.heads.end()};
    if (heads_left_.size() != file_.heads.size() || heads_left_.empty())
      return error{errc::invalid, "file " + file_.id.hex() + " of the archive has no head, or one twice"};
    if (!seen_.insert(file_.id).second)
      return error{errc::invalid, "file " + file_.id.hex() + " is twice in the archive"};
    ++out.files;
    return visitor_.begin_file(file_);
  }

  status versions() {
    in_.open('[');
    for (bool first = true; !in_.closes(']', first) && !in_.failed(); first = false) {
      const std::string text = in_.value(version_bytes_max);
      if (in_.failed()) break;
      const auto read = read_json<version_record>(text, read_version);
      if (!read) return as_error(read.error());
      if (identify_version(file_.id, read->parents, read->manifest_ct, read->sids) != read->id)
        return error{errc::corrupt,
                     "version " + read->id.hex() + " of the archive is not the one it is named"};
      heads_left_.erase(read->id);
      ++out.versions;
      out.tells_time = out.tells_time && read->ts_ms > 0;
      if (const status done = visitor_.version(*read); !done) return done;
    }
    return in_.failed() ? status{in_.failure()} : status{};
  }

  status read_header(const std::string& text) {
    std::int64_t version = 0;
    std::string scope;
    const auto read = read_json<archive_header>(text, [&](json_fields& in, archive_header& header) {
      in.integer("v", version);
      in.string("source", header.source);
      in.string("scope", scope);
      in.integer("snapshot", header.snapshot);
    });
    if (!read) return as_error(read.error());
    if (version != format_version)
      return error{errc::unsupported, "the archive's index is of version " + std::to_string(version) +
                                          ", and this program knows version 1"};
    out.header = *read;
    out.header.scope = domain_id::parse(scope);
    if (!out.header.scope && scope != archive_whole_account)
      return error{errc::invalid, "the scope of the archive is neither an account nor a domain"};
    return {};
  }

  json_slices& in_;
  archive_visitor& visitor_;
  archived_file file_;
  std::unordered_set<version_id> heads_left_;
  std::unordered_set<file_id> seen_;
};

}  // namespace

result<archive_index> read_archive_index(disk_file& from, std::uint64_t begin, std::uint64_t length,
                                         archive_visitor& visitor) {
  json_slices in(from, begin, length);
  index_reading reading(in, visitor);
  if (const status done = reading.run(); !done) return done.error();
  reading.out.hash = in.hash();
  return std::move(reading.out);
}

}  // namespace obsync::wire
