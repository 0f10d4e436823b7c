// A vault as its server has it.
#pragma once

#include <map>

#include "client/remote/remote.hpp"
#include "client/restore/version_source.hpp"

namespace obsync::client {

class server_source final : public version_source {
 public:
  explicit server_source(remote& server) : server_(server) {}
  bool tells_time() const override { return true; }
  status visit(const std::function<status(const wire::change&)>& take) override;
  result<sealed_chunks> chunks(const std::vector<chunk_sid>& sids) override;
  std::string name_of(const device_id& device) override;
  // The newest position of the feed that visit() came to.
  sequence newest() const { return newest_; }

 private:
  remote& server_;
  sequence newest_ = 0;
  std::optional<std::map<device_id, std::string>> devices_;
};

// What a call's failure means to whoever only wants the thing.
error local_error(const remote_error& why);

}  // namespace obsync::client
