#include "store/file_copy.hpp"

namespace obsync::store {

namespace {

constexpr std::size_t slice_bytes = 256 << 10;

}  // namespace

status copy_file(disk& on, const std::string& from, const std::string& to) {
  const auto source = on.open(from);
  if (!source.ok()) return source.error();
  const auto target = on.create(to);
  if (!target.ok()) return target.error();
  bytes slice(slice_bytes);
  for (std::uint64_t at = 0;;) {
    const auto got = (*source)->read_at(at, slice);
    if (!got.ok()) return got.error();
    if (const status done = (*target)->write_at(at, byte_view(slice).first(*got)); !done) return done;
    at += *got;
    if (*got < slice.size()) break;
  }
  return (*target)->sync();
}

}  // namespace obsync::store
