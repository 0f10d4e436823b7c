// A transport that answers from a script and remembers what it was asked.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "client/remote/transport.hpp"

namespace obsync::test {

class scripted_transport final : public client::transport {
 public:
  struct heard {
    std::string method;
    std::string target;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    bool fresh_connection = false;
    client::exchange_limits limits;

    std::string header(std::string_view name) const {
      for (const auto& [key, value] : headers) {
        if (key == name) return value;
      }
      return {};
    }
  };

  // Answers in order; the last one is repeated for whoever asks more.
  std::deque<client::exchange_result> script;
  std::vector<heard> requests;
  bool stopped = false;

  void answer(int status, std::string body, std::string content_type = "application/json",
              std::optional<std::int64_t> retry_after_s = {}) {
    client::http_answer made;
    made.status = status;
    made.content_type = std::move(content_type);
    made.retry_after_s = retry_after_s;
    made.body.assign(body.begin(), body.end());
    script.emplace_back(std::move(made));
  }

  void refuse(int status, const std::string& word, const std::string& members = {}) {
    answer(status, R"({"error":")" + word + R"(","detail":"as scripted")" + members + "}");
  }

  void fail(client::exchange_failure::kind what) {
    script.emplace_back(client::exchange_failure{what, "scripted"});
  }

  client::exchange_result exchange(const client::http_request& request,
                                   const client::exchange_limits& limits) override {
    requests.push_back({request.method, request.target, request.headers, std::string(as_text(request.body)),
                        request.fresh_connection, limits});
    auto next = script.front();
    if (script.size() > 1) script.pop_front();
    return next;
  }

  void stop() override { stopped = true; }
};

}  // namespace obsync::test
