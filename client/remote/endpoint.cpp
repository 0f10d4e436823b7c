#include "client/remote/endpoint.hpp"

#include <charconv>

namespace obsync::client {

namespace {

constexpr std::size_t host_chars_max = 253;

error wrong(const char* what) {
  return {errc::invalid,
          std::string("server address: ") + what + "; expected http://host[:port] or https://host[:port]"};
}

bool is_host_char(char c, bool address) {
  const bool alnum = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return alnum || c == '.' || (address ? c == ':' : c == '-' || c == '_');
}

bool is_host(std::string_view host, bool address) {
  if (host.empty() || host.size() > host_chars_max) return false;
  for (const char c : host) {
    if (!is_host_char(c, address)) return false;
  }
  return true;
}

bool take_prefix(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

std::string endpoint::host_header() const {
  std::string text = host.find(':') == std::string::npos ? host : "[" + host + "]";
  if (port != (tls ? 443 : 80)) text += ":" + std::to_string(port);
  return text;
}

std::string endpoint::url() const {
  return (tls ? "https://" : "http://") + host_header();
}

bool endpoint::loopback() const {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

result<endpoint> parse_endpoint(std::string_view url) {
  endpoint out;
  if (take_prefix(url, "https://")) {
    out.tls = true;
  } else if (!take_prefix(url, "http://")) {
    return wrong("no http:// or https:// at its start");
  }
  if (url.ends_with('/')) url.remove_suffix(1);
  if (url.find_first_of("/?#") != std::string_view::npos) return wrong("a path or query after the host");
  if (url.find('@') != std::string_view::npos) return wrong("a user name before the host");

  std::string_view rest;
  const bool address = url.starts_with('[');
  if (address) {
    const auto end = url.find(']');
    if (end == std::string_view::npos) return wrong("an opening bracket without its end");
    out.host = url.substr(1, end - 1);
    rest = url.substr(end + 1);
  } else {
    const auto colon = url.find(':');
    out.host = url.substr(0, colon);
    if (colon != std::string_view::npos) rest = url.substr(colon);
  }
  if (!is_host(out.host, address)) return wrong("no usable host name");

  out.port = out.tls ? 443 : 80;
  if (rest.empty()) return out;
  if (rest.front() != ':') return wrong("something between host and port");
  rest.remove_prefix(1);
  const auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), out.port);
  if (failed != std::errc{} || end != rest.data() + rest.size() || out.port == 0)
    return wrong("a port outside 1..65535");
  return out;
}

}  // namespace obsync::client
