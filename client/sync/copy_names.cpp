#include "client/sync/copy_names.hpp"

#include "client/format/conflict_name.hpp"

namespace obsync::client {

std::string format_namer::name(std::string_view path, std::optional<device_id> author, std::int64_t ts_ms,
                               int number) const {
  conflict_mark mark;
  mark.device = author ? device_name(*author) : session_.options.device_name;
  mark.when_ms = ts_ms;
  return conflict_path(path, mark, number);
}

std::string format_namer::device_name(const device_id& device) const {
  if (!devices_) {
    devices_.emplace();
    const auto list = session_.server.devices();
    if (!list) session_.log->end(list.error());
    if (list) {
      for (const auto& one : list->devices) devices_->emplace(one.id, one.card.name);
    }
  }
  const auto found = devices_->find(device);
  return found == devices_->end() ? std::string() : found->second;
}

}  // namespace obsync::client
