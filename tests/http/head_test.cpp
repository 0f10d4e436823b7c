#include "http/head.hpp"

#include <gtest/gtest.h>

#include <map>

namespace obsync::http {
namespace {

// The status a head is refused with; 200 when it is accepted.
int judge(const std::string& text) {
  const auto end = find_head_end(text);
  if (!end) return end.error().status;
  if (!*end) return 0;  // more is needed
  const auto head = parse_head(std::string_view(text).substr(0, **end));
  return head ? 200 : head.error().status;
}

std::string get(const std::string& rest) {
  return "GET / HTTP/1.1\r\nHost: a\r\n" + rest + "\r\n";
}

TEST(Head, TakesAnOrdinaryRequestApart) {
  const std::string text =
      "POST /v1/x?y=1 HTTP/1.1\r\nHost: a\r\nX-Obsync-Ts:  17 \r\nContent-Length: 5\r\nExpect: "
      "100-continue\r\n\r\nhello";
  const auto end = find_head_end(text);
  ASSERT_TRUE(end && *end);
  EXPECT_EQ(text.substr(**end), "hello");
  const auto head = parse_head(std::string_view(text).substr(0, **end));
  ASSERT_TRUE(head);
  EXPECT_EQ(head->method, "POST");
  EXPECT_EQ(head->target, "/v1/x?y=1");
  EXPECT_EQ(*head->header("x-obsync-ts"), "17");
  EXPECT_EQ(head->content_length, 5u);
  EXPECT_TRUE(head->expects_continue);
  EXPECT_TRUE(head->keep_alive);
}

TEST(Head, TheFirstHeaderOfANameWins) {
  const std::string text = get("X-A: 1\r\nX-A: 2\r\n");
  EXPECT_EQ(*parse_head(text)->header("x-a"), "1");
}

TEST(Head, RefusesEveryBreachOfTheRulesWithItsStatus) {
  const std::map<std::string, int> cases = {
      {"GET / HTTP/1.1\nHost: a\n\n", 400},
      {"\r\n", 400},
      {"GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400},
      {"G@T / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {std::string(33, 'A') + " / HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET x HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET /\x01 HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505},
      {"GET / FTP/1.1\r\nHost: a\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\n\r\n", 400},
      {"GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400},
      {"GET / HTTP/1.0\r\n\r\n", 200},
      {"GET / HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400},
      {get("X-A : 1\r\n"), 400},
      {get(" folded\r\n"), 400},
      {get("X-A: a\x02\r\n"), 400},
      {get("X-A: a\tb\r\n"), 200},
      {get("NoColon\r\n"), 400},
      {get("Content-Length: 1\r\nContent-Length: 1\r\n"), 400},
      {get("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"), 400},
      {get("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400},
      {get("Transfer-Encoding: gzip\r\n"), 501},
      {get("Transfer-Encoding: Chunked\r\n"), 200},
      {"GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
      {get("Content-Length: +1\r\n"), 400},
      {get("Content-Length: 12345678901234567890\r\n"), 400},
      {get("Content-Length: \r\n"), 400},
      {get("Expect: 200-ok\r\n"), 417},
  };
  for (const auto& [text, status] : cases) EXPECT_EQ(judge(text), status) << text;
}

TEST(Head, RefusesTooLongAsSoonAsTheBytesShowIt) {
  EXPECT_EQ(judge("GET /" + std::string(request_line_bytes_max, 'a')), 431);
  EXPECT_EQ(judge("GET / HTTP/1.1\r\nHost: a\r\nX-A: " + std::string(head_bytes_max, 'a')), 431);
  std::string many = "GET / HTTP/1.1\r\nHost: a\r\n";
  for (std::size_t i = 1; i < header_lines_max; ++i) many += "A: b\r\n";
  EXPECT_EQ(judge(many + "\r\n"), 200);
  EXPECT_EQ(judge(many + "A: b\r\n\r\n"), 431);
}

TEST(Head, AsksForMoreUntilTheEmptyLine) {
  const std::string text = get("X-A: 1\r\n");
  for (std::size_t n = 0; n < text.size(); ++n) EXPECT_EQ(judge(text.substr(0, n)), 0) << n;
}

}  // namespace
}  // namespace obsync::http
