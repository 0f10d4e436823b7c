// What a device that may only read is allowed to ask. Plain data.
#pragma once

#include "actors/ports.hpp"

namespace obsync::actors {

// Looking, waiting for news, saying that it is there, collecting its own envelope, and acts upon itself. A
// route that is not listed here is closed to it.
inline bool is_open_to_readers(const request& req, const device_id& device) {
  switch (req.where) {
    case route::account:
    case route::pairing_status:
    case route::envelope:
    case route::devices:
    case route::heartbeat:
    case route::chunks_exists:
    case route::chunk_get:
    case route::chunks_get:
    case route::files:
    case route::file:
    case route::version:
    case route::changes:
    case route::capabilities:
      return true;
    case route::patch_device:
    case route::revoke_device:
    case route::archive_device:
      return req.params[0] == device.hex();
    default:
      return false;
  }
}

}  // namespace obsync::actors
