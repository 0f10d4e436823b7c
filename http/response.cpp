#include "http/response.hpp"

#include "wire/signing.hpp"

namespace obsync::http {

namespace {

void add(std::string& text, std::string_view name, std::string_view value) {
  text += name;
  text += ": ";
  text += value;
  text += "\r\n";
}

}  // namespace

std::string_view reason_of(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 302:
      return "Found";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 411:
      return "Length Required";
    case 413:
      return "Content Too Large";
    case 416:
      return "Range Not Satisfiable";
    case 417:
      return "Expectation Failed";
    case 421:
      return "Misdirected Request";
    case 422:
      return "Unprocessable Content";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 505:
      return "HTTP Version Not Supported";
    case 507:
      return "Insufficient Storage";
    default:
      return "Status";
  }
}

std::string to_text(const response_head& head) {
  std::string text;
  text.reserve(320);
  text += "HTTP/1.1 ";
  text += std::to_string(head.status);
  text += ' ';
  text += reason_of(head.status);
  text += "\r\n";
  for (const auto& [name, value] : head.headers) add(text, name, value);
  if (head.secured) {
    text +=
        "Cache-Control: no-store\r\n"
        "X-Content-Type-Options: nosniff\r\n"
        "X-Frame-Options: DENY\r\n"
        "Referrer-Policy: no-referrer\r\n";
  }
  if (head.sequence) add(text, wire::header_sequence, std::to_string(*head.sequence));
  if (head.has_length) add(text, "Content-Length", std::to_string(head.content_length));
  if (head.close) add(text, "Connection", "close");
  text += "\r\n";
  return text;
}

}  // namespace obsync::http
