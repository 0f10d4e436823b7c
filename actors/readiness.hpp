// Readiness: whether the volumes take writes right now.
//
// OWNS      the verdict on each volume and its age.
// HEARS     readiness_call, whose call it answers: {"ready":true} | not_ready with a reason.
// PROMISES  the verdict is at most 5 s old; the probe is not repeated while it is fresh.
// NEVER     leaves its probe file behind, save a crash in between.
// BLOCKS    yes, on the disk: wiring gives it a thread of its own.
#pragma once

#include <caf/actor.hpp>
#include <caf/actor_system.hpp>

#include <memory>
#include <string>
#include <vector>

#include "actors/health.hpp"
#include "actors/placement.hpp"
#include "core/clock.hpp"
#include "core/disk.hpp"

namespace obsync::actors {

struct probed_volume {
  std::string name;  // as the refusal calls it: blobs, mirror, journal
  std::string folder;
};

struct readiness_deps {
  std::shared_ptr<health> state;
  std::shared_ptr<disk> volumes_disk;
  std::shared_ptr<const clock> time;
  std::vector<probed_volume> volumes;
  std::int64_t verdict_life_ms = 5000;
};

caf::actor spawn_readiness(caf::actor_system& system, placement where, readiness_deps deps);

}  // namespace obsync::actors
