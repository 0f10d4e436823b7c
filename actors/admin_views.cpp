#include "actors/admin_views.hpp"

#include "actors/account_view.hpp"
#include "wire/dashboard.hpp"

namespace obsync::actors {

namespace {

constexpr std::int64_t quarantine_rows_max = 1'000;

constexpr std::int64_t hour_ms = 3'600'000;

// Chunks are counted by the server itself; every mirror holds a copy of each.
std::vector<wire::volume_view> view_volumes(const admin_facts& facts, const store::room& space,
                                            const admin_viewer& viewer) {
  std::vector<wire::volume_view> out;
  // What the volumes hold and how fast they fill is other families' activity too.
  if (!viewer.is_owner) return out;
  const auto mirrors = facts.board->mirrors();
  std::size_t next_mirror = 0;
  for (const store::volume& one : facts.volumes) {
    const auto counted = one.role == "journal" ? std::nullopt : std::optional(space.used_total());
    const store::volume_state state = store::look_at(*facts.files, one, counted);
    out.push_back({one.role, one.label, state.bytes_total, state.bytes_used, state.bytes_free,
                   state.watermark_bytes, !state.verified});
    if (one.role != "mirror" || next_mirror >= mirrors.size()) continue;
    const store::mirror_view& mirror = mirrors[next_mirror++];
    if (mirror.state != store::mirror_state::whole) out.back().state = name(mirror.state);
  }
  return out;
}

reply overview(const admin_facts& facts, store::catalog_reader& catalog, const store::room& space,
               const admin_viewer& viewer) {
  wire::dashboard_overview out;
  std::vector<std::int64_t> recent_ms;
  if (viewer.account) {
    auto account = view_account(catalog, space, *viewer.account);
    if (!account) return store_failed(account.error());
    out.account = std::move(*account);
    auto activity = catalog.activity(*viewer.account, wire::activity_versions_max);
    if (!activity) return store_failed(activity.error());
    out.versions = activity->versions;
    out.files = activity->files;
    recent_ms = std::move(activity->recent_ms);
  }
  out.edge = facts.edge;
  out.public_url = facts.public_url;
  out.volumes = view_volumes(facts, space, viewer);
  out.activity = count_by_hour(recent_ms, facts.time->now_ms());
  out.last_scrub = facts.board->scrub().last;
  out.last_collection = facts.board->collection().last;
  out.recovery = viewer.recovery;
  return ok(wire::to_json(out));
}

reply devices(const admin_facts& facts, store::catalog_reader& catalog, const admin_viewer& viewer) {
  wire::watched_device_list out;
  if (viewer.account) {
    auto listed = catalog.devices_of(*viewer.account);
    if (!listed) return store_failed(listed.error());
    for (wire::device_info& info : *listed) {
      auto history = facts.seen->history_of(info);
      out.devices.push_back({std::move(info), std::move(history)});
    }
  }
  return ok(wire::to_json(out));
}

reply storage(const admin_facts& facts, store::catalog_reader& catalog, const store::room& space,
              const admin_viewer& viewer) {
  wire::dashboard_storage out;
  out.volumes = view_volumes(facts, space, viewer);
  out.retention_days = facts.retention_days;
  out.retention_versions = facts.retention_versions;
  out.watermark_spec = facts.watermark_spec;
  out.collection = facts.board->collection();
  out.scrub = facts.board->scrub();
  out.scrub_bytes_per_second = facts.scrub_bytes_per_second;
  const auto rotten = catalog.quarantined(quarantine_rows_max);
  if (!rotten) return refuse(wire::refusal::io_error, "the quarantine could not be read");
  for (const store::quarantine_row& row : *rotten)
    if (viewer.account == row.account) out.quarantine.push_back({row.sid, row.ts_ms});
  return ok(wire::to_json(out));
}

}  // namespace

reply answer_admin_view(const admin_facts& facts, store::catalog_reader& catalog, const store::room& space,
                        const admin_viewer& viewer, route where) {
  switch (where) {
    case route::admin_overview:
      return overview(facts, catalog, space, viewer);
    case route::admin_devices:
      return devices(facts, catalog, viewer);
    case route::admin_storage:
      return storage(facts, catalog, space, viewer);
    default:
      return refuse(wire::refusal::not_found, "no such route");
  }
}

std::array<wire::hour_count, wire::activity_hours> count_by_hour(const std::vector<std::int64_t>& times_ms,
                                                                 std::int64_t now_ms) {
  std::array<wire::hour_count, wire::activity_hours> out{};
  const std::int64_t first_ms =
      now_ms / hour_ms * hour_ms - (static_cast<std::int64_t>(out.size()) - 1) * hour_ms;
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i].hour_ms = first_ms + static_cast<std::int64_t>(i) * hour_ms;
  for (const std::int64_t ts_ms : times_ms) {
    if (ts_ms < first_ms) continue;
    const auto index = static_cast<std::size_t>((ts_ms - first_ms) / hour_ms);
    if (index < out.size()) ++out[index].count;
  }
  return out;
}

}  // namespace obsync::actors
