// What the machine provides: its disk, its clock, its randomness, its threads. A simulation puts its own in
// their places and builds the rest of the server from the very same parts.
#pragma once

#include <memory>

#include "actors/placement.hpp"
#include "core/clock.hpp"
#include "core/disk.hpp"
#include "core/random.hpp"

namespace obsync::app {

struct surroundings {
  std::shared_ptr<disk> files = make_posix_disk();
  std::shared_ptr<const clock> time = std::make_shared<system_clock>();
  std::shared_ptr<random_source> random = std::make_shared<system_random>();
  actors::placement blocking = actors::placement::own_thread;  // of actors that wait for the disk
  // Whether others could open the store's folders: then they are locked, and their owners and modes looked
  // at.
  bool shared_machine = true;
};

}  // namespace obsync::app
