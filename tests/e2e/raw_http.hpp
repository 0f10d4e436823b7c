// Exact bytes to a server and what comes back, header by header: for tests about the text of the protocol,
// where a well-behaved client would be in the way. Blocking, with a deadline of twenty seconds. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/remote/caller.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {

struct raw_answer {
  int status = 0;         // 0: nothing that could be read as an answer
  std::string head = {};  // the status line and the headers, byte for byte
  std::vector<std::pair<std::string, std::string>> headers = {};  // in order, names as sent
  std::string body = {};

  // The first of that name; empty when there is none.
  std::string header(std::string_view name) const;
  // The word of an obsync refusal; empty when the body is none.
  std::string code() const;
};

// One connection.
class raw_connection {
 public:
  explicit raw_connection(std::uint16_t port);
  ~raw_connection();
  raw_connection(const raw_connection&) = delete;
  raw_connection& operator=(const raw_connection&) = delete;

  // False when the peer does not take it.
  bool send(std::string_view text);
  // The next answer; `to_head` says that its request was a HEAD. Skips `100 Continue`.
  raw_answer receive(bool to_head = false);
  // Nothing more will be sent; what comes back can still be read.
  void end_sending();
  // Whether the peer closes, sending nothing more.
  bool is_closed();

 private:
  bool fill();

  int descriptor_ = -1;
  std::string arrived_;
};

// A request as text. Every member may be wrong on purpose.
struct raw_request {
  std::string method = "GET";
  std::string target = "/livez";
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
  bool declares_length = true;

  raw_request& with(std::string name, std::string value);
  std::string text() const;
};

// Signs as a device would, `age_s` seconds ago, with a fresh nonce.
raw_request signed_by(const client::credential& who, std::string method, std::string target,
                      std::string body = {}, std::int64_t age_s = 0);

// On a connection of its own.
raw_answer exchange(std::uint16_t port, const raw_request& request);
raw_answer exchange(std::uint16_t port, const std::string& text);
raw_answer ask(const server_process& server, const client::credential& who, const std::string& method,
               const std::string& target, const std::string& body = {});
raw_answer ask_unsigned(const server_process& server, const std::string& method, const std::string& target,
                        const std::string& body = {});

}  // namespace obsync::test
