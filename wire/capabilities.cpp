#include "wire/capabilities.hpp"

#include "wire/json_fields.hpp"
#include "wire/json_writer.hpp"

namespace obsync::wire {

std::string to_json(const capabilities& value) {
  json_writer out;
  out.begin_object().key("server").string(value.server);
  if (value.epoch) out.key("epoch").id(*value.epoch);
  if (value.batch) {
    out.key("batch").begin_object();
    out.key("chunks_max").integer(value.batch->chunks_max);
    out.key("posts_max").integer(value.batch->posts_max);
    out.key("chunk_bytes_max").integer(value.batch->chunk_bytes_max);
    out.key("body_bytes_max").integer(value.batch->body_bytes_max);
    out.end_object();
  }
  return out.end_object().take();
}

template <>
outcome<capabilities> from_json(std::string_view text) {
  return read_json<capabilities>(text, [](json_fields& in, capabilities& out) {
    in.string("server", out.server);
    in.optional("epoch", out.epoch,
                [](json_fields& from, const char* name, epoch_id& id) { from.id(name, id); });
    in.optional("batch", out.batch, [](json_fields& from, const char* name, batch_limits& limits) {
      json_fields batch = from.object(name);
      batch.integer("chunks_max", limits.chunks_max);
      batch.integer("posts_max", limits.posts_max);
      batch.integer("chunk_bytes_max", limits.chunk_bytes_max);
      batch.integer("body_bytes_max", limits.body_bytes_max);
    });
  });
}

}  // namespace obsync::wire
