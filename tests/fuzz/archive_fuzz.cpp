// An archive from a stranger: what opens is written again byte for byte from what was read, and every chunk
// that it names is there. The first byte of a seed says whether the rest is an archive as it is, or an index
// to put into one, so that the digests do not keep the fuzzer from the parser.
#include <cstdlib>

#include "crypto/digest.hpp"
#include "tests/support/memory_file.hpp"
#include "wire/archive_reader.hpp"
#include "wire/archive_writer.hpp"

using namespace obsync;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

// Writes what it hears of.
class copier final : public wire::archive_visitor {
 public:
  copier(wire::archive_writer& to, bool with_time) : to_(to), with_time_(with_time) {}
  status begin_file(const wire::archived_file& file) override { return to_.begin_file(file); }
  status version(const wire::version_record& version) override { return to_.version(version, with_time_); }
  status end_file() override { return to_.end_file(); }

 private:
  wire::archive_writer& to_;
  bool with_time_;
};

void copy(wire::archive_reader& from, disk_file& to) {
  wire::archive_writer out(to);
  require(out.begin(from.header()).ok());
  copier again(out, true);
  require(from.visit(again).ok());
  const digest proof = from.proof();
  require(out.end_index([&](const digest&) { return proof; }).ok());
  for (const chunk_sid& sid : out.names()) {
    const auto body = from.chunk(sid);
    require(body.ok() && body->has_value());
    require(out.begin_chunk(sid, (*body)->size()).ok());
    require(out.chunk_part(**body).ok() && out.end_chunk().ok());
  }
  require(out.finish().ok());
}

bytes around(byte_view index) {
  bytes out;
  append(out, wire::archive_magic);
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back(static_cast<std::uint8_t>(index.size() >> shift));
  append(out, index);
  append(out, crypto::sha256(index).view());
  append(out, digest{}.view());
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const byte_view rest(data + 1, size - 1);
  test::memory_file given(data[0] == 'i' ? around(rest) : bytes(rest.begin(), rest.end()));
  const auto read = wire::archive_reader::open(given, {});
  if (!read) return 0;
  // Written as we write, it reads as the same and is then the same to the last byte.
  test::memory_file once;
  copy(**read, once);
  const auto second = wire::archive_reader::open(once, {});
  require(second.ok());
  require((*second)->file_count() == (*read)->file_count());
  require((*second)->version_count() == (*read)->version_count());
  require((*second)->chunk_count() == (*read)->chunk_count());
  test::memory_file twice;
  copy(**second, twice);
  require(once.data == twice.data);
  return 0;
}
