#include "store/export_archive.hpp"

#include "core/new_file.hpp"
#include "store/blob_store.hpp"
#include "store/chunk_reader.hpp"
#include "store/export_reader.hpp"
#include "store/small_store.hpp"
#include "wire/archive_writer.hpp"

namespace obsync::store {

namespace {

constexpr std::size_t slice_bytes = 1 << 20;
constexpr std::int64_t cache_bytes = 4 << 20;
constexpr int attempts_max = 5;

class exporter final : wire::archive_visitor {
 public:
  exporter(const check_places& live, const export_wish& wish,
           const std::function<void(const export_report&)>& told)
      : live_(live), wish_(wish), told_(told) {}

  status open(disk& on);
  // One attempt, into an empty file. When it fails and `lacking` is set, that chunk was not there.
  status write(disk_file& to);
  const std::optional<chunk_sid>& lacking() const { return lacking_; }
  const export_report& report() const { return report_; }

 private:
  status begin_file(const wire::archived_file& file) override;
  status version(const wire::version_record& version) override;
  status end_file() override { return out_->end_file(); }
  status write_index();
  status look_for_chunks();
  status write_chunk(const chunk_sid& sid);
  status write_body(const chunk_sid& sid, open_chunk& chunk);
  status lack(const chunk_sid& sid);

  const check_places& live_;
  const export_wish& wish_;
  const std::function<void(const export_report&)>& told_;
  std::unique_ptr<blob_store> blobs_;
  std::unique_ptr<chunk_source> chunks_;
  std::optional<wire::archive_writer> out_;
  std::optional<chunk_sid> lacking_;
  export_report report_;
  bytes slice_;
};

status exporter::open(disk& on) {
  auto small = open_small_reader({live_.blobs_folder, cache_bytes});
  if (!small) return small.error();
  blobs_ = view_blob_store(on, {live_.blobs_folder, {}});
  chunks_ = std::make_unique<chunk_source>(std::move(*small), *blobs_);
  return {};
}

status exporter::write(disk_file& to) {
  report_ = {};
  lacking_.reset();
  out_.emplace(to);
  if (const status done = write_index(); !done) return done;
  if (const status done = look_for_chunks(); !done) return done;
  for (const chunk_sid& sid : out_->names()) {
    if (const status done = write_chunk(sid); !done) return done;
    told_(report_);
  }
  return out_->finish();
}

status exporter::write_index() {
  const auto catalog = open_export_reader({live_.journal_folder, cache_bytes});
  if (!catalog) return catalog.error();
  const auto head = (*catalog)->head(wish_.account);
  if (!head) return head.error();
  if (!*head) return error{errc::not_found, "there is no such account"};
  const wire::archive_header header{std::string(wire::archive_from_server), wish_.domain, **head};
  if (const status done = out_->begin(header); !done) return done;
  if (const status done = (*catalog)->visit(wish_.account, wish_.domain, wish_.history, *this); !done)
    return done;
  return out_->end_index({});  // a server has no key to vouch with
}

status exporter::begin_file(const wire::archived_file& file) {
  ++report_.files;
  told_(report_);
  return out_->begin_file(file);
}

status exporter::version(const wire::version_record& version) {
  ++report_.versions;
  return out_->version(version, wish_.history);
}

status exporter::lack(const chunk_sid& sid) {
  lacking_ = sid;
  return error{errc::corrupt,
               "chunk " + sid.hex() +
                   " is missing; `obsync sync --verify` on a device that has the file sends it "
                   "again"};
}

// Before hours of copying, for what is missing now will be missing then.
status exporter::look_for_chunks() {
  for (const chunk_sid& sid : out_->names()) {
    const auto there = chunks_->has(wish_.account, sid);
    if (!there) return error{there.error().code, "chunk " + sid.hex() + ": " + there.error().detail};
    if (!*there) return lack(sid);
  }
  return {};
}

status exporter::write_chunk(const chunk_sid& sid) {
  auto chunk = chunks_->open(wish_.account, sid);
  if (!chunk) return error{chunk.error().code, "chunk " + sid.hex() + ": " + chunk.error().detail};
  if (!*chunk) return lack(sid);
  if (const status done = out_->begin_chunk(sid, (*chunk)->size); !done) return done;
  if (const status done = write_body(sid, **chunk); !done) return done;
  const status whole = out_->end_chunk();
  if (!whole) return error{whole.error().code, whole.error().detail + "; see `obsyncd check --deep`"};
  ++report_.chunks;
  report_.bytes += static_cast<std::int64_t>((*chunk)->size);
  return {};
}

status exporter::write_body(const chunk_sid& sid, open_chunk& chunk) {
  if (const auto* whole = std::get_if<bytes>(&chunk.body)) return out_->chunk_part(*whole);
  disk_file& file = *std::get<std::unique_ptr<disk_file>>(chunk.body);
  slice_.resize(slice_bytes);
  std::uint64_t at = 0;
  for (bool more = true; more;) {
    const auto got = file.read_at(at, slice_);
    if (!got) return error{got.error().code, "chunk " + sid.hex() + ": " + got.error().detail};
    if (const status done = out_->chunk_part(byte_view(slice_).first(*got)); !done) return done;
    at += *got;
    more = *got == slice_.size();
  }
  return {};
}

}  // namespace

result<export_report> export_account(disk& on, const check_places& live, const export_wish& wish,
                                     const std::string& to,
                                     const std::function<void(const export_report&)>& told) {
  exporter one(live, wish, told);
  if (const status ready = one.open(on); !ready) return ready.error();
  std::optional<chunk_sid> lacked;
  for (int attempt = 1;; ++attempt) {
    const auto file = new_file::begin(on, to);
    if (!file) return file.error();
    status done = one.write((*file)->file());
    if (done) done = (*file)->publish();
    if (done) return one.report();
    // Lacking twice, it is lacking in the store and was not just collected.
    if (!one.lacking() || one.lacking() == lacked || attempt == attempts_max) return done.error();
    lacked = one.lacking();
  }
}

}  // namespace obsync::store
