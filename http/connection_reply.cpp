// The second half of a connection: from an actor's answer to the next request.
#include <boost/asio/dispatch.hpp>
#include <boost/asio/post.hpp>

#include <limits>
#include <utility>

#include "core/log.hpp"
#include "http/connection.hpp"
#include "http/parts_writer.hpp"
#include "http/range.hpp"
#include "http/upload_pump.hpp"
#include "wire/limits.hpp"
#include "wire/signing.hpp"

namespace obsync::http {

namespace net = boost::asio;

namespace {

constexpr std::size_t drain_step_bytes = 64u << 10;
constexpr std::chrono::milliseconds write_grace{30'000};
// How long a peer may take to hang up after its last answer, while what it still sends is dropped.
constexpr std::chrono::milliseconds parting_time{5'000};
constexpr std::chrono::milliseconds parting_time_at_stop{1'000};

template <class... F>
struct overloaded : F... {
  using F::operator()...;
};
template <class... F>
overloaded(F...) -> overloaded<F...>;

std::string_view name_of(actors::reply_header header) {
  switch (header) {
    case actors::reply_header::location:
      return "Location";
    case actors::reply_header::set_cookie:
      return "Set-Cookie";
    case actors::reply_header::content_security_policy:
      return "Content-Security-Policy";
    case actors::reply_header::cross_origin_opener_policy:
      return "Cross-Origin-Opener-Policy";
    case actors::reply_header::cross_origin_resource_policy:
      return "Cross-Origin-Resource-Policy";
  }
  return {};
}

}  // namespace

void connection::on_reply(actors::reply&& reply) {
  if (match_->entry->where == actors::route::changes) peer_->stop_watching();
  preauth_.release();
  const bool upload_refused = match_->entry->where == actors::route::chunk_put && proved_ &&
                              !source_->at_end() &&
                              !std::holds_alternative<std::shared_ptr<actors::upload>>(reply.body);
  if (upload_refused && body_state_ != actors::body_state::slow &&
      body_state_ != actors::body_state::incomplete) {
    // A proxy that sees its upstream close in the middle of a body turns the refusal into a 502, which
    // clients repeat for ever. So the body is taken to its declared end first.
    auto kept = std::make_shared<actors::reply>(std::move(reply));
    body_state_ = actors::body_state::whole;
    return drain(std::numeric_limits<std::uint64_t>::max(), [self = shared_from_this(), kept](bool in_full) {
      if (in_full) return self->on_reply(std::move(*kept));
      self->body_state_ = self->too_slow_ ? actors::body_state::slow : actors::body_state::incomplete;
      self->on_reply(
          actors::refuse(self->too_slow_ ? wire::refusal::slow_body : wire::refusal::body_incomplete,
                         "the body did not arrive"));
    });
  }
  decision_ = reply.decision;
  auto body = std::move(reply.body);
  std::visit(overloaded{
                 [&](std::monostate) { write_text(reply, {}, {}); },
                 [&](actors::text_body& text) {
                   write_text(reply, std::move(text.content_type), std::move(text.text));
                 },
                 [&](actors::chunk_body& chunk) { write_chunk(reply, std::move(chunk)); },
                 [&](actors::parts_body& parts) { write_parts(reply, std::move(parts)); },
                 [&](std::shared_ptr<actors::upload>& sink) { take_upload(std::move(sink)); },
             },
             body);
}

response_head connection::head_of(const actors::reply& reply) const {
  response_head head;
  head.status = reply.status;
  head.sequence = proved_;
  head.has_length = reply.status != 204;
  head.close = !may_keep();
  for (const auto& [name, value] : reply.headers) head.headers.emplace_back(name_of(name), value);
  if (reply.retry_after_s) head.headers.emplace_back("Retry-After", std::to_string(*reply.retry_after_s));
  return head;
}

void connection::write_text(const actors::reply& reply, std::string type, std::string body) {
  response_head head = head_of(reply);
  if (!type.empty()) head.headers.insert(head.headers.begin(), {"Content-Type", std::move(type)});
  head.content_length = body.size();
  if (head_->method == "HEAD") body.clear();
  send(head, std::move(body));
}

void connection::send(const response_head& head, std::string body) {
  status_ = head.status;
  sent_bytes_ = body.size();
  out_head_ = to_text(head);
  out_body_ = std::move(body);
  enter(phase::write, write_grace + body_life(out_body_.size()));
  peer_->write({net::buffer(out_head_), net::buffer(out_body_)},
               [self = shared_from_this()](const auto& failed, std::size_t) {
                 if (self->phase_ == phase::closed) return;
                 if (failed) return self->finish();
                 self->after_answer();
               });
}

void connection::write_chunk(const actors::reply& reply, actors::chunk_body chunk) {
  const range_choice choice = choose_range(head_->header("Range"), chunk.size);
  if (choice.kind == range_kind::unsatisfiable)
    return on_reply(actors::refuse(wire::refusal::range_not_satisfiable, "the range does not fit the chunk"));
  response_head head = head_of(reply);
  head.headers.emplace_back("Content-Type", "application/octet-stream");
  head.headers.emplace_back("Accept-Ranges", "bytes");
  if (choice.kind == range_kind::part) {
    head.status = 206;
    head.headers.emplace_back("Content-Range", content_range(choice.range, chunk.size));
  }
  head.content_length = choice.range.length;
  if (const auto* small = std::get_if<bytes>(&chunk.source)) {
    const std::string_view all = as_text(*small);
    return send(head, std::string(all.substr(choice.range.first, choice.range.length)));
  }
  const auto file = std::get<std::shared_ptr<disk_file>>(chunk.source);
  status_ = head.status;
  sent_bytes_ = choice.range.length;
  out_head_ = to_text(head);
  enter(phase::write, write_grace + body_life(choice.range.length));
  peer_->write({net::buffer(out_head_)},
               [self = shared_from_this(), file, range = choice.range](const auto& failed, std::size_t) {
                 if (self->phase_ == phase::closed) return;
                 if (failed) return self->finish();
                 self->peer_->send_file(file->native_handle(), range.first, range.length,
                                        [self, file](const auto& broken, std::size_t) {
                                          if (self->phase_ == phase::closed) return;
                                          if (broken) return self->finish();
                                          self->after_answer();
                                        });
               });
}

void connection::write_parts(const actors::reply& reply, actors::parts_body parts) {
  const std::string boundary = random_id<request_nonce>(shared_.random()).hex();
  auto writer = std::make_shared<parts_writer>(*peer_, boundary, std::move(parts),
                                               [self = shared_from_this()](bool sent) {
                                                 if (self->phase_ == phase::closed) return;
                                                 if (!sent) return self->finish();
                                                 self->after_answer();
                                               });
  response_head head = head_of(reply);
  head.headers.emplace_back("Content-Type", "multipart/mixed; boundary=" + boundary);
  head.content_length = writer->content_length();
  status_ = head.status;
  sent_bytes_ = head.content_length;
  enter(phase::write, write_grace + body_life(head.content_length));
  writer->run(to_text(head));
}

// The go-ahead came: memory for two slices first, then the body.
void connection::take_upload(std::shared_ptr<actors::upload> sink) {
  enter(phase::admission, shared_.options().answer_timeout);
  byte_budget::take(shared_.uploads(), 2 * shared_.options().slice_bytes,
                    [self = shared_from_this(), sink, generation = generation_](byte_budget::lease granted) {
                      auto kept = std::make_shared<byte_budget::lease>(std::move(granted));
                      net::dispatch(self->peer_->executor(), [self, sink, generation, kept] {
                        if (self->phase_ == phase::closed || generation != self->generation_) return;
                        self->admission_ = std::move(*kept);
                        self->pump_upload(sink);
                      });
                    });
}

void connection::pump_upload(std::shared_ptr<actors::upload> sink) {
  enter(phase::body, body_life(head_->content_length.value_or(0)));
  auto pump = std::make_shared<upload_pump>(
      *source_, std::move(sink), shared_.options().slice_bytes, peer_->executor(),
      [self = shared_from_this()](std::optional<actors::reply> answer) {
        if (self->phase_ == phase::closed) return;
        self->enter(phase::answer, self->shared_.options().answer_timeout);
        if (answer) return self->on_reply(std::move(*answer));
        self->body_state_ = self->too_slow_ ? actors::body_state::slow : actors::body_state::incomplete;
        self->on_reply(
            actors::refuse(self->too_slow_ ? wire::refusal::slow_body : wire::refusal::body_incomplete,
                           "the body did not arrive"));
      });
  pump->run();
}

// Reads and forgets what is left of the body, as long as it stays above the rate floor.
void connection::drain(std::uint64_t bytes_max, std::function<void(bool in_full)> done) {
  const std::uint64_t left = source_->remaining().value_or(bytes_max);
  if (source_->at_end()) return done(true);
  if (left > bytes_max || bytes_max == 0) return done(false);
  if (phase_ != phase::body) {
    too_slow_ = false;
    enter(phase::body, body_life(source_->remaining() ? left : wire::drained_bytes_max));
  }
  scratch_.resize(drain_step_bytes);
  source_->read(scratch_, [self = shared_from_this(), bytes_max, done = std::move(done)](body_event event,
                                                                                         std::size_t count) {
    if (self->phase_ == phase::closed) return;
    if (event == body_event::end) return done(true);
    if (event != body_event::data) return done(false);
    const std::uint64_t rest = bytes_max == std::numeric_limits<std::uint64_t>::max()
                                   ? bytes_max
                                   : bytes_max - std::min<std::uint64_t>(bytes_max, count);
    self->drain(rest, done);
  });
}

void connection::after_answer() {
  log_request();
  admission_.release();
  out_body_ = {};
  if (!may_keep()) return part();
  drain(wire::drained_bytes_max, [self = shared_from_this()](bool in_full) {
    if (self->phase_ == phase::closed) return;
    if (!in_full) return self->part();
    self->scratch_ = {};
    self->source_.reset();
    self->phase_ = phase::idle;
    // A buffer that grew for a large body is not worth keeping on an idle connection.
    if (self->arrived_.size() == 0 && self->arrived_.capacity() > 2 * head_bytes_max) self->arrived_ = {};
    self->read_head();
  });
}

bool connection::may_keep() const {
  if (!head_ || !head_->keep_alive || winding_down_ || shared_.stopping()) return false;
  switch (body_state_) {
    case actors::body_state::slow:
    case actors::body_state::incomplete:
    case actors::body_state::bad_framing:
      return false;
    default:
      break;
  }
  if (source_->at_end()) return true;
  // What is left is read and dropped after the answer, up to a bound.
  return source_->remaining().value_or(0) <= wire::drained_bytes_max;
}

void connection::answer_unmatched() {
  answer_refusal(wire::refusal::not_found, "no such route");
}

void connection::answer_misdirected() {
  answer_refusal(wire::refusal::edge_required, "this server is reached through its edge only");
}

// Before any actor heard of the request.
void connection::answer_refusal(wire::refusal code, std::string detail) {
  forget_proof();
  const actors::reply reply = actors::refuse(code, std::move(detail));
  decision_ = reply.decision;
  write_text(reply, "application/json", std::get<actors::text_body>(reply.body).text);
}

void connection::answer_bare_503() {
  forget_proof();
  decision_ = "preauth_budget_full";
  response_head head;
  head.status = 503;
  head.headers.emplace_back("Retry-After", "1");
  head.close = true;
  head_->keep_alive = false;
  send(head, {});
}

void connection::forget_proof() {
  proved_.reset();
  proved_account_.reset();
  proved_device_.reset();
}

// The device that signed; who only claims to be one is named by the digits the log shows and no more.
std::string connection::device_for_log() const {
  if (proved_device_) return proved_device_->hex();
  const std::string* const claimed = head_->header(wire::header_device);
  if (proved_ || claimed == nullptr || !device_id::parse(*claimed)) return {};
  return claimed->substr(0, 8);
}

void connection::log_request() {
  if (status_ < 400 && !proved_ && match_ && !match_->entry->is_open_to_all()) {
    log::line(log::level::error, "provenance")
        .add("path_class", match_->entry->path)
        .add("decision", "unverified_success");
  }
  const auto severity = status_ < 400 ? log::level::info
                        : status_ < 500 || decision_ == "slow_body" || decision_ == "body_incomplete"
                            ? log::level::warn
                            : log::level::error;
  request_line line;
  line.method = head_->method;
  line.path_class = match_ ? match_->entry->path : std::string_view("/unknown");
  line.device = device_for_log();
  line.status = status_;
  line.bytes = static_cast<std::int64_t>(sent_bytes_);
  line.duration_ms =
      std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun_)
          .count();
  line.decision = decision_;
  line.proved = proved_.has_value();
  line.account = proved_account_;
  shared_.requests().add(std::move(line), severity);
}

// The way a connection ends after an answer that must arrive.
void connection::part() {
  admission_.release();
  preauth_.release();
  enter(phase::parting, shared_.stopping() ? parting_time_at_stop : parting_time);
  peer_->part([self = shared_from_this()] { self->finish(); });
}

void connection::finish() {
  if (phase_ == phase::closed) return;
  phase_ = phase::closed;
  deadline_ms_ = 0;
  if (const auto call = call_.lock()) call->abandoned = true;
  admission_.release();
  preauth_.release();
  peer_->close();
  shared_.leave(shared_from_this());
}

}  // namespace obsync::http
