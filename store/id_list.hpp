// Lists of ids as the databases hold them: the raw ids one after another, in order, without a count.
#pragma once

#include <optional>
#include <vector>

#include "core/bytes.hpp"
#include "core/ids.hpp"

namespace obsync::store {

template <class Id>
bytes join_ids(const std::vector<Id>& ids) {
  bytes out;
  out.reserve(ids.size() * Id::size);
  for (const Id& one : ids) append(out, one.view());
  return out;
}

// Nothing when the length is no multiple of the id's width.
template <class Id>
std::optional<std::vector<Id>> split_ids(byte_view joined) {
  if (joined.size() % Id::size != 0) return std::nullopt;
  std::vector<Id> ids(joined.size() / Id::size);
  for (std::size_t at = 0; at < ids.size(); ++at)
    ids[at] = *Id::from(joined.subspan(at * Id::size, Id::size));
  return ids;
}

}  // namespace obsync::store
