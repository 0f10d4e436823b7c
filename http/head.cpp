#include "http/head.hpp"

#include <boost/beast/core/buffers_prefix.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>

#include <algorithm>

#include "core/utf8.hpp"
#include "http/header_text.hpp"

namespace obsync::http {

namespace {

namespace beast_http = boost::beast::http;

using head_result = result<request_head, head_refusal>;

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

bool is_control(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 || code == 0x7F;
}

// The lines of a head without their CRLF, the final empty line left out.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (true) {
    const std::size_t end = text.find("\r\n");
    const std::string_view line = text.substr(0, end);
    if (line.empty()) return lines;
    lines.push_back(line);
    text.remove_prefix(end + 2);
  }
}

// Zero when the line obeys; otherwise the status that refuses it.
int judge_request_line(std::string_view line) {
  if (line.size() + 2 > request_line_bytes_max) return 431;
  const std::size_t first = line.find(' ');
  const std::size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos || line.find(' ', second + 1) != std::string_view::npos) return 400;
  const std::string_view method = line.substr(0, first);
  const std::string_view target = line.substr(first + 1, second - first - 1);
  const std::string_view version = line.substr(second + 1);
  if (!is_token(method) || method.size() > 32) return 400;
  if (!version.starts_with("HTTP/")) return 400;
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return 505;
  if (target.empty() || target.front() != '/') return 400;
  if (std::any_of(target.begin(), target.end(), is_control)) return 400;
  return 0;
}

int judge_header_line(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || !is_token(line.substr(0, colon)))
    return 400;  // a folded line has no name
  const std::string_view value = line.substr(colon + 1);
  const bool clean =
      std::none_of(value.begin(), value.end(), [](char c) { return is_control(c) && c != '\t'; });
  return clean ? 0 : 400;
}

struct framing_counts {
  int content_length = 0;
  int transfer_encoding = 0;
  int host = 0;
};

framing_counts count_framing(const request_head& head) {
  framing_counts counts;
  for (const auto& [name, value] : head.headers) {
    if (equals_no_case(name, "Content-Length")) ++counts.content_length;
    if (equals_no_case(name, "Transfer-Encoding")) ++counts.transfer_encoding;
    if (equals_no_case(name, "Host")) ++counts.host;
  }
  return counts;
}

bool is_length(std::string_view text) {
  return !text.empty() && text.size() <= 19 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Everything by which one request could be smuggled inside another.
int judge_framing(const request_head& head) {
  const framing_counts counts = count_framing(head);
  if (counts.content_length > 1 || counts.transfer_encoding > 1) return 400;
  if (counts.content_length == 1 && counts.transfer_encoding == 1) return 400;
  if (counts.transfer_encoding == 1 && head.http_1_0) return 400;
  const std::string* length = head.header("Content-Length");
  if (length != nullptr && !is_length(*length)) return 400;
  const std::string* coding = head.header("Transfer-Encoding");
  if (coding != nullptr && !equals_no_case(*coding, "chunked")) return 501;
  const std::string* expect = head.header("Expect");
  if (expect != nullptr && !equals_no_case(*expect, "100-continue")) return 417;
  if (head.http_1_0 ? counts.host > 1 : counts.host != 1) return 400;
  return 0;
}

int judge_text(std::string_view text) {
  if (!is_utf8(text)) return 400;
  const std::vector<std::string_view> lines = lines_of(text);
  if (lines.empty()) return 400;
  if (lines.size() - 1 > header_lines_max) return 431;
  if (const int status = judge_request_line(lines.front()); status != 0) return status;
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (const int status = judge_header_line(lines[i]); status != 0) return status;
  return 0;
}

bool wants_close(const request_head& head) {
  const std::string* connection = head.header("Connection");
  return connection != nullptr && equals_no_case(*connection, "close");
}

}  // namespace

const std::string* request_head::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (equals_no_case(key, name)) return &value;
  return nullptr;
}

result<std::optional<std::size_t>, head_refusal> find_head_end(std::string_view arrived) {
  std::size_t line_start = 0;
  for (std::size_t at = arrived.find('\n'); at != std::string_view::npos; at = arrived.find('\n', at + 1)) {
    if (at == 0 || arrived[at - 1] != '\r') return head_refusal{400};
    if (line_start == 0 && at + 1 > request_line_bytes_max) return head_refusal{431};
    const bool empty_line = at == line_start + 1;
    if (empty_line && line_start == 0) return head_refusal{400};
    line_start = at + 1;
    if (line_start > head_bytes_max) return head_refusal{431};
    if (empty_line) return std::optional<std::size_t>(line_start);
  }
  const bool first_line_too_long = line_start == 0 && arrived.size() > request_line_bytes_max;
  if (first_line_too_long || arrived.size() > head_bytes_max) return head_refusal{431};
  return std::optional<std::size_t>();
}

result<request_head, head_refusal> parse_head(std::string_view text) {
  if (const int status = judge_text(text); status != 0) return head_refusal{status};

  beast_http::request_parser<beast_http::empty_body> parser;
  parser.header_limit(static_cast<std::uint32_t>(head_bytes_max));
  parser.body_limit(boost::none);
  boost::system::error_code failed;
  parser.put(boost::asio::buffer(text.data(), text.size()), failed);
  if (failed && failed != beast_http::error::need_more) return head_refusal{400};
  if (!parser.is_header_done()) return head_refusal{400};

  request_head head;
  const auto& message = parser.get();
  head.method = std::string(message.method_string());
  head.target = std::string(message.target());
  head.http_1_0 = message.version() == 10;
  for (const auto& field : message) head.headers.emplace_back(field.name_string(), field.value());
  if (const int status = judge_framing(head); status != 0) return head_refusal{status};

  if (const std::string* length = head.header("Content-Length")) head.content_length = std::stoull(*length);
  head.chunked = head.header("Transfer-Encoding") != nullptr;
  head.expects_continue = !head.http_1_0 && head.header("Expect") != nullptr;
  head.keep_alive = !head.http_1_0 && !wants_close(head);
  return head;
}

}  // namespace obsync::http
