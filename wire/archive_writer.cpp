#include "wire/archive_writer.hpp"

#include "wire/json_writer.hpp"

namespace obsync::wire {

namespace {

constexpr std::size_t waiting_bytes_max = 256u << 10;

bytes big_endian(std::uint64_t length) {
  bytes out;
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(length >> shift));
  return out;
}

}  // namespace

status archive_writer::flush() {
  const status done = to_.write_at(at_, waiting_);
  at_ += waiting_.size();
  waiting_.clear();
  return done;
}

status archive_writer::add(byte_view data) {
  append(waiting_, data);
  return waiting_.size() < waiting_bytes_max ? status{} : flush();
}

status archive_writer::add_to_index(std::string_view text) {
  index_hash_.update(as_bytes(text));
  index_bytes_ += text.size();
  return add(as_bytes(text));
}

status archive_writer::begin(const archive_header& header) {
  if (const status done = add(as_bytes(archive_magic)); !done) return done;
  if (const status done = add(big_endian(0)); !done) return done;  // the length comes last
  json_writer out;
  out.begin_object().key("v").integer(1).key("source").string(header.source);
  out.key("scope").string(header.scope ? header.scope->hex() : std::string(archive_whole_account));
  out.key("snapshot").integer(header.snapshot).key("files").begin_array().end_array().end_object();
  const std::string whole = out.take();
  const std::size_t inside = whole.size() - 2;  // before `]}`
  index_end_ = whole.substr(inside);
  return add_to_index(std::string_view(whole).substr(0, inside));
}

status archive_writer::begin_file(const archived_file& file) {
  json_writer out;
  out.begin_object().key("file_id").id(file.id).key("domain_id").id(file.domain).key("heads").ids(file.heads);
  out.key("versions").begin_array();
  versions_ = 0;
  return add_to_index((files_++ > 0 ? "," : "") + out.take());
}

status archive_writer::version(const version_record& one, bool with_time) {
  for (const chunk_sid& sid : one.sids) names_.add(sid);
  json_writer out(512 + 67 * (one.parents.size() + one.sids.size()) + one.manifest_ct.size() * 4 / 3);
  out.begin_object().key("version_id").id(one.id).key("parents").ids(one.parents).key("sids").ids(one.sids);
  out.key("bytes").integer(one.bytes).key("manifest_ct").base64(one.manifest_ct);
  out.key("manifest_nonce").id(one.manifest_nonce);
  if (with_time) out.key("ts").integer(one.ts_ms);
  out.key("deleted").boolean(one.deleted).end_object();
  return add_to_index((versions_++ > 0 ? "," : "") + out.take());
}

status archive_writer::end_file() {
  return add_to_index("]}");
}

status archive_writer::end_index(const std::function<digest(const digest&)>& vouch) {
  if (const status done = add_to_index(index_end_); !done) return done;
  if (index_bytes_ > archive_length_max)
    return error{errc::unsupported, "the index of so many versions does not fit an archive"};
  if (const status done = flush(); !done) return done;
  if (const status done = to_.write_at(archive_magic.size(), big_endian(index_bytes_)); !done) return done;
  const digest index = index_hash_.finish();
  if (const status done = add(index.view()); !done) return done;
  return add((vouch ? vouch(index) : digest{}).view());
}

status archive_writer::begin_chunk(const chunk_sid& sid, std::uint64_t size) {
  if (size > archive_length_max) return error{errc::corrupt, "chunk " + sid.hex() + " is too large"};
  sid_ = sid;
  chunk_bytes_left_ = size;
  chunk_too_long_ = false;
  return add(big_endian(size));
}

status archive_writer::chunk_part(byte_view part) {
  chunk_too_long_ = chunk_too_long_ || part.size() > chunk_bytes_left_;
  chunk_bytes_left_ -= chunk_too_long_ ? 0 : part.size();
  chunk_hash_.update(part);
  return add(part);
}

status archive_writer::end_chunk() {
  const digest found = chunk_hash_.finish();
  if (!chunk_too_long_ && chunk_bytes_left_ == 0 && found.raw == sid_.raw) return {};
  return error{errc::corrupt, "chunk " + sid_.hex() + " is not what its name says"};
}

}  // namespace obsync::wire
