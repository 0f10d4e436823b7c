#include "http/connection.hpp"

#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

#include <utility>

#include "core/log.hpp"
#include "http/cookies.hpp"
#include "wire/dashboard.hpp"
#include "wire/limits.hpp"
#include "wire/signing.hpp"

namespace obsync::http {

namespace net = boost::asio;

namespace {

constexpr std::size_t head_read_bytes = 4096;
constexpr std::size_t body_step_bytes = 64u << 10;
constexpr std::string_view continue_line = "HTTP/1.1 100 Continue\r\n\r\n";

std::int64_t steady_ms(connection::time_point at) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(at.time_since_epoch()).count();
}

// Carries the answer back onto the connection's executor, exactly once, also when every actor has dropped it.
class connection_call final : public actors::call {
 public:
  struct proof {
    std::optional<sequence> position;
    std::optional<account_id> account;
    std::optional<device_id> device;
  };
  using handler = std::function<void(actors::reply&&, const proof&)>;
  connection_call(actors::request&& from, net::any_io_executor executor, handler done)
      : call(std::move(from)), executor_(std::move(executor)), done_(std::move(done)) {}

  ~connection_call() override {
    answer(actors::refuse(wire::refusal::overloaded, "the server could not handle this request"));
  }

 protected:
  void deliver(actors::reply&& value) override {
    net::post(executor_, [done = std::move(done_), value = std::move(value),
                          shown = proof{proved, proved_account, proved_device}]() mutable {
      done(std::move(value), shown);
    });
  }

 private:
  net::any_io_executor executor_;
  handler done_;
};

std::atomic<std::uint64_t> next_number{1};

std::optional<std::string> copy_of(const std::string* value) {
  return value == nullptr ? std::nullopt : std::optional<std::string>(*value);
}

actors::credentials signer_of(const request_head& head) {
  return {copy_of(head.header(wire::header_device)), copy_of(head.header(wire::header_timestamp)),
          copy_of(head.header(wire::header_nonce)), copy_of(head.header(wire::header_signature))};
}

actors::browser_credentials browser_of(const request_head& head) {
  actors::browser_credentials out;
  out.csrf_header = copy_of(head.header(wire::header_csrf));
  const std::string* const cookies = head.header("Cookie");
  if (cookies == nullptr) return out;
  out.session = cookie_value(*cookies, wire::cookie_session);
  out.csrf_cookie = cookie_value(*cookies, wire::cookie_csrf);
  return out;
}

}  // namespace

connection::connection(std::unique_ptr<stream> peer, server& shared, std::string address)
    : peer_(std::move(peer)), shared_(shared), address_(std::move(address)), number_(next_number++) {}

void connection::run() {
  net::dispatch(peer_->executor(), [self = shared_from_this()] {
    self->enter(phase::greeting, self->shared_.options().head_timeout);
    self->peer_->greet([self](const auto& failed, std::size_t) {
      if (self->phase_ == phase::closed) return;
      if (failed) return self->finish();
      self->read_head();
    });
  });
}

void connection::run_refused(bool waits) {
  net::dispatch(peer_->executor(), [self = shared_from_this(), waits] {
    self->out_head_ =
        "HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: "
        "close\r\n\r\n";
    self->enter(phase::write, self->shared_.options().head_timeout);
    self->peer_->write({net::buffer(self->out_head_)}, [self, waits](const auto& failed, std::size_t) {
      if (failed || !waits) return self->finish();
      self->part();
    });
  });
}

void connection::check_deadline(time_point now) {
  const std::int64_t due = deadline_ms_.load(std::memory_order_relaxed);
  if (due == 0 || steady_ms(now) < due) return;
  net::post(peer_->executor(), [self = shared_from_this(), due] {
    // The wait may have ended while this was on its way.
    if (self->deadline_ms_.load() == due) self->on_deadline();
  });
}

void connection::wind_down() {
  winding_down_ = true;
  net::post(peer_->executor(), [self = shared_from_this()] {
    if (self->phase_ == phase::idle) self->finish();
  });
}

void connection::cut() {
  net::post(peer_->executor(), [self = shared_from_this()] { self->finish(); });
}

void connection::enter(phase next, std::chrono::milliseconds life) {
  phase_ = next;
  const bool for_a_token = next == phase::body && match_ && match_->entry->has_token_in_body();
  is_waiting_ = next == phase::greeting || next == phase::idle || next == phase::head ||
                next == phase::parting || for_a_token;
  deadline_ms_ = steady_ms(std::chrono::steady_clock::now() + life);
}

