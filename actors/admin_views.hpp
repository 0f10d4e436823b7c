// What the dashboard shows of an account and of the server: overview, devices, storage. Part of the readers:
// blocks, and runs on a reader's thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "actors/ports.hpp"
#include "actors/sightings.hpp"
#include "actors/upkeep_board.hpp"
#include "core/clock.hpp"
#include "core/disk.hpp"
#include "store/catalog.hpp"
#include "store/room.hpp"
#include "store/volume.hpp"

namespace obsync::actors {

// What does not change while the server runs. Immutable, shared by all readers.
struct admin_facts {
  std::shared_ptr<const clock> time;
  std::shared_ptr<disk> files;
  std::shared_ptr<sightings> seen;
  std::shared_ptr<upkeep_board> board;
  std::vector<store::volume> volumes;
  std::string edge = "none";
  std::optional<std::string> public_url = {};
  std::int64_t retention_days = 0;
  std::int64_t retention_versions = 0;
  std::string watermark_spec = {};
  std::int64_t scrub_bytes_per_second = 0;
};

// Who is looking.
struct admin_viewer {
  std::optional<account_id> account = {};
  bool is_owner = false;  // of the server's first account: volumes are shown, for others share them
  bool recovery = false;
};

// Answers admin_overview, admin_devices and admin_storage: 200 | io_error | corrupt.
reply answer_admin_view(const admin_facts& facts, store::catalog_reader& catalog, const store::room& space,
                        const admin_viewer& viewer, route where);

// How many of `times_ms` fall into each of the last hours, this one included; oldest hour first.
std::array<wire::hour_count, wire::activity_hours> count_by_hour(const std::vector<std::int64_t>& times_ms,
                                                                 std::int64_t now_ms);

}  // namespace obsync::actors
