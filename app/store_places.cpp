#include "app/store_places.hpp"

namespace obsync::app {

store::check_places places_of(const config::settings& settings) {
  store::check_places out{settings.store.journal_dir + "/v1", settings.store.blobs_dir + "/v1"};
  for (const config::mirror& copy : settings.store.blobs_mirrors)
    out.mirror_folders.push_back(copy.path + "/v1");
  return out;
}

}  // namespace obsync::app