void connection::on_deadline() {
  switch (phase_) {
    case phase::greeting:
    case phase::idle:
      return finish();
    case phase::head:
      return refuse_head(408);
    case phase::body:
      too_slow_ = true;
      deadline_ms_ = 0;
      return peer_->cancel();
    case phase::admission:
      ++generation_;  // a grant that still comes is given straight back
      return answer_bare_503();
    case phase::answer:
      // No actor answered in time. What it still says is not listened to.
      ++generation_;
      if (const auto call = call_.lock()) call->abandoned = true;
      return on_reply(actors::refuse(wire::refusal::overloaded, "no answer in time"));
    case phase::write:
    case phase::parting:
    case phase::closed:
      return finish();
  }
}

// --- the head

void connection::read_head() {
  const std::string_view text(static_cast<const char*>(arrived_.data().data()), arrived_.size());
  const auto end = find_head_end(text);
  if (!end) return refuse_head(end.error().status);
  if (*end) return on_head(**end);
  if (text.empty() && (winding_down_ || shared_.stopping())) return finish();

  const bool waiting_for_first_byte = text.empty() && !first_request_;
  if (waiting_for_first_byte) {
    enter(phase::idle, shared_.options().idle_timeout);
  } else if (phase_ != phase::head) {
    enter(phase::head, shared_.options().head_timeout);
  }
  auto room = arrived_.prepare(head_read_bytes);
  peer_->read_some({static_cast<std::uint8_t*>(room.data()), room.size()},
                   [self = shared_from_this()](const auto& failed, std::size_t count) {
                     // Its deadline may have passed meanwhile; then the refusal is on its way out.
                     if (self->phase_ != phase::idle && self->phase_ != phase::head) return;
                     if (failed) return self->finish();
                     self->arrived_.commit(count);
                     self->read_head();
                   });
}

void connection::on_head(std::size_t length) {
  const std::string_view text(static_cast<const char*>(arrived_.data().data()), length);
  auto parsed = parse_head(text);
  if (!parsed) return refuse_head(parsed.error().status);
  auto parts = parse_target(parsed->target);
  if (!parts) return refuse_head(400);
  arrived_.consume(length);
  head_ = std::move(*parsed);
  target_ = std::move(*parts);
  first_request_ = false;
  begun_ = std::chrono::steady_clock::now();
  if (!head_->expects_continue) return begin_request();
  enter(phase::head, shared_.options().head_timeout);
  peer_->write({net::buffer(continue_line.data(), continue_line.size())},
               [self = shared_from_this()](const auto& failed, std::size_t) {
                 if (self->phase_ == phase::closed) return;
                 if (failed) return self->finish();
                 self->begin_request();
               });
}

void connection::refuse_head(int status) {
  shared_.requests().note(log::level::warn, "http_refused", "parser_refusal", status);
  response_head refusal;
  refusal.status = status;
  refusal.close = true;
  refusal.secured = false;
  out_head_ = to_text(refusal);
  enter(phase::write, shared_.options().head_timeout);
  peer_->cancel();
  peer_->write({net::buffer(out_head_)}, [self = shared_from_this()](const auto& failed, std::size_t) {
    if (failed) return self->finish();
    self->part();
  });
}

// --- the body

void connection::begin_request() {
  body_.clear();
  body_state_ = actors::body_state::whole;
  too_slow_ = false;
  sent_bytes_ = 0;
  source_.emplace(*peer_, arrived_, *head_);
  match_ = match_route(head_->method, target_->segments);
  if (!match_) return answer_unmatched();
  if (!find_sender()) return answer_misdirected();
  signer_ = signer_of(*head_);
  plan_body();
}

// Whether the request came the way it had to. Health is asked from within, so it may come any way.
bool connection::find_sender() {
  auto found = find_client(shared_.options().edge, address_, head_->headers);
  const actors::route where = match_->entry->where;
  if (!found && where != actors::route::livez && where != actors::route::readyz) return false;
  sender_ = found ? std::move(*found) : client_address{address_};
  shared_.forwarding().note(sender_, begun_);
  return true;
}

