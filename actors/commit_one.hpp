// One operation committed by the journal, and what became of it: what every actor that owns no batch asks of
// it.
#pragma once

#include <caf/duration.hpp>
#include <caf/event_based_actor.hpp>

#include <memory>
#include <utility>

#include "actors/messages.hpp"

namespace obsync::actors {

// Calls `then` once with the outcome, on `self`'s thread; a journal that is gone is journal_faulted.
template <class Then>
void commit_one(caf::event_based_actor* self, const caf::actor& journal, store::operation operation,
                Then then) {
  auto wish = std::make_shared<commit_request>();
  wish->operations.push_back(std::move(operation));
  self->request(journal, caf::infinite, std::move(wish))
      .then([then](const commit_reply_ptr& reply) { then(reply->outcomes.front()); },
            [then](const caf::error&) {
              const store::commit_outcome gone =
                  wire::failure{wire::refusal::journal_faulted, "the journal has stopped"};
              then(gone);
            });
}

}  // namespace obsync::actors
