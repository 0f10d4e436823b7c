#include "client/watch/watch_status.hpp"

#include <charconv>

#include "client/home/record.hpp"

namespace obsync::client {

namespace {

constexpr std::string_view title = "obsync-status 1";

template <class Number>
bool read_number(const record& from, const char* name, Number& out) {
  const auto text = from.find(name);
  if (!text) return false;
  const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), out);
  return failed == std::errc{} && end == text->data() + text->size();
}

}  // namespace

std::string to_text(const watch_status& value) {
  record out{std::string(title)};
  out.set("state", value.state);
  out.set("reason_code", value.reason_code);
  out.set("reason", value.reason);
  out.set("pending", std::to_string(value.pending));
  out.set("held", std::to_string(value.held));
  out.set("failed", std::to_string(value.failed));
  out.set("bytes_sent", std::to_string(value.bytes_sent));
  out.set("bytes_received", std::to_string(value.bytes_received));
  out.set("tracked_files", std::to_string(value.tracked_files));
  out.set("tracked_folders", std::to_string(value.tracked_folders));
  out.set("cursor", std::to_string(value.cursor));
  out.set("updated_ms", std::to_string(value.updated_ms));
  return out.text();
}

result<watch_status> parse_watch_status(std::string_view text) {
  const auto from = record::parse(title, text);
  if (!from) return from.error();
  watch_status out;
  out.state = from->find("state").value_or("");
  out.reason_code = from->find("reason_code").value_or("");
  out.reason = from->find("reason").value_or("");
  const bool complete = !out.state.empty() && read_number(*from, "pending", out.pending) &&
                        read_number(*from, "held", out.held) && read_number(*from, "failed", out.failed) &&
                        read_number(*from, "bytes_sent", out.bytes_sent) &&
                        read_number(*from, "bytes_received", out.bytes_received) &&
                        read_number(*from, "tracked_files", out.tracked_files) &&
                        read_number(*from, "tracked_folders", out.tracked_folders) &&
                        read_number(*from, "cursor", out.cursor) &&
                        read_number(*from, "updated_ms", out.updated_ms);
  if (!complete) return error{errc::corrupt, std::string(title) + ": a field is missing or broken"};
  return out;
}

}  // namespace obsync::client
