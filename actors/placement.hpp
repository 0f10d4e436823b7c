// Where an actor runs. Only the wiring chooses `own_thread`; tests keep everything in CAF's scheduler, where
// time moves by hand.
#pragma once

namespace obsync::actors {

enum class placement {
  pool,        // shared workers: must never block
  own_thread,  // a thread of its own: may block on the disk
};

}  // namespace obsync::actors
