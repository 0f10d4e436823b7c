#include "store/small_copies.hpp"

#include <utility>

#include "crypto/digest.hpp"

namespace obsync::store {

small_copies::small_copies(std::vector<small_reader_opener> mirrors,
                           std::shared_ptr<const mirror_watch> watch)
    : openers_(std::move(mirrors)), readers_(openers_.size()), watch_(std::move(watch)) {}

void small_copies::open_anew() {
  for (auto& reader : readers_) reader.reset();
}

small_reader* small_copies::reader_of(std::size_t mirror) {
  if (!readers_[mirror]) {
    auto opened = openers_[mirror]();
    if (opened.ok()) readers_[mirror] = std::move(*opened);
  }
  return readers_[mirror].get();
}

small_copies_report small_copies::look(const account_id& account, const chunk_sid& sid) {
  small_copies_report out;
  for (std::size_t i = 0; i < readers_.size(); ++i) {
    if (watch_->is_behind(i)) {
      readers_[i].reset();
      continue;
    }
    ++out.wrong;
    small_reader* reader = reader_of(i);
    if (reader == nullptr) continue;
    auto body = reader->get(account, sid);
    if (!body.ok()) readers_[i].reset();
    if (!body.ok() || !*body) continue;
    out.bytes_read += std::ssize(**body);
    if (crypto::sha256(**body).raw != sid.raw) continue;
    --out.wrong;
    if (!out.right) out.right = std::move(**body);
  }
  return out;
}

}  // namespace obsync::store
