#include "store/export_archive.hpp"

#include <algorithm>
#include <vector>

#include "crypto/digest.hpp"
#include "store/blob_store.hpp"
#include "store/catalog.hpp"
#include "store/chunk_reader.hpp"
#include "store/small_store.hpp"
#include "wire/json_writer.hpp"

namespace obsync::store {

namespace {

constexpr std::string_view magic = "OBSYNC-EXPORT-1\n";
constexpr std::int64_t files_max = 500;  // in one page
constexpr std::size_t slice_bytes = 1 << 20;
constexpr std::int64_t cache_bytes = 4 << 20;
constexpr std::int64_t all_versions = 1LL << 40;
constexpr std::uint64_t no_bound = 1ULL << 40;  // bytes of one file's record
constexpr std::uint64_t length_max = 0xFFFF'FFFF;

bytes big_endian(std::uint64_t length) {
  bytes out;
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(length >> shift));
  return out;
}

// A file that grows at its end.
class appender {
 public:
  explicit appender(disk_file& to) : to_(to) {}
  status add(byte_view data) {
    const status done = to_.write_at(at_, data);
    at_ += data.size();
    return done;
  }
  std::uint64_t size() const { return at_; }

 private:
  disk_file& to_;
  std::uint64_t at_ = 0;
};

class exporter {
 public:
  exporter(disk& on, const check_places& live, const export_wish& wish,
           const std::function<void(const export_report&)>& told)
      : disk_(on), live_(live), wish_(wish), told_(told) {}

  status open();
  status write(disk_file& to);
  const export_report& report() const { return report_; }

 private:
  status write_index(appender& out);
  status write_file(const wire::file_summary& one);
  std::string to_json(const wire::file_record& file,
                      const std::vector<const wire::version_record*>& versions);
  status add_to_index(const std::string& text);
  status write_chunk(appender& out, const chunk_sid& sid);
  status write_body(appender& out, const chunk_sid& sid, open_chunk& chunk);

