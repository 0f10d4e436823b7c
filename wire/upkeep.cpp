#include "wire/upkeep.hpp"

#include <array>

#include "wire/json_document.hpp"
#include "wire/json_fields.hpp"
#include "wire/json_writer.hpp"

namespace obsync::wire {

namespace {

constexpr std::array<std::string_view, 2> states{"idle", "running"};

void write(json_writer& out, const collection_summary& value) {
  out.begin_object();
  out.key("ts").integer(value.ts_ms);
  out.key("duration_ms").integer(value.duration_ms);
  out.key("chunks_collected").integer(value.chunks_collected);
  out.key("bytes_collected").integer(value.bytes_collected);
  out.key("chunks_retained").integer(value.chunks_retained);
  out.end_object();
}

void read(json_fields& in, collection_summary& out) {
  in.integer("ts", out.ts_ms);
  in.integer("duration_ms", out.duration_ms);
  in.integer("chunks_collected", out.chunks_collected);
  in.integer("bytes_collected", out.bytes_collected);
  in.integer("chunks_retained", out.chunks_retained);
}

void write(json_writer& out, const scrub_summary& value) {
  out.begin_object();
  out.key("ts").integer(value.ts_ms);
  out.key("duration_ms").integer(value.duration_ms);
  out.key("chunks_verified").integer(value.chunks_verified);
  out.key("bytes_verified").integer(value.bytes_verified);
  out.key("mismatches").integer(value.mismatches);
  out.key("quarantined").integer(value.quarantined);
  out.key("complete_pass").boolean(value.complete_pass);
  out.end_object();
}

void read(json_fields& in, scrub_summary& out) {
  in.integer("ts", out.ts_ms);
  in.integer("duration_ms", out.duration_ms);
  in.integer("chunks_verified", out.chunks_verified);
  in.integer("bytes_verified", out.bytes_verified);
  in.integer("mismatches", out.mismatches);
  in.integer("quarantined", out.quarantined);
  in.flag("complete_pass", out.complete_pass);
}

// Only where there are some.
void write_mirrors(json_writer& out, const std::vector<mirror_health>& mirrors) {
  if (mirrors.empty()) return;
  out.key("mirrors").begin_array();
  for (const mirror_health& one : mirrors) {
    out.begin_object();
    out.key("label").string(one.label);
    out.key("state").plain(one.state);
    out.end_object();
  }
  out.end_array();
}

template <class View>
std::string view_text(const View& value) {
  json_writer out(256);
  out.begin_object();
  out.key("state").plain(states[value.running ? 1 : 0]);
  out.key("last");
  if (value.last) {
    write(out, *value.last);
  } else {
    out.null();
  }
  if constexpr (requires { value.mirrors; }) write_mirrors(out, value.mirrors);
  return out.end_object().take();
}

void read_mirrors(json_fields& in, std::vector<mirror_health>& out) {
  std::optional<std::vector<mirror_health>> found;
  in.optional("mirrors", found, [](json_fields& from, const char* name, std::vector<mirror_health>& list) {
    from.list(name, list, [](json_fields& one, mirror_health& to) {
      one.string("label", to.label);
      one.string("state", to.state);
    });
  });
  if (found) out = std::move(*found);
}

template <class View>
outcome<View> read_view(std::string_view text) {
  return read_json<View>(text, [](json_fields& in, View& out) {
    std::size_t state = 0;
    in.word("state", states, state);
    out.running = state == 1;
    if constexpr (requires { out.mirrors; }) read_mirrors(in, out.mirrors);
    if (in.failed() || in.is_null("last")) return;
    json_fields last = in.object("last");
    read(last, out.last.emplace());
  });
}

}  // namespace

std::string to_json(const scrub_summary& value) {
  json_writer out(256);
  write(out, value);
  return out.take();
}

std::string to_json(const scrub_view& value) {
  return view_text(value);
}

template <>
outcome<scrub_summary> from_json(std::string_view text) {
  return read_json<scrub_summary>(text, [](json_fields& in, scrub_summary& out) { read(in, out); });
}

template <>
outcome<scrub_view> from_json(std::string_view text) {
  return read_view<scrub_view>(text);
}

std::string to_json(const collection_summary& value) {
  json_writer out(192);
  write(out, value);
  return out.take();
}

std::string to_json(const collection_view& value) {
  return view_text(value);
}

template <>
outcome<collection_summary> from_json(std::string_view text) {
  return read_json<collection_summary>(text, [](json_fields& in, collection_summary& out) { read(in, out); });
}

template <>
outcome<collection_view> from_json(std::string_view text) {
  return read_view<collection_view>(text);
}

}  // namespace obsync::wire
