// The catalog: accounts, devices, files, versions and horizons. One writer commits batches, any number of
// readers look at consistent snapshots. Everything blocks; one object belongs to one thread.
//
// Ordering that must hold: a commit that answers has reached the disk; a version is committed only when every
// chunk it names is durable; sequence numbers are assigned inside the commit, so commit order is feed order.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/disk.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"
#include "store/retention.hpp"
#include "wire/account.hpp"
#include "wire/device.hpp"
#include "wire/failure.hpp"
#include "wire/version.hpp"

namespace obsync::store {

struct account_row {
  account_id id;
  std::string name;
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> quota_bytes = {};
  std::optional<digest> recovery_verifier = {};
  std::optional<std::int64_t> recovery_ms = {};  // when the verifier was registered; nothing counts as old
  bool recovery_armed = false;                   // the operator armed one re-enrolment without a verifier
  sequence head = 0;
  std::int64_t device_count = 0;                     // of those not revoked, as read
  bool invited = false;                              // an invitation made it; the setup token made the other
  std::optional<std::int64_t> disabled_ms = {};      // since when its devices are refused
  std::optional<std::int64_t> delete_after_ms = {};  // marked deleted: from then on its data goes
};

struct device_row {
  account_id account;
  wire::device_info info;
  digest wrapped_secret;       // see store/secrets.hpp
  std::int64_t horizon_s = 0;  // no accepted request carried a later timestamp
  bool read_only = false;
};

// What lets one person make an account. The token itself is told once and kept nowhere.
struct invitation_row {
  digest token_hash;  // SHA-256 of the token's text
  std::string name;   // of the account to come
  std::optional<std::int64_t> quota_bytes = {};
  std::int64_t created_ms = 0;
  std::int64_t expires_ms = 0;
  std::optional<account_id> account = {};  // made by it; nothing: not used yet
};

// Who asked for an act. Both absent: the server itself, or a dashboard session.
struct author {
  std::optional<std::int64_t> operator_uid = {};  // system user at the control socket
  std::optional<device_id> device = {};
};

// One line of the audit table, which is only ever appended to.
struct audit_row {
  std::int64_t num = 0;
  std::int64_t ts_ms = 0;
  std::string event;
  std::optional<account_id> account = {};
  author by = {};
  std::string detail;  // `name=value` pairs; never a secret
};

// A chunk that was found rotten and set aside.
struct quarantine_row {
  account_id account;
  chunk_sid sid;
  std::int64_t ts_ms = 0;
  std::string reason;
};

// --- what can be committed ------------------------------------------------------------------------------
// Refusals named beside each are answered to its caller and leave the rest of the batch alone. Whatever
// enrols a device is also refused, as io_error, when its id is taken, and as account_disabled where the
// account is. What lets in, shuts out or comes from the operator leaves an audit row in the same commit.

struct create_account {  // refused: already_set_up when the id exists
  account_row account;
  device_row first_device;  // active
};

// The invitation is used up by the commit that makes the account, so it works once, also over a crash.
struct redeem_invitation {  // refused: bad_setup_token; already_set_up when it was used
  digest token_hash;
  account_row account;      // name and quota are the invitation's
  device_row first_device;  // active
  std::int64_t now_ms = 0;
};

struct enrol_device {  // refused: not_set_up
  device_row device;   // pending from a claim, active from a recovery
};

struct recover_account {  // refused: not_set_up; recovery_unavailable, bad_recovery_proof when no longer
                          // armed
  account_id account;
  std::optional<digest> register_verifier = {};  // an armed reset: store it with now_ms and spend the arm
  device_row device;                             // active
  std::int64_t now_ms = 0;
};

struct activate_device {  // refused: unknown_device, device_not_pending
  device_id device;
  std::int64_t now_ms = 0;
};

struct delete_pending_device {  // refused: unknown_device, device_not_pending
  device_id device;
};

// Removes every pending device: pairings live in memory and died with the last process.
struct delete_all_pending {};

struct patch_device {  // refused: unknown_device; value: wire::device_info
  account_id account;
  device_id device;
  wire::device_patch patch;
};

// The check for the last device and the revocation are one step.
struct revoke_device {  // refused: unknown_device, last_device, recovery_too_new
  account_id account;
  device_id device;
  std::int64_t now_ms = 0;
  author by = {};
  bool force = false;  // the operator's: also the last device
};

struct archive_device {  // refused: unknown_device, device_not_revoked
  account_id account;
  device_id device;
};

struct register_recovery {  // refused: not_set_up, recovery_mismatch
  account_id account;
  digest verifier;
  std::int64_t now_ms = 0;
  author by = {};
};

struct record_heartbeat {  // refused: unknown_device
  device_id device;
  wire::heartbeat_request request;
  std::int64_t now_ms = 0;
  std::optional<std::string> address = {};
  std::optional<std::string> country = {};
};

// Moves a device's replay horizon forward; never back. Carries the sign-in sighting when one is due.
struct advance_horizon {  // refused: unknown_device
  device_id device;
  std::int64_t horizon_s = 0;
  std::optional<std::int64_t> sign_in_ms = {};
  std::optional<std::string> address = {};
  std::optional<std::string> country = {};
};

// On a clean stop: the exact last accepted timestamp, which may lie before the committed horizon.
struct settle_horizon {  // refused: unknown_device
  device_id device;
  std::int64_t horizon_s = 0;
};

// --- the operator's acts: each refused as unknown_account or unknown_device ------------------------------

struct create_invitation {
  invitation_row invitation;
  author by;
};

struct rename_account {
  account_id account;
  std::string name;
  author by;
  std::int64_t now_ms = 0;
};

struct set_quota {
  account_id account;
  std::optional<std::int64_t> quota_bytes;
  author by;
  std::int64_t now_ms = 0;
};

struct disable_account {  // keeps an earlier date
  account_id account;
  author by;
  std::int64_t now_ms = 0;
};

// Also takes back a deletion whose grace is not over.
struct enable_account {  // refused: account_disabled when the data is going
  account_id account;
  author by;
  std::int64_t now_ms = 0;
};

// Disabled at once; erase_rows may begin at `delete_after_ms`. Repeating it keeps the earlier dates.
struct delete_account {
  account_id account;
  std::int64_t delete_after_ms = 0;
  author by;
  std::int64_t now_ms = 0;
};

struct set_device_role {
  account_id account;
  device_id device;
  bool read_only = false;
  author by;
  std::int64_t now_ms = 0;
};

// One small step of an erasure: removes at most `rows_max` versions and files, then the devices; value:
// erasure_step. Refused: unknown_account; account_disabled while the grace lasts.
struct erase_rows {
  account_id account;
  std::int64_t rows_max = 0;
  std::int64_t now_ms = 0;
};

// The last step: the account and its invitation. To be asked when its chunks are gone.
struct forget_account {  // refused: as erase_rows
  account_id account;
  std::int64_t now_ms = 0;
};

// --- the paced jobs' acts ---------------------------------------------------------------------------------

// Removes versions that store/retention judged; heads and the young are looked at again and stay. Value:
// pruned.
struct prune_file {
  account_id account;
  file_id file;
  bool whole_file = false;              // only while its one head is a tombstone of before `heard_ms`
  std::vector<sequence> versions = {};  // a step's worth
  std::int64_t cutoff_ms = 0;           // as of retention_rule
  std::int64_t heard_ms = 0;            // as of judge()
};

// Up to where an account's versions were judged, and by which rule.
struct note_pruned {
  account_id account;
  sequence aged = 0;
  sequence looked = 0;
  retention_rule rule;
};

// A note for the next start. Any name; the value is text.
struct set_upkeep {
  std::string name;
  std::string value;
};

// A chunk whose bytes are not what its name says was set aside.
struct note_quarantine {
  quarantine_row row;
};

// Gives free pages of the database back to the file system. Value: pages_given.
struct give_pages_back {
  std::int64_t pages_max = 0;
};

// Refused in this order: not_set_up, version_id_mismatch (checked before it gets here), unknown_device,
// device_pending, device_revoked, account_disabled, read_only, domain_mismatch, [already stored or twin:
// success, created = false], missing_chunks, too_many_heads; io_error when a chunk cannot be looked up.
struct post_version {
  account_id account;
  device_id device;
  file_id file;
  wire::version_post post;
  std::int64_t now_ms = 0;
  // When > 0, the device's horizon advances in the same commit, also when the post itself is refused.
  std::int64_t horizon_s = 0;
  // Why history may not grow now: refuses what would be stored, not what is stored already.
  std::optional<wire::refusal> no_room = {};
};

using operation =
    std::variant<create_account, redeem_invitation, enrol_device, recover_account, activate_device,
                 delete_pending_device, delete_all_pending, patch_device, revoke_device, archive_device,
                 register_recovery, record_heartbeat, advance_horizon, settle_horizon, create_invitation,
                 rename_account, set_quota, disable_account, enable_account, delete_account, set_device_role,
                 erase_rows, forget_account, prune_file, note_pruned, set_upkeep, note_quarantine,
                 give_pages_back, post_version>;

struct posted {
  bool created = false;  // false: this version, or its twin, was there already
  wire::version_answer answer;
};

struct erasure_step {
  bool finished = false;  // nothing of this kind is left
};

struct pruned {
  std::int64_t versions = 0;
};

struct pages_given {
  bool more = false;  // there is more to give
};

using committed = std::variant<std::monostate, posted, wire::device_info, erasure_step, pruned, pages_given>;
using commit_outcome = wire::outcome<committed>;

// Says whether an account holds a chunk durably. Called from inside a commit, on the writer's thread.
class chunk_presence {
 public:
  virtual ~chunk_presence() = default;
  virtual result<bool> has(const account_id& account, const chunk_sid& sid) = 0;
};

class catalog_writer {
 public:
  virtual ~catalog_writer() = default;
  // One transaction, one flush, one outcome per operation in order. errc::no_space means nothing of the batch
  // happened: it may be repeated. After any other error all of it or nothing happened, and the writer answers
  // that error to everything until it is opened anew: a failed flush is never repeated.
  virtual result<std::vector<commit_outcome>> commit(std::span<const operation> batch) = 0;
  // The commits this writer has waited for since it was opened; a counted cost, hence testable. Each is one
  // flush of the log, but for the few that begin a new log or move it into the database.
  virtual std::uint64_t flush_count() const = 0;
};

// How much an account has written, and when lately.
struct account_activity {
  std::int64_t versions = 0;
  std::int64_t files = 0;
  std::vector<std::int64_t> recent_ms = {};  // when the versions of the newest sequence numbers came in
};

class catalog_reader {
 public:
  virtual ~catalog_reader() = default;
  virtual result<std::vector<account_row>> accounts() = 0;
  // Which life of the store this is.
  virtual result<epoch_id> epoch() = 0;
  virtual result<std::vector<device_row>> devices() = 0;  // of all accounts: the directory read at start
  virtual result<std::optional<account_row>> account(const account_id& account) = 0;
  virtual result<std::vector<invitation_row>> invitations() = 0;  // used ones too, oldest first
  // The newest `limit` lines, newest first; of one account where it is given.
  virtual result<std::vector<audit_row>> audit(const std::optional<account_id>& account,
                                               std::int64_t limit) = 0;
  // The newest `limit`, newest first.
  virtual result<std::vector<quarantine_row>> quarantined(std::int64_t limit) = 0;
  virtual result<std::vector<wire::device_info>> devices_of(const account_id& account) = 0;  // id order
  // Files after `after` in id order; `limit` within 1..1000.
  virtual result<wire::file_page> files(const account_id& account, const std::optional<file_id>& after,
                                        std::int64_t limit) = 0;
  // Nothing when the account has no such file. At most `versions_max` newest versions and every head, held to
  // `bytes_max` of JSON by leaving out the oldest.
  virtual result<std::optional<wire::file_record>> file(const account_id& account, const file_id& file,
                                                        std::int64_t versions_max,
                                                        std::uint64_t bytes_max) = 0;
  // unknown_file or unknown_version as a wire failure; an error is the store's own.
  virtual result<wire::outcome<wire::version_record>> version(const account_id& account, const file_id& file,
                                                              const version_id& version) = 0;
  // Changes after `since`, at most `limit` and about `bytes_max` of JSON but at least one. The page's seq is
  // that of its last change when more follow, else the head. `since` beyond the head gives head_seq < since:
  // the caller answers seq_ahead.
  virtual result<wire::change_page> changes(const account_id& account, sequence since, std::int64_t limit,
                                            std::uint64_t bytes_max) = 0;
  // Counts in time that grows with the account. `recent_sequences`: how far back recent_ms looks.
  virtual result<account_activity> activity(const account_id& account, sequence recent_sequences) = 0;
};

struct catalog_options {
  std::string folder;                  // the journal volume's folder; catalog.db is made inside
  std::int64_t cache_bytes = 4 << 20;  // page cache per connection
  disk* files = nullptr;               // what `folder` lies on; nothing: the machine's
};

// Opens or creates `<folder>/catalog.db`, upgrading older schemas inside a transaction. Refuses a newer
// schema, naming both versions, and changes nothing. `presence` outlives the writer.
result<std::unique_ptr<catalog_writer>> open_catalog_writer(const catalog_options& options,
                                                            chunk_presence& presence);
// The writer must have been opened once before.
result<std::unique_ptr<catalog_reader>> open_catalog_reader(const catalog_options& options);

}  // namespace obsync::store
