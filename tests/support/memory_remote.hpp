// A server in memory that keeps the protocol's rules about chunks, versions, heads and the feed, with the
// faults a test wants. One memory_server stands for the machine, one memory_remote for a device's view of it.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <set>

#include "client/remote/remote.hpp"

namespace obsync::client::testing {

class memory_server {
 public:
  struct stored_file {
    domain_id domain;
    std::vector<version_id> heads;
    std::vector<wire::version_record> versions;  // by arrival
  };
  struct feed_entry {
    sequence seq;
    file_id file;
    version_id version;
  };
  // Everything a backup would hold.
  struct contents {
    std::map<chunk_sid, bytes> chunks;
    std::map<file_id, stored_file> files;
    std::vector<feed_entry> feed;
    sequence head = 0;
    std::int64_t now_ms = 1'700'000'000'000;
  };

  contents snapshot() const;
  // Time goes on though the state goes back.
  void restore(const contents& older);

  std::map<device_id, std::string> device_names;
  contents state;
  std::mutex mutex;
};

class memory_remote final : public remote {
 public:
  memory_remote(memory_server& server, device_id self) : server_(server), self_(self) {}

  // Called before every call with its name; an error it returns is the answer. Any thread.
  std::function<std::optional<remote_error>(const std::string& call)> before;

  // What the server says it takes in a batch. Nothing: plain protocol v1.
  std::optional<wire::batch_limits> offers = {};
  std::optional<epoch_id> life = {};

  remote_result<wire::account_info> account() override;
  remote_result<wire::change_page> changes(sequence since, std::int64_t wait_s, std::int64_t limit) override;
  remote_result<wire::file_record> file(const file_id& file) override;
  remote_result<wire::version_record> version(const file_id& file, const version_id& version) override;
  remote_result<std::vector<chunk_sid>> missing(const std::vector<chunk_sid>& sids) override;
  remote_result<void> put_chunk(const chunk_sid& sid, byte_view sealed) override;
  remote_result<bytes> get_chunk(const chunk_sid& sid) override;
  remote_result<fetched_chunks> get_chunks(const std::vector<chunk_sid>& sids) override;
  remote_result<wire::version_answer> post_version(const file_id& file,
                                                   const wire::version_post& post) override;
  std::optional<wire::batch_limits> batch_limits() override { return offers; }
  std::optional<epoch_id> epoch() override { return life; }
  remote_result<wire::batch_answer> batch(const wire::batch_request& what) override;
  remote_result<wire::device_list> devices() override;
  remote_result<void> heartbeat(const wire::heartbeat_request& request) override;
  std::uint64_t bytes_sent() const override { return sent_; }
  std::uint64_t bytes_received() const override { return received_; }

  std::uint64_t posts() const { return posts_; }

 private:
  std::optional<remote_error> fault(const char* call) { return before ? before(call) : std::nullopt; }

  memory_server& server_;
  device_id self_;
  std::atomic<std::uint64_t> sent_ = 0;
  std::atomic<std::uint64_t> received_ = 0;
  std::atomic<std::uint64_t> posts_ = 0;
};

remote_error refused(wire::refusal code);

}  // namespace obsync::client::testing
