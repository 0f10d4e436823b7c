// A batch's body from a hostile device: every chunk lies inside the body, one after another, and what was
// read whole reads the same when it is written again.
#include <cstdlib>
#include <string>

#include "core/bytes.hpp"
#include "wire/batch.hpp"

using namespace obsync;

namespace {

void check_chunks(std::string_view body, const wire::received_batch& read) {
  const auto* read_to = reinterpret_cast<const std::uint8_t*>(body.data());
  const std::uint8_t* const end = read_to + body.size();
  for (const wire::batch_chunk& one : read.chunks) {
    if (one.sealed.empty()) continue;
    if (one.sealed.data() < read_to || one.sealed.data() + one.sealed.size() > end) std::abort();
    read_to = one.sealed.data() + one.sealed.size();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body = as_text({data, size});
  const auto read = wire::read_batch(body);
  if (!read) return 0;
  check_chunks(body, *read);
  wire::batch_request again{read->chunks, {}};
  for (const auto& post : read->posts)
    if (post) again.posts.push_back(*post);
  const std::string written = wire::to_body(again);
  const auto second = wire::read_batch(written);
  if (!second || second->chunks.size() != again.chunks.size() || second->posts.size() != again.posts.size())
    std::abort();
  for (const auto& post : second->posts)
    if (!post) std::abort();
  return 0;
}
