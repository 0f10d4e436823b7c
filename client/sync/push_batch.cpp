#include "client/sync/push_batch.hpp"

#include <algorithm>

#include "crypto/aead.hpp"

namespace obsync::client {

namespace {

// A batch is sent once this much has been gathered: enough to hide the round trip, little enough that a lost
// connection costs little.
constexpr std::int64_t group_bytes_max = 2 << 20;
// What a version without its chunks takes in a request, roughly and rather too much.
constexpr std::int64_t post_bytes = 4 << 10;

// A file that is read from the folder, in one chunk the server takes in a batch.
bool fits(const push& act, const wire::batch_limits& limits) {
  return act.kind == item_kind::file && act.from == push::source::local && act.copies.empty() &&
         act.expected.size + std::int64_t{crypto::aead_tag_bytes} <= limits.chunk_bytes_max;
}

remote_error as_error(const wire::failure& refused) {
  remote_error out{remote_error::kind::refused, refused.code, refused.detail, {}};
  out.missing = wire::missing_of("{" + refused.members + "}");
  return out;
}

}  // namespace

push_groups group_pushes(const std::vector<const push*>& acts,
                         const std::optional<wire::batch_limits>& limits) {
  push_groups out;
  if (!limits) {
    out.alone = acts;
    return out;
  }
  const auto count_max = static_cast<std::size_t>(std::min(limits->chunks_max, limits->posts_max));
  const std::int64_t bytes_max = std::min(group_bytes_max, limits->body_bytes_max / 2);
  std::int64_t bytes = 0;
  for (const push* act : acts) {
    if (!fits(*act, *limits)) {
      out.alone.push_back(act);
      continue;
    }
    const std::int64_t weight = act->expected.size + post_bytes;
    const bool full =
        out.together.empty() || out.together.back().size() >= count_max || bytes + weight > bytes_max;
    if (full) {
      out.together.emplace_back();
      bytes = 0;
    }
    out.together.back().push_back(act);
    bytes += weight;
  }
  return out;
}

void push_batch::run(const std::vector<const push*>& acts) {
  for (const push* act : acts) {
    if (session_.must_stop()) return;
    prepare(*act);
  }
  if (items_.empty() || session_.must_stop()) return;
  const auto answer = send();
  for (std::size_t i = 0; i < items_.size(); ++i) {
    item& one = items_[i];
    if (!answer) {
      one.job.complete(std::move(one.sealed), answer.error());
    } else if (answer->posts[i]) {
      one.job.complete(std::move(one.sealed), answer->posts[i]->answer);
    } else {
      one.job.complete(std::move(one.sealed), as_error(answer->posts[i].error()));
    }
  }
}

void push_batch::prepare(const push& act) {
  publishing job(session_, act);
  auto sealed = job.prepare([this](sealed_chunk&& chunk) -> remote_result<void> {
    chunks_.push_back(std::move(chunk));
    return {};
  });
  if (sealed) items_.push_back({std::move(job), std::move(*sealed)});
}

remote_result<wire::batch_answer> push_batch::send() {
  wire::batch_request request;
  for (const sealed_chunk& chunk : chunks_) request.chunks.push_back({chunk.sid, chunk.ciphertext});
  for (const item& one : items_) request.posts.push_back({one.sealed.id, one.sealed.post});
  return session_.server.batch(request);
}

}  // namespace obsync::client
