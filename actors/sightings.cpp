#include "actors/sightings.hpp"

#include <algorithm>
#include <optional>

namespace obsync::actors {

namespace {

void add_if_unseen(std::vector<wire::device_sighting>& to, wire::sighting_kind kind,
                   const std::optional<std::int64_t>& last_ms) {
  if (!last_ms) return;
  const std::int64_t ts_ms = wire::whole_seconds(*last_ms);
  const bool seen = std::any_of(to.begin(), to.end(), [&](const wire::device_sighting& one) {
    return one.kind == kind && one.ts_ms >= ts_ms;
  });
  // Where it came from is not kept for each kind.
  if (!seen) to.push_back({ts_ms, kind, {}, {}});
}

}  // namespace

void sightings::note(const device_id& device, wire::device_sighting one) {
  one.ts_ms = wire::whole_seconds(one.ts_ms);
  const std::lock_guard lock(mutex_);
  auto& of = of_[device];
  of.push_front(std::move(one));
  if (of.size() > wire::device_sightings_max) of.pop_back();
}

void sightings::forget(const device_id& device) {
  const std::lock_guard lock(mutex_);
  of_.erase(device);
}

std::vector<wire::device_sighting> sightings::history_of(const wire::device_info& info) const {
  std::vector<wire::device_sighting> out;
  {
    const std::lock_guard lock(mutex_);
    if (const auto found = of_.find(info.id); found != of_.end())
      out.assign(found->second.begin(), found->second.end());
  }
  add_if_unseen(out, wire::sighting_kind::sign_in, info.last_sign_in_ms);
  add_if_unseen(out, wire::sighting_kind::edit, info.last_edit_ms);
  add_if_unseen(out, wire::sighting_kind::heartbeat, info.last_heartbeat_ms);
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.ts_ms > b.ts_ms; });
  if (out.size() > wire::device_sightings_max) out.resize(wire::device_sightings_max);
  return out;
}

}  // namespace obsync::actors
