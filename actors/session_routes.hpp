// What a device may ask once its credential is proved: each route parses its request, hands it to the actor
// that owns the answer, and answers what comes back. Part of the session: lives in it, runs on its thread.
#pragma once

#include <caf/event_based_actor.hpp>

#include <functional>

#include "actors/batch_run.hpp"
#include "actors/messages.hpp"
#include "actors/replay_horizon.hpp"
#include "actors/session.hpp"

namespace obsync::actors {

class session_routes {
 public:
  // `self` and `horizon` are the session's and outlive this.
  session_routes(caf::event_based_actor* self, const session_deps& deps, replay_horizon& horizon,
                 const account_id& account, const device_id& device)
      : self_(self), deps_(deps), horizon_(horizon), account_(account), device_(device) {}

  // Every route but `changes`, whose polls the session parks itself.
  void handle(const call_ptr& call);
  void read(const call_ptr& call);

 private:
  using answer_with = std::function<reply(const store::committed&)>;
  // Commits one operation and answers the call: what `answer` makes of success, or the refusal.
  void commit(const call_ptr& call, store::operation operation, answer_with answer);
  // Commits the operations together and tells `done` what became of each.
  void commit_all(const call_ptr& call, std::vector<store::operation> operations, committed_all done);
  void ride_along(const call_ptr& call, commit_request& wish, std::int64_t& horizon_s);

  void register_recovery(const call_ptr& call);
  void patch_device(const call_ptr& call);
  void revoke_device(const call_ptr& call);
  void archive_device(const call_ptr& call);
  void heartbeat(const call_ptr& call);
  void put_chunk(const call_ptr& call);
  void post_version(const call_ptr& call);
  void batch(const call_ptr& call);
  void note(const request& req, wire::sighting_kind kind) const;

  caf::event_based_actor* self_;
  const session_deps& deps_;
  replay_horizon& horizon_;
  account_id account_;
  device_id device_;
};

}  // namespace obsync::actors
