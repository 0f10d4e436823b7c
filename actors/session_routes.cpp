#include "actors/session_routes.hpp"

#include <algorithm>

#include "actors/query.hpp"
#include "actors/spawn.hpp"
#include "core/log.hpp"
#include "wire/account.hpp"
#include "wire/device.hpp"
#include "wire/version.hpp"

namespace obsync::actors {

namespace {

using wire::refusal;

reply bad_device_id() {
  return refuse(refusal::bad_request, "a device is named by 32 lowercase hex digits");
}

bool created_a_version(const store::commit_outcome& outcome) {
  const auto* const stored = outcome.ok() ? std::get_if<store::posted>(&*outcome) : nullptr;
  return stored != nullptr && stored->created;
}

}  // namespace

void session_routes::handle(const call_ptr& call) {
  switch (call->req.where) {
    case route::register_recovery:
      return register_recovery(call);
    case route::create_pairing:
    case route::pairing_status:
    case route::reveal:
    case route::approve:
    case route::reject:
    case route::envelope:
      return self_->send(deps_.pairing, pairing_call{call, account_, device_});
    case route::patch_device:
      return patch_device(call);
    case route::revoke_device:
      return revoke_device(call);
    case route::archive_device:
      return archive_device(call);
    case route::heartbeat:
      return heartbeat(call);
    case route::chunk_put:
      return put_chunk(call);
    case route::post_version:
      return post_version(call);
    case route::batch:
      return batch(call);
    case route::capabilities:
      return call->answer(ok(*deps_.capabilities));
    case route::login_link:
      return self_->send(deps_.front, login_link_call{call, account_, device_});
    default:
      return read(call);
  }
}

void session_routes::read(const call_ptr& call) {
  self_->send(deps_.readers->next(), read_call{call, account_});
}

void session_routes::commit(const call_ptr& call, store::operation operation, answer_with answer) {
  commit_all(call, {std::move(operation)}, [call, answer](std::span<const store::commit_outcome> outcomes) {
    const store::commit_outcome& outcome = outcomes.front();
    call->answer(outcome.ok() ? answer(*outcome) : refuse(outcome.error()));
  });
}

void session_routes::commit_all(const call_ptr& call, std::vector<store::operation> operations,
                                committed_all done) {
  auto wish = std::make_shared<commit_request>();
  std::int64_t horizon_s = 0;
  ride_along(call, *wish, horizon_s);
  for (store::operation& one : operations) wish->operations.push_back(std::move(one));
  self_->request(deps_.journal, caf::infinite, std::move(wish))
      .then(
          [this, call, horizon_s, done](const commit_reply_ptr& reply) {
            guarded("session", call, [&] {
              std::span<const store::commit_outcome> outcomes = reply->outcomes;
              if (horizon_s > 0) {
                if (outcomes.front().ok()) horizon_.landed(horizon_s);
                outcomes = outcomes.subspan(1);
              }
              done(outcomes);
            });
          },
          [call](const caf::error&) {
            call->answer(refuse(refusal::journal_faulted, "the journal has stopped"));
          });
}

// A device that writes carries its horizon forward in the same commit.
void session_routes::ride_along(const call_ptr& call, commit_request& wish, std::int64_t& horizon_s) {
  const auto timestamp = decimal(*call->req.signer.timestamp);
  const auto wanted = horizon_.ride_along(*timestamp);
  if (!wanted) return;
  horizon_s = *wanted;
  wish.operations.emplace_back(store::advance_horizon{device_, horizon_s, {}, {}, {}});
}

void session_routes::register_recovery(const call_ptr& call) {
  const auto body = wire::from_json<wire::recovery_registration>(call->req.body);
  if (!body) return call->answer(refuse(body.error()));
  commit(call, store::register_recovery{account_, body->verifier, deps_.time->now_ms(), {{}, device_}},
         [](const store::committed&) { return no_content(); });
}

void session_routes::patch_device(const call_ptr& call) {
  const auto target = device_id::parse(call->req.params[0]);
  if (!target) return call->answer(bad_device_id());
  auto patch = wire::from_json<wire::device_patch>(call->req.body);
  if (!patch) return call->answer(refuse(patch.error()));
  commit(call, store::patch_device{account_, *target, std::move(*patch)},
         [](const store::committed& value) { return ok(wire::to_json(std::get<wire::device_info>(value))); });
}

void session_routes::revoke_device(const call_ptr& call) {
  const auto target = device_id::parse(call->req.params[0]);
  if (!target) return call->answer(bad_device_id());
  commit(call, store::revoke_device{account_, *target, deps_.time->now_ms(), {{}, device_}},
         [this, target](const store::committed&) {
           // The front hears of it before the revoker does: the next request of that device is refused.
           self_->send(deps_.front, device_revoked{*target});
           log::line(log::level::info, "device_revoked").add("device", target->hex().substr(0, 8));
           return no_content();
         });
}

void session_routes::archive_device(const call_ptr& call) {
  const auto target = device_id::parse(call->req.params[0]);
  if (!target) return call->answer(bad_device_id());
  if (*target == device_) return call->answer(refuse(refusal::own_device, "a device cannot archive itself"));
  commit(call, store::archive_device{account_, *target},
         [](const store::committed&) { return no_content(); });
}

void session_routes::heartbeat(const call_ptr& call) {
  auto body = wire::from_json<wire::heartbeat_request>(call->req.body);
  if (!body) return call->answer(refuse(body.error()));
  commit(call,
         store::record_heartbeat{device_, std::move(*body), deps_.time->now_ms(), call->req.address,
                                 call->req.country},
         [this, call](const store::committed&) {
           note(call->req, wire::sighting_kind::heartbeat);
           return no_content();
         });
}

void session_routes::note(const request& req, wire::sighting_kind kind) const {
  deps_.seen->note(device_, {deps_.time->now_ms(), kind, req.address, req.country});
}

void session_routes::put_chunk(const call_ptr& call) {
  const request& req = call->req;
  const auto sid = chunk_sid::parse(req.params[0]);
  if (!sid) return call->answer(refuse(refusal::bad_request, "a chunk is named by 64 lowercase hex digits"));
  if (req.body_is == body_state::length_required)
    return call->answer(refuse(refusal::length_required, "a chunk is sent with Content-Length"));
  if (req.body_is == body_state::too_large)
    return call->answer(refuse(refusal::body_too_large, "a chunk is at most 8 MiB and 16 bytes"));
  if (req.body_is == body_state::streamed) {
    self_->send(deps_.blob_writers->next(), upload_call{call, account_, *sid});
  } else {
    self_->send(deps_.small_writer, small_chunk_call{call, account_, *sid});
  }
}

void session_routes::post_version(const call_ptr& call) {
  const auto file = file_id::parse(call->req.params[0]);
  if (!file) return call->answer(refuse(refusal::bad_request, "a file is named by 32 lowercase hex digits"));
  auto post = wire::from_json<wire::version_post>(call->req.body);
  if (!post) return call->answer(refuse(post.error()));
  if (const auto refused = wire::check_version_id(*file, *post)) return call->answer(refuse(*refused));
  // The text is parsed; keeping it until the flush would double what a waiting post weighs.
  call->req.body = std::string();
  commit(call, store::post_version{account_, device_, *file, std::move(*post), deps_.time->now_ms(), 0},
         [this, call](const store::committed& value) {
           const auto& stored = std::get<store::posted>(value);
           // The head as the device now knows it, its own post included.
           if (stored.created) note(call->req, wire::sighting_kind::edit);
           call->proved = std::max(call->proved.value_or(0), deps_.heads->of(account_)->load());
           return ok(wire::to_json(stored.answer), stored.created ? 201 : 200);
         });
}

void session_routes::batch(const call_ptr& call) {
  auto read = wire::read_batch(call->req.body);
  if (!read) return call->answer(refuse(read.error()));
  const batch_owner owner{account_, device_, deps_.time->now_ms()};
  const auto run = std::make_shared<batch_run>(call, owner, std::move(*read));
  const auto post = [this, call, run] {
    commit_all(call, run->take_posts(), [this, call, run](std::span<const store::commit_outcome> outcomes) {
      // A batch counts as one sighting, or it would push all others out of the history.
      if (std::any_of(outcomes.begin(), outcomes.end(), created_a_version))
        note(call->req, wire::sighting_kind::edit);
      // The head as the device now knows it, its own posts included.
      call->proved = std::max(call->proved.value_or(0), deps_.heads->of(account_)->load());
      call->answer(run->finish(outcomes));
    });
  };
  const auto next = [call, run, post] { run->has_posts() ? post() : call->answer(run->finish({})); };
  if (!run->has_chunks()) return next();
  self_->request(deps_.small_writer, caf::infinite, run->take_chunks())
      .then(
          [call, run, next](const small_batch_reply_ptr& reply) {
            guarded("session", call, [&] {
              run->stored(std::move(reply->outcomes));
              next();
            });
          },
          [call](const caf::error&) {
            call->answer(refuse(refusal::io_error, "the chunk writer has stopped"));
          });
}

}  // namespace obsync::actors
