// The server as the client sees it: one blocking call per route, retried where repeating is safe, every
// attempt signed anew. Implemented over HTTP, and in memory for tests. Any thread; calls on several threads
// run at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/bytes.hpp"
#include "core/error.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"
#include "wire/account.hpp"
#include "wire/batch.hpp"
#include "wire/capabilities.hpp"
#include "wire/chunk.hpp"
#include "wire/device.hpp"
#include "wire/failure.hpp"
#include "wire/version.hpp"

namespace obsync::client {

// Why a call gave no answer.
struct remote_error {
  enum class kind {
    unreachable,  // no connection, or it broke and retries did not help: try again later
    not_obsync,   // something answered, but not an obsync server
    refused,      // the server said no: see `refusal`
    malformed,    // an answer that breaks the protocol
    stopped,      // this process asked to stop
  };
  kind what;
  std::optional<wire::refusal> refusal = {};
  std::string detail = {};              // for a person
  std::vector<chunk_sid> missing = {};  // with missing_chunks
};

template <class T>
using remote_result = result<T, remote_error>;

// Chunks as they come back from one chunks/get, in the order asked; nothing where the server has none.
using fetched_chunks = std::vector<std::optional<bytes>>;

// What an active device can ask.
class remote {
 public:
  virtual ~remote() = default;

  virtual remote_result<wire::account_info> account() = 0;
  // `wait_s` > 0 long-polls. Refused with seq_ahead when the server went back in time.
  virtual remote_result<wire::change_page> changes(sequence since, std::int64_t wait_s,
                                                   std::int64_t limit) = 0;
  virtual remote_result<wire::file_record> file(const file_id& file) = 0;
  virtual remote_result<wire::version_record> version(const file_id& file, const version_id& version) = 0;

  virtual remote_result<std::vector<chunk_sid>> missing(const std::vector<chunk_sid>& sids) = 0;
  // `sealed` is the whole ciphertext, at most 8 MiB + 16.
  virtual remote_result<void> put_chunk(const chunk_sid& sid, byte_view sealed) = 0;
  virtual remote_result<bytes> get_chunk(const chunk_sid& sid) = 0;
  // At most 64 sids and 32 MiB in all.
  virtual remote_result<fetched_chunks> get_chunks(const std::vector<chunk_sid>& sids) = 0;
  virtual remote_result<wire::version_answer> post_version(const file_id& file,
                                                           const wire::version_post& post) = 0;

  // How much one batch may hold; nothing when this server takes none, or none is known of it yet.
  virtual std::optional<wire::batch_limits> batch_limits() = 0;
  // Which life of its store the server is in; nothing when it does not say, or none is known yet.
  virtual std::optional<epoch_id> epoch() = 0;
  // One outcome for each item. The views of `what` must live until it returns.
  virtual remote_result<wire::batch_answer> batch(const wire::batch_request& what) = 0;

  virtual remote_result<wire::device_list> devices() = 0;
  virtual remote_result<void> heartbeat(const wire::heartbeat_request& request) = 0;

  // Bytes of bodies sent and received since this object was made, retries included.
  virtual std::uint64_t bytes_sent() const = 0;
  virtual std::uint64_t bytes_received() const = 0;
};

}  // namespace obsync::client
