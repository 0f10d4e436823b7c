// Room on a volume and within quotas: who may still store how much. Counts bytes in use, bytes promised to
// uploads in flight, and keeps a watermark free. Any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "core/disk.hpp"
#include "core/ids.hpp"
#include "wire/failure.hpp"

namespace obsync::store {

// The larger of a share of the capacity and a fixed size stays free.
struct watermark {
  std::int64_t percent = 5;
  std::int64_t bytes = 2LL << 30;
  // The bytes to keep free of `capacity`; with no declared capacity the file system's own size is meant.
  std::int64_t of(std::int64_t capacity) const;
};

class room {
 public:
  // Gives back what was promised and not used.
  class reservation {
   public:
    reservation() = default;
    reservation(reservation&& other) noexcept;
    reservation& operator=(reservation&& other) noexcept;
    ~reservation();
    // The bytes are stored now: they stay counted for the account.
    void keep();

   private:
    friend class room;
    reservation(room* owner, account_id account, std::int64_t bytes);
    room* owner_ = nullptr;
    account_id account_;
    std::int64_t bytes_ = 0;
  };

  // `capacity_bytes`: the operator's declaration; where absent, only the file system's real free space
  // counts. With both, the stricter one wins.
  room(disk& on, std::string folder, std::optional<std::int64_t> capacity_bytes, watermark keep_free);

  // Counted at start from what is stored.
  void set_used(const account_id& account, std::int64_t bytes);
  void set_quota(const account_id& account, std::optional<std::int64_t> bytes);
  std::int64_t used(const account_id& account) const;
  std::int64_t used_total() const;

  // What was stored for the account and is removed now.
  void give_back(const account_id& account, std::int64_t bytes);

  // What is stored for the account without having been asked for: lost, and back.
  void take(const account_id& account, std::int64_t bytes) { give_back(account, -bytes); }

  // Refused: volume_full, then quota_exceeded.
  wire::outcome<reservation> reserve(const account_id& account, std::int64_t bytes);

 private:
  void release(const account_id& account, std::int64_t bytes, bool stored);
  bool volume_has(std::int64_t bytes) const;

  struct share {
    std::int64_t used = 0;
    std::int64_t reserved = 0;
    std::optional<std::int64_t> quota = {};
  };

  disk& disk_;
  std::string folder_;
  std::optional<std::int64_t> capacity_bytes_;
  watermark keep_free_;
  mutable std::mutex mutex_;
  std::map<account_id, share> shares_;
  std::int64_t used_total_ = 0;
  std::int64_t reserved_total_ = 0;
};

}  // namespace obsync::store
