// A browser in front of the dashboard, as far as a test needs one: it keeps cookies, follows nothing by
// itself and shows every header it got. Plain HTTP, one connection a request.
#pragma once

#include <map>
#include <string>

#include "tests/e2e/raw_http.hpp"

namespace obsync::test {

class browser {
 public:
  explicit browser(const server_process& server) : port_(server.port()) {}

  raw_answer get(const std::string& target);
  // With the CSRF header, as the dashboard's page sends it.
  raw_answer post(const std::string& target);
  // With exactly these header lines, each ended by CRLF, beside Host and cookies.
  raw_answer send(const std::string& method, const std::string& target, const std::string& header_lines);

  std::string cookie(const std::string& name) const;
  void set_cookie(const std::string& name, const std::string& value) { cookies_[name] = value; }

 private:
  void keep_cookies(const raw_answer& answer);

  std::uint16_t port_;
  std::map<std::string, std::string> cookies_;
};

}  // namespace obsync::test
