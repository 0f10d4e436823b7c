// The engine's names for copies, by the format's rule: in UTC and after the author, so that devices agree.
#pragma once

#include <map>

#include "client/engine/place.hpp"
#include "client/sync/session.hpp"

namespace obsync::client {

class format_namer final : public copy_namer {
 public:
  // Asks the server for device names at most once, when a copy is first named after another device.
  explicit format_namer(sync_session& session) : session_(session) {}
  std::string name(std::string_view path, std::optional<device_id> author, std::int64_t ts_ms,
                   int number) const override;

 private:
  std::string device_name(const device_id& device) const;

  sync_session& session_;
  mutable std::optional<std::map<device_id, std::string>> devices_;
};

}  // namespace obsync::client
