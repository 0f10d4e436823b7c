// Small files posted together: their chunks and versions in one request, where the server takes batches. One
// thread; internal to this folder.
#pragma once

#include <deque>
#include <vector>

#include "client/sync/publishing.hpp"

namespace obsync::client {

// Splits into what goes in batches, each group being one request, and what goes alone. Everything goes alone
// when the server takes no batches.
struct push_groups {
  std::vector<std::vector<const push*>> together;
  std::vector<const push*> alone;
};
push_groups group_pushes(const std::vector<const push*>& acts,
                         const std::optional<wire::batch_limits>& limits);

class push_batch {
 public:
  explicit push_batch(sync_session& session) : session_(session) {}

  // Each act ends as if it had been published alone.
  void run(const std::vector<const push*>& acts);

 private:
  struct item {
    publishing job;
    sealed_post sealed;
  };

  void prepare(const push& act);
  remote_result<wire::batch_answer> send();

  sync_session& session_;
  std::vector<item> items_;
  std::deque<sealed_chunk> chunks_;  // a deque: the request holds views into it
};

}  // namespace obsync::client
