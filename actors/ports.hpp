// The border between the sockets and the actors, in plain C++: no CAF, no Asio. Every request crosses it
// twice, once as a `call` going in and once as its `reply` coming out.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/bytes.hpp"
#include "core/disk.hpp"
#include "core/ids.hpp"
#include "wire/failure.hpp"

namespace obsync::actors {

// Every route of the protocol that reaches an actor.
enum class route {
  livez,
  readyz,
  setup,
  claim,
  plugin_manifest,
  account,
  register_recovery,
  create_pairing,
  pairing_status,
  reveal,
  approve,
  reject,
  envelope,
  devices,
  patch_device,
  revoke_device,
  archive_device,
  heartbeat,
  chunks_exists,
  chunk_get,
  chunk_put,
  chunks_get,
  post_version,
  files,
  file,
  version,
  changes,
  batch,
  capabilities,
  login,
  login_link,
  dashboard_index,
  dashboard_file,
  admin_logout,
  admin_logout_all,
  admin_overview,
  admin_devices,
  admin_revoke,
  admin_archive,
  admin_storage,
  admin_gc_run,
  admin_scrub_run,
  admin_logs,
};

// What became of the request's body before it got here. Anything but `whole` and `streamed` is answered as a
// refusal, but only after the checks that come first, so it travels along.
enum class body_state {
  whole,            // complete in `request::body`, empty included
  streamed,         // not read yet: a large chunk, fetched slice by slice after a go-ahead
  length_required,  // a chunk upload without Content-Length
  too_large,
  slow,
  incomplete,
  bad_framing,
  unread,  // nobody whose body is worth reading
};

// The four headers of a device's signature, as sent; nothing where a header is missing.
struct credentials {
  std::optional<std::string> device = {};
  std::optional<std::string> timestamp = {};
  std::optional<std::string> nonce = {};
  std::optional<std::string> signature = {};
};

// What a browser shows of a dashboard session, as sent; nothing where it is missing.
struct browser_credentials {
  std::optional<std::string> session = {};      // cookie
  std::optional<std::string> csrf_cookie = {};  // cookie
  std::optional<std::string> csrf_header = {};  // header, which no other site can set
};

struct request {
  route where = route::livez;
  std::string method;
  std::string target;                                      // raw, as sent: what the signature covers
  std::vector<std::string> params;                         // decoded path parameters, in order
  std::vector<std::pair<std::string, std::string>> query;  // decoded, in order
  credentials signer;
  browser_credentials browser = {};
  std::string address;  // of the client, as far as it is known
  std::optional<std::string> country = {};
  std::string body;
  body_state body_is = body_state::whole;
  std::uint64_t content_length = 0;

  // The first value of a query name.
  std::optional<std::string> query_value(std::string_view name) const;
};

// The refusal a body that could not be read stands for; nothing for a body that is whole or streamed, and
// nothing for what a chunk upload judges itself, later than the others.
std::optional<wire::failure> body_failure(const request& req);

// --- what comes back ------------------------------------------------------------------------------------

struct text_body {
  std::string content_type = "application/json";
  std::string text;
};

// One chunk: its bytes when small, an open file when large.
struct chunk_body {
  std::variant<bytes, std::shared_ptr<disk_file>> source;
  std::uint64_t size = 0;
};

// One part of a chunks/get answer. Large chunks are opened when their turn comes, so that an answer holds one
// descriptor and not sixty-four.
struct chunk_part {
  chunk_sid sid;
  bool missing = false;
  std::uint64_t size = 0;
  bytes small = {};
  std::function<result<std::unique_ptr<disk_file>>()> open_large = {};
};

struct parts_body {
  std::vector<chunk_part> parts;
};

struct reply;

// A large chunk on its way in. The callbacks run on the writer's thread. Dropping the object before finish()
// leaves nothing behind. One operation at a time.
class upload {
 public:
  virtual ~upload() = default;
  virtual void write(bytes slice, std::function<void(wire::outcome<void>)> done) = 0;
  virtual void finish(std::function<void(reply)> done) = 0;
};

using reply_body = std::variant<std::monostate, text_body, chunk_body, parts_body, std::shared_ptr<upload>>;

// The headers an actor may add to an answer; whatever else an answer carries is the connection's business.
enum class reply_header {
  location,
  set_cookie,
  content_security_policy,
  cross_origin_opener_policy,
  cross_origin_resource_policy,
};

struct reply {
  int status = 200;
  reply_body body = {};
  std::vector<std::pair<reply_header, std::string>> headers = {};  // in the order they are sent
  std::string decision = "ok";                                     // one word for the request log
  std::optional<int> retry_after_s = {};
};

reply ok(std::string json, int status = 200);
reply no_content();
reply refuse(const wire::failure& failure);
reply refuse(wire::refusal code, std::string detail);

// One request on its way through the house. Answered exactly once: an actor that dies with it answers 503, so
// no device waits for ever. Shared, never copied; one actor handles it at a time.
class call {
 public:
  explicit call(request&& from) : req(std::move(from)) {}
  call(const call&) = delete;
  call& operator=(const call&) = delete;
  virtual ~call() = default;

  void answer(reply&& value) {
    if (!answered_.exchange(true)) deliver(std::move(value));
  }

  request req;
  // Set once the request proved a credential: the account's feed position for X-Obsync-Seq; whose credential
  // it was, where it already belongs to an account; and the device, where it signed.
  std::optional<sequence> proved = {};
  std::optional<account_id> proved_account = {};
  std::optional<device_id> proved_device = {};
  // Set by the connection when the peer hung up; a parked poll may then be dropped.
  std::atomic<bool> abandoned{false};

 protected:
  virtual void deliver(reply&& value) = 0;
  std::atomic<bool> answered_{false};
};

using call_ptr = std::shared_ptr<call>;

// Where calls go in. Any thread; returns at once.
class door {
 public:
  virtual ~door() = default;
  virtual void submit(call_ptr incoming) = 0;
  // Whether a call signed like this has a chance. Without one its body is not worth memory: it is submitted
  // as `unread`, and refused by the checks that come before the body.
  virtual bool expects(const credentials& signer) const = 0;
};

}  // namespace obsync::actors
