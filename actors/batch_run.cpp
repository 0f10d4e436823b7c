#include "actors/batch_run.hpp"

#include <utility>

#include "wire/limits.hpp"

namespace obsync::actors {

namespace {

using wire::failure;
using wire::refusal;

}  // namespace

batch_run::batch_run(call_ptr call, const batch_owner& owner, wire::received_batch&& received)
    : call_(std::move(call)), owner_(owner), received_(std::move(received)) {
  const failure unanswered = {refusal::io_error, "the item was not reached"};
  answer_.chunks.assign(received_.chunks.size(), unanswered);
  answer_.posts.assign(received_.posts.size(), unanswered);
  for (std::size_t at = 0; at < received_.chunks.size(); ++at) check_chunk(at);
  for (std::size_t at = 0; at < received_.posts.size(); ++at) check_post(at);
}

void batch_run::check_chunk(std::size_t at) {
  if (received_.chunks[at].sealed.size() <= wire::batch_chunk_bytes_max) return chunk_at_.push_back(at);
  answer_.chunks[at] =
      failure{refusal::body_too_large, "a chunk of a batch is at most 64 KiB; send it alone"};
}

void batch_run::check_post(std::size_t at) {
  const wire::outcome<wire::batch_post>& asked = received_.posts[at];
  if (!asked) {
    answer_.posts[at] = asked.error();
    return;
  }
  const wire::version_post& post = asked->post;
  if (auto refused = wire::check_version_id(asked->file, post)) {
    answer_.posts[at] = std::move(*refused);
    return;
  }
  post_at_.push_back(at);
}

small_batch_ptr batch_run::take_chunks() {
  auto out = std::make_shared<small_batch>();
  out->call = call_;
  out->account = owner_.account;
  for (const std::size_t at : chunk_at_) out->chunks.push_back(received_.chunks[at]);
  return out;
}

void batch_run::stored(std::vector<wire::outcome<wire::batch_stored>>&& outcomes) {
  for (std::size_t i = 0; i < chunk_at_.size() && i < outcomes.size(); ++i)
    answer_.chunks[chunk_at_[i]] = std::move(outcomes[i]);
}

std::vector<store::operation> batch_run::take_posts() {
  // What must be kept is parsed or stored; keeping the text until the flush would double what a batch weighs.
  received_.chunks.clear();
  call_->req.body = std::string();
  std::vector<store::operation> out;
  for (const std::size_t at : post_at_) {
    wire::batch_post& one = *received_.posts[at];
    out.emplace_back(
        store::post_version{owner_.account, owner_.device, one.file, std::move(one.post), owner_.now_ms, 0});
  }
  return out;
}

reply batch_run::finish(std::span<const store::commit_outcome> outcomes) {
  for (std::size_t i = 0; i < post_at_.size() && i < outcomes.size(); ++i) {
    wire::outcome<wire::batch_posted>& to = answer_.posts[post_at_[i]];
    const auto* stored = outcomes[i].ok() ? std::get_if<store::posted>(&*outcomes[i]) : nullptr;
    if (stored != nullptr) {
      to = wire::batch_posted{stored->created, stored->answer};
    } else if (!outcomes[i].ok()) {
      to = outcomes[i].error();
    }
  }
  return ok(wire::to_json(answer_));
}

}  // namespace obsync::actors
