// One connection, request after request. It reads like a clock:
//   read_head -> on_head -> [read_body] -> submit -> on_reply -> write -> after_answer -> read_head
// One request at a time, which is the back-pressure the actors' mailboxes lack. Every wait has a deadline,
// kept by the listener's once-a-second round. Everything runs on the stream's executor.
#pragma once

#include <boost/beast/core/flat_buffer.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "actors/ports.hpp"
#include "http/body_source.hpp"
#include "http/client_address.hpp"
#include "http/head.hpp"
#include "http/response.hpp"
#include "http/router.hpp"
#include "http/server.hpp"
#include "http/stream.hpp"
#include "http/target.hpp"

namespace obsync::http {

class connection : public std::enable_shared_from_this<connection> {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  connection(std::unique_ptr<stream> peer, server& shared, std::string address);

  // Starts reading. Any thread.
  void run();
  // Refuses the peer with a bare 503 and closes; `waits` for the peer to take it, if asked to. Any thread.
  void run_refused(bool waits);
  // Acts when a deadline has passed. Any thread.
  void check_deadline(time_point now);
  // Closes now when idle, otherwise after the present answer. Any thread.
  void wind_down();
  // Closes whatever is going on. Any thread.
  void cut();
  // Whether it waits for its peer and has never proved a credential. Any thread.
  bool is_expendable() const { return is_waiting_ && !has_proved_; }
  // Connections are numbered as they come.
  std::uint64_t number() const { return number_; }

 private:
  enum class phase { greeting, idle, head, admission, body, answer, write, parting, closed };

  // --- connection.cpp: from the head to the actors
  void read_head();
  void on_head(std::size_t length);
  void refuse_head(int status);
  void begin_request();
  bool find_sender();
  void plan_body();
  void read_whole_body();
  void collect_body();
  void end_body(actors::body_state state);
  void submit();

  // --- connection_reply.cpp: from the answer to the next request
  void on_reply(actors::reply&& reply);
  void write_text(const actors::reply& reply, std::string type, std::string body);
  void write_chunk(const actors::reply& reply, actors::chunk_body chunk);
  void write_parts(const actors::reply& reply, actors::parts_body parts);
  void take_upload(std::shared_ptr<actors::upload> sink);
  void pump_upload(std::shared_ptr<actors::upload> sink);
  void drain(std::uint64_t bytes_max, std::function<void(bool in_full)> done);
  void after_answer();
  void answer_unmatched();
  void answer_misdirected();
  void answer_refusal(wire::refusal code, std::string detail);
  void answer_bare_503();
  void send(const response_head& head, std::string body);

  response_head head_of(const actors::reply& reply) const;
  void forget_proof();
  void log_request();
  std::string device_for_log() const;
  bool may_keep() const;
  void part();
  void finish();

  void enter(phase next, std::chrono::milliseconds life);
  void on_deadline();
  std::chrono::milliseconds body_life(std::uint64_t bytes) const;

  std::unique_ptr<stream> peer_;
  server& shared_;
  const std::string address_;  // of the other end, which may be a proxy
  const std::uint64_t number_;
  boost::beast::flat_buffer arrived_;

  phase phase_ = phase::greeting;
  std::atomic<std::int64_t> deadline_ms_{0};  // steady clock; read by the listener's round
  std::atomic<bool> winding_down_{false};
  std::atomic<bool> is_waiting_{
      true};  // for a handshake, a head, a body that holds the only proof, a hang-up
  std::atomic<bool> has_proved_{false};
  bool first_request_ = true;
  bool too_slow_ = false;  // a deadline ended the body

  // --- the present request
  std::optional<request_head> head_;
  std::optional<target_parts> target_;
  std::optional<route_match> match_;
  actors::credentials signer_;  // until it is submitted
  std::optional<body_source> source_;
  client_address sender_;
  std::string body_;
  std::int64_t body_begun_ms_ = 0;  // steady clock
  actors::body_state body_state_ = actors::body_state::whole;
  byte_budget::lease admission_;
  byte_budget::lease preauth_;
  // Weak: a call that every actor dropped must be able to die, for that is what answers it.
  std::weak_ptr<actors::call> call_;
  std::optional<sequence> proved_;  // what the answered call proved
  std::optional<account_id> proved_account_;
  std::optional<device_id> proved_device_;
  std::uint64_t generation_ = 0;  // tells an answer that came too late from the present one

  // --- its answer
  std::string out_head_;
  std::string out_body_;
  bytes scratch_;  // where drained bytes go
  int status_ = 0;
  std::uint64_t sent_bytes_ = 0;
  std::string decision_;
  time_point begun_;
};

}  // namespace obsync::http
