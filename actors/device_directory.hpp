// Which devices may speak at all, readable without asking an actor: so that memory for a body is given to
// nobody whose request would be refused before its body mattered. Who enrols a device adds it before the
// device learns its own id; the front takes out who may speak no more. Any thread.
#pragma once

#include <shared_mutex>
#include <unordered_set>

#include "actors/ports.hpp"
#include "core/ids.hpp"

namespace obsync::actors {

class device_directory {
 public:
  void add(const device_id& device);
  void remove(const device_id& device);

  // Whether the headers are all there, well formed, and name a device that may speak. Proves nothing.
  bool expects(const credentials& signer) const;

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_set<device_id> devices_;
};

}  // namespace obsync::actors
