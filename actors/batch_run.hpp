// One batch on its way through the house: its chunks go to the small writer, then its posts to the journal,
// and what became of each item is gathered for one answer. Plain data; part of the session, on its thread.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "actors/messages.hpp"
#include "wire/batch.hpp"

namespace obsync::actors {

using committed_all = std::function<void(std::span<const store::commit_outcome>)>;

struct batch_owner {
  account_id account;
  device_id device;
  std::int64_t now_ms = 0;
};

class batch_run {
 public:
  // The views of `received` are into the call's body, which stays untouched until take_posts.
  batch_run(call_ptr call, const batch_owner& owner, wire::received_batch&& received);

  // Chunks that may be stored; those that may not have their outcome already.
  bool has_chunks() const { return !chunk_at_.empty(); }
  small_batch_ptr take_chunks();
  // One outcome for each chunk taken.
  void stored(std::vector<wire::outcome<wire::batch_stored>>&& outcomes);

  // Posts that passed the checks that need no store. Taking them lets go of the request's body.
  bool has_posts() const { return !post_at_.empty(); }
  std::vector<store::operation> take_posts();
  // The answer, given one outcome for each post taken.
  reply finish(std::span<const store::commit_outcome> outcomes);

 private:
  void check_chunk(std::size_t at);
  void check_post(std::size_t at);

  call_ptr call_;
  batch_owner owner_;
  wire::received_batch received_;
  wire::batch_answer answer_;
  std::vector<std::size_t> chunk_at_;  // which chunks were taken, in order
  std::vector<std::size_t> post_at_;
};

}  // namespace obsync::actors
