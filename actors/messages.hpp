// Every message between actors, declared once. One noun a struct; big things travel as shared pointers, for a
// CAF message must be copyable. Nothing here is ever serialised.
#pragma once

#include <caf/actor.hpp>
#include <caf/allowed_unsafe_message_type.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "actors/census.hpp"
#include "actors/control_port.hpp"
#include "actors/ports.hpp"
#include "core/ids.hpp"
#include "store/catalog.hpp"
#include "store/small_store.hpp"
#include "wire/batch.hpp"

namespace obsync::actors {

// A signed call whose device is known and not revoked: front -> session.
struct session_call {
  call_ptr call;
};

// A proved call for a reader, which answers it: session -> reader.
struct read_call {
  call_ptr call;
  account_id account;
};

// A dashboard session asks for something to look at: dashboard -> reader, which answers it.
struct admin_view_call {
  call_ptr call;
  std::optional<account_id> account;
  bool is_owner = false;
  bool recovery = false;
};

// A proved device asks for a login link: session -> front, which knows best whether the device is revoked by
// now -> dashboard, which answers it.
struct login_link_call {
  call_ptr call;
  account_id account;
  device_id device;
};

// A proved, whole, small chunk: session -> small-blob writer, which answers it.
struct small_chunk_call {
  call_ptr call;
  account_id account;
  chunk_sid sid;
};

// Small chunks that come together and are answered together: session -> small-blob writer -> the reply,
// always. The bytes are views into the call's body, which the call keeps.
struct small_batch {
  call_ptr call;
  account_id account;
  std::vector<wire::batch_chunk> chunks;
};
struct small_batch_reply {
  std::vector<wire::outcome<wire::batch_stored>> outcomes;  // one per chunk, in order
};
using small_batch_ptr = std::shared_ptr<small_batch>;
using small_batch_reply_ptr = std::shared_ptr<small_batch_reply>;

// A proved upload of a large chunk: session -> blob writer, which answers it with a go-ahead.
struct upload_call {
  call_ptr call;
  account_id account;
  chunk_sid sid;
};

// Who owns this account, as stored now: setup -> reader -> account_found.
struct account_lookup {
  account_id account;
};
struct account_found {
  std::optional<store::account_row> row;
};

// Everybody, as stored now: control, eraser -> reader -> census_ptr.
struct census_lookup {};
using census_ptr = std::shared_ptr<const census>;

// The newest lines of the audit table: control -> reader -> audit_found.
struct audit_lookup {
  std::optional<account_id> account = {};
  std::int64_t limit = 0;
};
struct audit_found {
  std::vector<store::audit_row> rows;  // newest first
};

// Operations to be committed together: anyone -> journal -> commit_reply, always.
struct commit_request {
  std::vector<store::operation> operations;
};
struct commit_reply {
  std::vector<store::commit_outcome> outcomes;  // one per operation, in order
};
using commit_request_ptr = std::shared_ptr<commit_request>;
using commit_reply_ptr = std::shared_ptr<commit_reply>;

// What waits is written now: journal and small-blob writer to themselves.
struct flush_now {};
// A group has waited long enough for company; stale when another flush came first.
struct flush_due {
  std::uint64_t group = 0;
};

// An account's feed grew to `head`, durably: journal -> feed -> sessions that wait.
struct account_advanced {
  account_id account;
  sequence head = 0;
};

// Wake me once the account is beyond `since`: session -> feed.
struct await_account {
  account_id account;
  sequence since = 0;
  caf::actor who;
};

// A device exists as of now: pairing, setup -> front, sent before the device learns its own id.
struct device_added {
  store::device_row row;
};
// A pending device became active; a device was revoked; a pending one vanished.
struct device_activated {
  device_id device;
};
struct device_revoked {
  device_id device;
};
struct device_removed {
  device_id device;
};

// The account that the setup token stands for exists: setup -> front -> dashboard.
struct owner_known {
  account_id account;
};
// Everybody of the account is logged out of the dashboard: whoever shuts an account -> front -> dashboard.
struct close_dashboard {
  account_id account;
};
// The operator disabled an account, for now or for good: control -> front -> sessions, pairing, setup.
struct account_disabled {
  account_id account;
};
struct account_enabled {
  account_id account;
};
// An account is to be forgotten: eraser -> front before its rows go, setup after the last one went.
struct account_erased {
  account_id account;
};
// A device may only read from now on, or may write again: control -> front -> session.
struct device_role_changed {
  device_id device;
  bool read_only = false;
};
// Somebody may make an account now: control -> setup, before the operator is told.
struct invitation_made {
  store::invitation_row row;
};

// One step of erasing an account: eraser -> small-blob writer, blob writer -> erased.
struct erase_small_chunks {
  account_id account;
};
struct erase_blob_folder {
  account_id account;
  std::uint8_t folder = 0;
};
struct erased {
  bool ok = false;        // otherwise to be tried again later
  bool finished = false;  // nothing of this kind is left
};

// Chunks that no version names are removed if they are old enough: collector -> small-blob writer ->
// chunks_removed.
struct remove_small_chunks {
  account_id account;
  std::shared_ptr<const std::vector<chunk_sid>> sids;
  std::int64_t before_ms = 0;
};
struct chunks_removed {
  bool ok = false;  // otherwise nothing was
  store::removed_chunks what = {};
};
// Free pages of small.db go back to the file system: collector -> small-blob writer -> pages_returned.
struct return_small_pages {
  std::int64_t pages_max = 0;
};
struct pages_returned {
  bool more = false;
};

// Right bytes in the place of rotten ones: scrubber -> small-blob writer -> small_chunk_restored.
struct restore_small_chunk {
  account_id account;
  chunk_sid sid;
  std::shared_ptr<const bytes> body;
};
struct small_chunk_restored {
  bool ok = false;
};
// What was set aside goes, if it is still not what its name says: scrubber -> small-blob writer ->
// chunks_removed.
struct drop_rotten_chunk {
  account_id account;
  chunk_sid sid;
};

// Look for what is no longer needed, now: control, dashboard -> collector.
struct collect_now {};
// Look at every chunk, from now on: control, dashboard -> scrubber.
struct scrub_now {};

// A proved pairing call and who makes it: session -> pairing.
struct pairing_call {
  call_ptr call;
  account_id account;
  device_id device;
};

// A call that no device signed: front -> setup, pairing, dashboard.
struct public_call {
  call_ptr call;
};

// Is the server ready? front -> readiness, which answers the call.
struct readiness_call {
  call_ptr call;
};

// Time passed: an actor to itself.
struct tick {};
// The earliest parked poll is due: session to itself.
struct poll_due {};

// Front asks idle sessions to retire; a session that may retire says so, and front lets it go, unless a call
// was passed on since it asked: its nonce would be forgotten with the session.
struct sweep {
  std::uint64_t calls = 0;  // passed on to this session before
};
struct may_retire {
  device_id device;
  std::uint64_t calls = 0;      // as asked
  std::int64_t accepted_s = 0;  // the newest timestamp it accepted: not to be accepted again
};

// Parked polls are answered now and none is parked any more: wiring -> front -> sessions.
struct release_polls {};

// Nothing is accepted any more; what must be exact on disk is made so. Wiring -> front -> sessions, each
// answering `settled` when it is durable, or when it is known that it will not be.
struct settle {};
struct settled {
  bool durable = true;
};

}  // namespace obsync::actors

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::call_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::session_call)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::read_call)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::small_chunk_call)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::small_batch_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::small_batch_reply_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::upload_call)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::commit_request_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::commit_reply_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::account_lookup)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::account_found)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::census_lookup)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::census_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::audit_lookup)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::audit_found)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::control_call_ptr)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::account_disabled)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::account_enabled)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::account_erased)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::device_role_changed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::invitation_made)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::erase_small_chunks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::erase_blob_folder)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::erased)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::remove_small_chunks)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::chunks_removed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::return_small_pages)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::pages_returned)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::restore_small_chunk)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::small_chunk_restored)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::drop_rotten_chunk)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::collect_now)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::scrub_now)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::flush_now)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::flush_due)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::account_advanced)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::await_account)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::device_added)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::device_activated)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::device_revoked)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::device_removed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::close_dashboard)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::owner_known)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::login_link_call)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::admin_view_call)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::pairing_call)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::public_call)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::readiness_call)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::tick)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::poll_due)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::sweep)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::may_retire)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::release_polls)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::settle)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(obsync::actors::settled)
