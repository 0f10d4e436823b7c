// Chunks above the inline limit, one file each: `<blobs>/v1/<aa>/<sid>.<account>`, where aa is the first byte
// of the sid. The account is part of the name, so one account's bytes are never another's answer. The 256
// folders exist from the first start on, so no upload pays for a new one.
//
// A name appears only when the whole verified body is durable: temp file, write while hashing, sync, rename,
// sync of the folder, and the same on every mirror; only then the answer. A mirror that fails refuses the
// write, or is passed over until it returns, as the mirror watch says.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/disk.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"
#include "crypto/digest.hpp"
#include "store/mirror_watch.hpp"
#include "store/small_store.hpp"
#include "wire/failure.hpp"

namespace obsync::store {

// One upload in progress. Destroying it before finish() leaves nothing behind. One thread at a time.
class blob_upload {
 public:
  virtual ~blob_upload() = default;
  // Appends a slice. Refused: storage_full, io_error; length_mismatch past the declared size.
  virtual wire::outcome<void> write(byte_view slice) = 0;
  // Verifies and publishes. Refused: length_mismatch, sid_mismatch, storage_full, io_error.
  virtual wire::outcome<put_result> finish() = 0;
};

// While it lives, no upload publishes the name it was made for, and the chunk is answered as not stored.
class blob_hold {
 public:
  virtual ~blob_hold() = default;
};

// Any thread; the store itself holds no open files.
class blob_store {
 public:
  virtual ~blob_store() = default;
  // `size` is the declared length. When the chunk exists already it counts as sent again now; the body is
  // still verified, then dropped.
  virtual wire::outcome<std::unique_ptr<blob_upload>> begin(const account_id& account, const chunk_sid& sid,
                                                            std::uint64_t size) = 0;
  virtual result<bool> has(const account_id& account, const chunk_sid& sid) = 0;
  // errc::not_found when the account does not hold it.
  virtual result<std::unique_ptr<disk_file>> open(const account_id& account, const chunk_sid& sid) = 0;
  virtual result<std::uint64_t> size_of(const account_id& account, const chunk_sid& sid) = 0;
  // Who holds what in one of the blob_folder_count folders, in no order.
  virtual result<std::vector<std::pair<account_id, chunk_sid>>> names(std::uint8_t folder) = 0;
  // Removes the chunk, mirrors included, if it was stored or sent again before `before_ms`; the bytes
  // removed, 0 when it stays or was not there. Never meets an upload of the same chunk half way.
  virtual result<std::int64_t> remove_old(const account_id& account, const chunk_sid& sid,
                                          std::int64_t before_ms) = 0;
  // Waits for an upload that is publishing this name. For repairs: short, and never two at once by one
  // thread.
  virtual std::unique_ptr<blob_hold> hold(const account_id& account, const chunk_sid& sid) = 0;
  // Stored bytes of each account, counted from the folders.
  virtual result<std::vector<std::pair<account_id, std::int64_t>>> usage() = 0;
  // Removes all that `account` has in one of the blob_folder_count folders, mirrors included: a step of
  // erasing an account that may no longer store anything. Repeating a step that failed is fine.
  // errc::unavailable while a mirror is behind, for it may hold some too.
  virtual status erase(const account_id& account, std::uint8_t folder) = 0;
  // Looks whether a mirror that is behind can be written again, and makes it ready; it returns then.
  virtual status take_back(std::size_t mirror) = 0;
};

struct blob_options {
  std::string folder;                        // `<blobs>/v1`
  std::vector<std::string> mirrors = {};     // further `v1` folders, each durable before an answer
  std::shared_ptr<mirror_watch> watch = {};  // of those, in this order; nothing: a failing one refuses
};

// For looking on beside a running server: makes nothing and removes nothing, not even leftovers.
std::unique_ptr<blob_store> view_blob_store(disk& on, const blob_options& options);

// Makes the folders where they are missing and removes temp files a crash left.
result<std::unique_ptr<blob_store>> open_blob_store(disk& on, const blob_options& options);

}  // namespace obsync::store