void connection::plan_body() {
  const route_entry& entry = *match_->entry;
  const std::uint64_t declared = head_->content_length.value_or(0);
  if (declared == 0 && !head_->chunked) return submit();
  if (entry.by == proof::signature && !shared_.entry().expects(signer_)) {
    body_state_ = actors::body_state::unread;
    return submit();
  }
  // Nothing else has a body that means anything; what is sent nevertheless is dropped after the answer.
  if (entry.by != proof::signature && !entry.has_token_in_body()) return submit();
  if (entry.where == actors::route::chunk_put) {
    if (head_->chunked) {
      body_state_ = actors::body_state::length_required;
      return submit();
    }
    if (declared > shared_.options().inline_chunk_bytes_max && declared <= entry.body_bytes_max) {
      body_state_ = actors::body_state::streamed;
      return submit();
    }
  }
  if (declared > entry.body_bytes_max) {
    body_state_ = actors::body_state::too_large;
    return submit();
  }
  const bool by_token = entry.has_token_in_body();
  const std::uint64_t reserved = head_->chunked ? entry.body_bytes_max : declared;
  if (!byte_budget::try_take(by_token ? shared_.token_bodies() : shared_.signed_bodies(), reserved,
                             preauth_)) {
    shared_.requests().note(log::level::warn, "preauth_body", "preauth_budget_full");
    return answer_bare_503();
  }
  const bool small = !head_->chunked && declared <= shared_.options().inline_chunk_bytes_max;
  enter(phase::admission, shared_.options().answer_timeout);
  byte_budget::take(small ? shared_.small_bodies() : shared_.large_bodies(),
                    head_->chunked ? entry.body_bytes_max : declared,
                    [self = shared_from_this(), generation = generation_](byte_budget::lease granted) {
                      // Whoever gave bytes back may be another connection's thread.
                      auto kept = std::make_shared<byte_budget::lease>(std::move(granted));
                      net::dispatch(self->peer_->executor(), [self, generation, kept] {
                        if (self->phase_ == phase::closed || generation != self->generation_) return;
                        self->admission_ = std::move(*kept);
                        self->read_whole_body();
                      });
                    });
}

// One second of grace, then the rate floor.
std::chrono::milliseconds connection::body_life(std::uint64_t bytes) const {
  return std::chrono::milliseconds(1000 + bytes * 1000 / shared_.options().body_rate_min);
}

void connection::read_whole_body() {
  body_begun_ms_ = steady_ms(std::chrono::steady_clock::now());
  enter(phase::body, body_life(head_->content_length.value_or(0)));
  body_.reserve(head_->content_length.value_or(0));
  collect_body();
}

void connection::collect_body() {
  if (source_->at_end()) return end_body(actors::body_state::whole);
  const std::size_t have = body_.size();
  const std::size_t step = std::min<std::size_t>(
      body_step_bytes, static_cast<std::size_t>(source_->remaining().value_or(body_step_bytes)));
  body_.resize(have + step);
  source_->read({reinterpret_cast<std::uint8_t*>(body_.data()) + have, step},
                [self = shared_from_this(), have](body_event event, std::size_t count) {
                  if (self->phase_ == phase::closed) return;
                  self->body_.resize(have + count);
                  if (self->body_.size() > self->match_->entry->body_bytes_max)
                    return self->end_body(actors::body_state::too_large);
                  switch (event) {
                    case body_event::data:
                      if (self->head_->chunked) {
                        self->deadline_ms_ =
                            self->body_begun_ms_ + self->body_life(self->body_.size()).count();
                      }
                      return self->collect_body();
                    case body_event::end:
                      return self->end_body(actors::body_state::whole);
                    case body_event::broken:
                      return self->end_body(actors::body_state::bad_framing);
                    case body_event::lost:
                      return self->end_body(self->too_slow_ ? actors::body_state::slow
                                                            : actors::body_state::incomplete);
                  }
                });
}

void connection::end_body(actors::body_state state) {
  body_state_ = state;
  if (state != actors::body_state::whole) body_.clear();
  submit();
}

// --- into the house

void connection::submit() {
  enter(phase::answer, shared_.options().answer_timeout);
  actors::request request;
  request.where = match_->entry->where;
  request.method = head_->method;
  request.target = head_->target;
  request.params = std::move(match_->params);
  request.query = std::move(target_->query);
  request.signer = std::move(signer_);
  request.browser = browser_of(*head_);
  request.address = sender_.address;
  request.country = sender_.country;
  request.body = std::move(body_);
  request.body_is = body_state_;
  request.content_length = head_->content_length.value_or(0);

  const std::uint64_t generation = ++generation_;
  forget_proof();
  const auto call = std::make_shared<connection_call>(
      std::move(request), peer_->executor(),
      [self = shared_from_this(), generation](actors::reply&& reply, const connection_call::proof& shown) {
        if (self->phase_ == phase::closed || generation != self->generation_) return;
        self->proved_ = shown.position;
        self->proved_account_ = shown.account;
        self->proved_device_ = shown.device;
        if (shown.position) self->has_proved_ = true;
        self->on_reply(std::move(reply));
      });
  call_ = call;
  if (match_->entry->where == actors::route::changes && arrived_.size() == 0) {
    peer_->watch_close([self = shared_from_this(), generation] {
      if (self->phase_ != phase::answer || generation != self->generation_) return;
      if (const auto parked = self->call_.lock()) parked->abandoned = true;
      self->finish();
    });
  }
  shared_.entry().submit(call);
}

}  // namespace obsync::http
