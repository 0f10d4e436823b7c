// GET /v1/capabilities: what this server offers beyond protocol v1. A server without the route offers
// nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/ids.hpp"
#include "wire/failure.hpp"

namespace obsync::wire {

struct batch_limits {
  std::int64_t chunks_max = 0;
  std::int64_t posts_max = 0;
  std::int64_t chunk_bytes_max = 0;  // of one ciphertext
  std::int64_t body_bytes_max = 0;
};

struct capabilities {
  std::string server;  // for people: name and version
  // Which life of the store answers. Another one than before: it was restored, and may have lost what was
  // acknowledged since.
  std::optional<epoch_id> epoch = {};
  std::optional<batch_limits> batch = {};
};

std::string to_json(const capabilities& value);
template <>
outcome<capabilities> from_json(std::string_view text);

}  // namespace obsync::wire