  disk& disk_;
  const check_places& live_;
  const export_wish& wish_;
  const std::function<void(const export_report&)>& told_;
  std::unique_ptr<catalog_reader> catalog_;
  std::unique_ptr<blob_store> blobs_;
  std::unique_ptr<chunk_source> chunks_;
  appender* index_ = nullptr;
  crypto::sha256_stream index_hash_;
  std::vector<chunk_sid> sids_;
  export_report report_;
  bytes slice_;
};

status exporter::open() {
  auto catalog = open_catalog_reader({live_.journal_folder, cache_bytes});
  if (!catalog) return catalog.error();
  catalog_ = std::move(*catalog);
  auto small = open_small_reader({live_.blobs_folder, cache_bytes});
  if (!small) return small.error();
  blobs_ = view_blob_store(disk_, {live_.blobs_folder, {}});
  chunks_ = std::make_unique<chunk_source>(std::move(*small), *blobs_);
  return {};
}

status exporter::write(disk_file& to) {
  appender out(to);
  if (const status done = out.add(as_bytes(magic)); !done) return done;
  if (const status done = out.add(big_endian(0)); !done) return done;
  const std::uint64_t begins = out.size();
  if (const status done = write_index(out); !done) return done;
  const std::uint64_t length = out.size() - begins;
  if (length > length_max)
    return error{errc::unsupported, "the index of so many versions does not fit an archive"};
  if (const status done = to.write_at(magic.size(), big_endian(length)); !done) return done;
  if (const status done = out.add(index_hash_.finish().view()); !done) return done;
  // In the place of what a device proves itself by: a server has no key.
  if (const status done = out.add(bytes(digest::size)); !done) return done;
  std::sort(sids_.begin(), sids_.end());
  sids_.erase(std::unique(sids_.begin(), sids_.end()), sids_.end());
  for (const chunk_sid& sid : sids_) {
    if (const status done = write_chunk(out, sid); !done) return done;
    told_(report_);
  }
  return to.sync();
}

status exporter::add_to_index(const std::string& text) {
  index_hash_.update(as_bytes(text));
  return index_->add(as_bytes(text));
}

status exporter::write_index(appender& out) {
  index_ = &out;
  const auto account = catalog_->account(wish_.account);
  if (!account) return account.error();
  if (!*account) return error{errc::not_found, "there is no such account"};
  wire::json_writer head;
  head.begin_object().key("v").integer(1).key("source").string("server");
  head.key("scope").string(wish_.domain ? wish_.domain->hex() : "account");
  head.key("snapshot").integer((*account)->head).key("files").begin_array().end_array().end_object();
  const std::string whole = head.take();
  const std::size_t inside = whole.size() - 2;  // before `]}`
  if (const status done = add_to_index(whole.substr(0, inside)); !done) return done;
  std::optional<file_id> after;
  do {
    const auto page = catalog_->files(wish_.account, after, files_max);
    if (!page) return page.error();
    for (const wire::file_summary& one : page->files)
      if (const status done = write_file(one); !done) return done;
    after = page->next;
    told_(report_);
  } while (after);
  return add_to_index(whole.substr(inside));
}

status exporter::write_file(const wire::file_summary& one) {
  if (wish_.domain && one.domain != *wish_.domain) return {};
  const auto found = catalog_->file(wish_.account, one.id, wish_.history ? all_versions : 1, no_bound);
  if (!found) return found.error();
  if (!*found) return {};  // pruned meanwhile
  const wire::file_record& file = **found;
  std::vector<const wire::version_record*> chosen;
  for (const wire::version_record& version : file.versions) {
    const bool head = std::find(file.heads.begin(), file.heads.end(), version.id) != file.heads.end();
    if (!head && !wish_.history) continue;
    chosen.push_back(&version);
    sids_.insert(sids_.end(), version.sids.begin(), version.sids.end());
  }
  const std::string comma = report_.files > 0 ? "," : "";
  ++report_.files;
  report_.versions += static_cast<std::int64_t>(chosen.size());
  return add_to_index(comma + to_json(file, chosen));
}

std::string exporter::to_json(const wire::file_record& file,
                              const std::vector<const wire::version_record*>& versions) {
  wire::json_writer out;
  out.begin_object().key("file_id").id(file.id).key("domain_id").id(file.domain).key("heads").ids(file.heads);
  out.key("versions").begin_array();
  for (const wire::version_record* one : versions) {
    out.begin_object()
        .key("version_id")
        .id(one->id)
        .key("parents")
        .ids(one->parents)
        .key("sids")
        .ids(one->sids);
    out.key("bytes").integer(one->bytes).key("manifest_ct").base64(one->manifest_ct);
    out.key("manifest_nonce").base64(one->manifest_nonce.view());
    out.key("deleted").boolean(one->deleted).end_object();
  }
  return out.end_array().end_object().take();
}

status exporter::write_chunk(appender& out, const chunk_sid& sid) {
  auto chunk = chunks_->open(wish_.account, sid);
  if (!chunk) return chunk.error();
  if (!*chunk)
    return error{errc::corrupt, "chunk " + sid.hex() +
                                    " is missing; `obsync sync --verify` on a device that has the "
                                    "file sends it again"};
  if ((*chunk)->size > length_max) return error{errc::corrupt, "chunk " + sid.hex() + " is too large"};
  if (const status done = out.add(big_endian((*chunk)->size)); !done) return done;
  if (const status done = write_body(out, sid, **chunk); !done) return done;
  ++report_.chunks;
  report_.bytes += static_cast<std::int64_t>((*chunk)->size);
  return {};
}

status exporter::write_body(appender& out, const chunk_sid& sid, open_chunk& chunk) {
  crypto::sha256_stream hash;
  std::uint64_t written = 0;
  if (const auto* whole = std::get_if<bytes>(&chunk.body)) {
    hash.update(*whole);
    written = whole->size();
    if (const status done = out.add(*whole); !done) return done;
  } else {
    disk_file& file = *std::get<std::unique_ptr<disk_file>>(chunk.body);
    slice_.resize(slice_bytes);
    for (bool more = true; more;) {
      const auto got = file.read_at(written, slice_);
      if (!got) return error{got.error().code, "chunk " + sid.hex() + ": " + got.error().detail};
      const byte_view part = byte_view(slice_).first(*got);
      hash.update(part);
      if (const status done = out.add(part); !done) return done;
      written += *got;
      more = *got == slice_.size();
    }
  }
  if (written == chunk.size && hash.finish().raw == sid.raw) return {};
  return error{errc::corrupt,
               "chunk " + sid.hex() + " is not what its name says; see `obsyncd check --deep`"};
}

}  // namespace

result<export_report> export_account(disk& on, const check_places& live, const export_wish& wish,
                                     const std::string& to,
                                     const std::function<void(const export_report&)>& told) {
  if (on.size_of(to).ok()) return error{errc::exists, to + " is there already"};
  exporter one(on, live, wish, told);
  if (const status ready = one.open(); !ready) return ready.error();
  const std::string part = to + ".part";
  if (const status cleared = on.remove(part); !cleared && cleared.error().code != errc::not_found)
    return cleared.error();
  const auto file = on.create(part);
  if (!file) return file.error();
  status done = one.write(**file);
  if (done && on.size_of(to).ok()) done = error{errc::exists, to + " is there already"};
  if (done) done = on.rename(part, to);
  if (!done) {
    static_cast<void>(on.remove(part));
    return done.error();
  }
  if (const status named = on.sync_folder(to.substr(0, std::max<std::size_t>(to.rfind('/'), 1))); !named)
    return named.error();
  return one.report();
}

}  // namespace obsync::store
