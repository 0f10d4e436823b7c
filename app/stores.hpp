// Everything durable, opened once for the whole process.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/start_steps.hpp"
#include "app/surroundings.hpp"
#include "config/settings.hpp"
#include "core/disk.hpp"
#include "core/result.hpp"
#include "crypto/secret.hpp"
#include "store/blob_scrub.hpp"
#include "store/blob_store.hpp"
#include "store/catalog.hpp"
#include "store/chunk_reader.hpp"
#include "store/folder_lock.hpp"
#include "store/mirror_watch.hpp"
#include "store/room.hpp"
#include "store/small_copies.hpp"
#include "store/small_store.hpp"
#include "store/upkeep_reader.hpp"

namespace obsync::app {

struct stores {
  std::shared_ptr<disk> files;
  std::unique_ptr<store::folder_lock> journal_lock;
  std::unique_ptr<store::folder_lock> blobs_lock;  // two servers could share one volume and not the other
  crypto::secret32 server_key;
  crypto::secret32 setup_token;
  std::shared_ptr<store::mirror_watch> mirrors;
  std::shared_ptr<store::blob_store> blobs;
  std::shared_ptr<store::chunk_source> journal_presence;  // used inside commits only; outlives `catalog`
  std::shared_ptr<store::chunk_source> writer_presence;   // the small-blob writer's own
  std::shared_ptr<store::catalog_writer> catalog;
  std::shared_ptr<store::small_writer> small;
  std::shared_ptr<store::room> space;
  std::shared_ptr<store::departing_chunks> departing = std::make_shared<store::departing_chunks>();
  epoch_id epoch;
  std::vector<store::account_row> accounts;
  std::vector<store::device_row> devices;
  std::vector<store::invitation_row> invitations;
  // When the last process stopped in order, Unix ms; nothing after a crash.
  std::optional<std::int64_t> clean_stop_ms = {};
  start_steps took = {};
};

result<stores> open_stores(const config::settings& settings, const surroundings& around);

// A reader's own connections.
struct reader_stores {
  std::shared_ptr<store::catalog_reader> catalog;
  std::shared_ptr<store::chunk_source> chunks;
};
result<reader_stores> open_reader_stores(const config::settings& settings, const stores& opened);

// The collector's own connections.
struct upkeep_stores {
  std::shared_ptr<store::upkeep_reader> catalog;
  std::shared_ptr<store::small_reader> small;
};
result<upkeep_stores> open_upkeep_stores(const config::settings& settings);

// The scrubber's own connections.
struct scrub_stores {
  upkeep_stores primary;
  std::shared_ptr<store::small_copies> small_mirrors;
  std::shared_ptr<store::chunk_source> presence;
  std::shared_ptr<store::blob_scrub> copies;
};
result<scrub_stores> open_scrub_stores(const config::settings& settings, const stores& opened);

}  // namespace obsync::app
