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

}  // namespace

std::string to_json(const collection_summary& value) {
  json_writer out(192);
  write(out, value);
  return out.take();
}

std::string to_json(const collection_view& value) {
  json_writer out(256);
  out.begin_object();
  out.key("state").plain(states[value.running ? 1 : 0]);
  out.key("last");
  if (value.last) {
    write(out, *value.last);
  } else {
    out.null();
  }
  return out.end_object().take();
}

template <>
outcome<collection_summary> from_json(std::string_view text) {
  return read_json<collection_summary>(text, [](json_fields& in, collection_summary& out) { read(in, out); });
}

template <>
outcome<collection_view> from_json(std::string_view text) {
  return read_json<collection_view>(text, [](json_fields& in, collection_view& out) {
    std::size_t state = 0;
    in.word("state", states, state);
    out.running = state == 1;
    if (in.failed() || in.is_null("last")) return;
    json_fields last = in.object("last");
    read(last, out.last.emplace());
  });
}

}  // namespace obsync::wire
