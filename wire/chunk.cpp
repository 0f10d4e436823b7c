#include "wire/chunk.hpp"

#include "wire/json_fields.hpp"
#include "wire/json_writer.hpp"

namespace obsync::wire {

namespace {

constexpr std::size_t hex_with_quotes = 2 * chunk_sid::size + 3;

std::string sid_list(std::string_view name, const std::vector<chunk_sid>& sids) {
  json_writer out(32 + sids.size() * hex_with_quotes);
  return out.begin_object().key(name).ids(sids).end_object().take();
}

}  // namespace

std::string to_json(const exists_request& value) {
  return sid_list("sids", value.sids);
}
std::string to_json(const exists_answer& value) {
  return sid_list("missing", value.missing);
}
std::string to_json(const get_request& value) {
  return sid_list("sids", value.sids);
}

std::string to_json(const put_answer& value) {
  return json_writer().begin_object().key("sid").id(value.sid).end_object().take();
}

template <>
outcome<exists_request> from_json(std::string_view text) {
  return read_json<exists_request>(
      text, [](json_fields& in, exists_request& out) { in.ids("sids", exists_sids_max, out.sids); });
}

template <>
outcome<exists_answer> from_json(std::string_view text) {
  return read_json<exists_answer>(
      text, [](json_fields& in, exists_answer& out) { in.ids("missing", exists_sids_max, out.missing); });
}

template <>
outcome<get_request> from_json(std::string_view text) {
  return read_json<get_request>(
      text, [](json_fields& in, get_request& out) { in.ids("sids", get_sids_max, out.sids); });
}

template <>
outcome<put_answer> from_json(std::string_view text) {
  return read_json<put_answer>(text, [](json_fields& in, put_answer& out) { in.id("sid", out.sid); });
}

}  // namespace obsync::wire
