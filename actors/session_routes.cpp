#include "actors/session_routes.hpp"

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
    default:
      return read(call);
  }
}

void session_routes::read(const call_ptr& call) {
  self_->send(deps_.readers->next(), read_call{call, account_});
}

void session_routes::commit(const call_ptr& call, store::operation operation, answer_with answer) {
  auto wish = std::make_shared<commit_request>();
  std::int64_t horizon_s = 0;
  ride_along(call, *wish, horizon_s);
  wish->operations.push_back(std::move(operation));
  self_->request(deps_.journal, caf::infinite, std::move(wish))
      .then(
          [this, call, horizon_s, answer](const commit_reply_ptr& reply) {
            guarded("session", call, [&] {
              if (horizon_s > 0 && reply->outcomes.front().ok()) horizon_.landed(horizon_s);
              const store::commit_outcome& outcome = reply->outcomes.back();
              call->answer(outcome.ok() ? answer(*outcome) : refuse(outcome.error()));
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
  commit(call, store::register_recovery{account_, body->verifier, deps_.time->now_ms()},
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
  commit(call, store::revoke_device{account_, *target, deps_.time->now_ms()},
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
         [](const store::committed&) { return no_content(); });
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
  const version_id expected = wire::identify_version(*file, post->parents, post->manifest_ct, post->sids);
  if (expected != post->id)
    return call->answer(
        refuse(wire::failure{refusal::version_id_mismatch, "the version id does not fit its content",
                             "\"expected\":\"" + expected.hex() + "\""}));
  // The text is parsed; keeping it until the flush would double what a waiting post weighs.
  call->req.body = std::string();
  commit(call, store::post_version{account_, device_, *file, std::move(*post), deps_.time->now_ms(), 0},
         [this, call](const store::committed& value) {
           const auto& stored = std::get<store::posted>(value);
           // The head as the device now knows it, its own post included.
           call->proved = std::max(call->proved.value_or(0), deps_.heads->of(account_)->load());
           return ok(wire::to_json(stored.answer), stored.created ? 201 : 200);
         });
}

}  // namespace obsync::actors
