// A browser in front of the dashboard, as far as a test needs one: it keeps cookies, follows nothing by
// itself and shows every header it got. Plain HTTP, one connection a request.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/server_process.hpp"

namespace obsync::test {

struct page_answer {
  int status = 0;
  std::vector<std::pair<std::string, std::string>> headers = {};  // in order, names as sent
  std::string body = {};

  // The first of that name; empty where there is none.
  std::string header(const std::string& name) const;
};

class browser {
 public:
  explicit browser(const server_process& server) : port_(server.port()) {}

  page_answer get(const std::string& target);
  // With the CSRF header, as the dashboard's page sends it.
  page_answer post(const std::string& target);
  // With exactly these header lines, each ended by CRLF, beside Host and cookies.
  page_answer send(const std::string& method, const std::string& target, const std::string& header_lines);

  std::string cookie(const std::string& name) const;
  void set_cookie(const std::string& name, const std::string& value) { cookies_[name] = value; }

 private:
  void keep_cookies(const page_answer& answer);

  std::uint16_t port_;
  std::map<std::string, std::string> cookies_;
};

}  // namespace obsync::test
