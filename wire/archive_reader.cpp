#include "wire/archive_reader.hpp"

#include <algorithm>

#include "crypto/digest.hpp"
#include "wire/limits.hpp"
#include "wire/name_set.hpp"

namespace obsync::wire {

namespace {

constexpr std::size_t length_bytes = 4;
constexpr std::size_t slice_bytes = 1u << 20;
constexpr std::uint64_t index_at = archive_magic.size() + length_bytes;

class name_collector final : public archive_visitor {
 public:
  status begin_file(const archived_file&) override { return {}; }
  status version(const version_record& version) override {
    for (const chunk_sid& sid : version.sids) names.add(sid);
    return {};
  }
  status end_file() override { return {}; }

  name_set names;
};

error corrupt(const std::string& what) {
  return {errc::corrupt, "the archive is damaged: " + what};
}

}  // namespace

result<std::unique_ptr<archive_reader>> archive_reader::open(disk_file& from,
                                                             const std::function<void(std::uint64_t)>& told) {
  std::unique_ptr<archive_reader> out(new archive_reader(from));
  if (const status done = out->read_all(told); !done) return done.error();
  return out;
}

result<bytes> archive_reader::read(std::uint64_t at, std::size_t size) {
  bytes out(size);
  const auto got = from_.read_at(at, out);
  if (!got) return got.error();
  if (*got < size) return corrupt("it ends too early");
  return out;
}

result<std::uint32_t> archive_reader::read_length(std::uint64_t at) {
  const auto raw = read(at, length_bytes);
  if (!raw) return raw.error();
  std::uint32_t out = 0;
  for (const std::uint8_t one : *raw) out = out << 8 | one;
  return out;
}

status archive_reader::read_all(const std::function<void(std::uint64_t)>& told) {
  const auto size = from_.size();
  if (!size) return size.error();
  size_ = *size;
  const error no_archive{errc::invalid, "this is no archive of obsync's"};
  if (size_ < index_at) return no_archive;
  const auto magic = read(0, archive_magic.size());
  if (!magic) return magic.error();
  if (as_text(*magic) != archive_magic) {
    const bool is_later = as_text(*magic).starts_with(archive_magic.substr(0, archive_magic.size() - 2));
    return is_later ? error{errc::unsupported, "an archive of a format this program does not know"}
                    : no_archive;
  }
  const auto length = read_length(archive_magic.size());
  if (!length) return length.error();
  index_bytes_ = *length;
  const std::uint64_t chunks_at = index_at + index_bytes_ + 2 * digest::size;
  if (chunks_at > size_) return corrupt("it ends within its index");
  const auto digests = read(index_at + index_bytes_, 2 * digest::size);
  if (!digests) return digests.error();
  name_collector named;
  const auto index = read_archive_index(from_, index_at, index_bytes_, named);
  if (!index) return index.error();
  index_ = *index;
  if (!std::equal(index_.hash.raw.begin(), index_.hash.raw.end(), digests->begin()))
    return corrupt("its index is not the one its digest says");
  proof_ = *digest::from(byte_view(*digests).subspan(digest::size));
  return read_chunks(chunks_at, named.names.sorted(), told);
}

status archive_reader::read_chunks(std::uint64_t at, const std::vector<chunk_sid>& named,
                                   const std::function<void(std::uint64_t)>& told) {
  for (const chunk_sid& expected : named) {
    if (at == size_) return corrupt("it ends before chunk " + expected.hex());
    const auto size = read_length(at);
    if (!size) return size.error();
    if (*size > chunk_sealed_bytes_max) return corrupt("a chunk is larger than chunks are");
    at += length_bytes;
    const auto sid = hash_chunk(at, *size);
    if (!sid) return sid.error();
    if (*sid != expected)
      return corrupt("where chunk " + expected.hex() + " is expected there are other bytes");
    chunks_.push_back({*sid, at, *size});
    at += *size;
    if (told) told(at);
  }
  return at == size_ ? status{} : corrupt("something follows its last chunk");
}

result<chunk_sid> archive_reader::hash_chunk(std::uint64_t at, std::uint64_t size) {
  crypto::sha256_stream hash;
  slice_.resize(slice_bytes);
  while (size > 0) {
    const std::span<std::uint8_t> part =
        std::span(slice_).first(static_cast<std::size_t>(std::min<std::uint64_t>(size, slice_bytes)));
    const auto got = from_.read_at(at, part);
    if (!got) return got.error();
    if (*got < part.size()) return corrupt("it ends within a chunk");
    hash.update(part);
    at += part.size();
    size -= part.size();
  }
  return chunk_sid{hash.finish().raw};
}

status archive_reader::visit(archive_visitor& visitor) {
  const auto again = read_archive_index(from_, index_at, index_bytes_, visitor);
  if (!again) return again.error();
  return again->hash == index_.hash ? status{} : corrupt("it changed while it was read");
}

result<std::optional<bytes>> archive_reader::chunk(const chunk_sid& sid) {
  const auto found =
      std::lower_bound(chunks_.begin(), chunks_.end(), sid,
                       [](const placed_chunk& one, const chunk_sid& wanted) { return one.sid < wanted; });
  if (found == chunks_.end() || found->sid != sid) return std::optional<bytes>();
  auto out = read(found->at, found->size);
  if (!out) return out.error();
  if (crypto::sha256(*out).raw != sid.raw) return corrupt("it changed while it was read");
  return std::optional(std::move(*out));
}

}  // namespace obsync::wire
