// The newest feed position of every account, readable without asking the store. The journal moves a head
// after its commit is durable and before anyone is told. Any thread.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "core/ids.hpp"

namespace obsync::actors {

class account_heads {
 public:
  using head = std::shared_ptr<std::atomic<sequence>>;

  // The account's head, made at 0 on first use; the pointer stays valid and current for good.
  head of(const account_id& account);
  // Moves forward only.
  void advance(const account_id& account, sequence to);

 private:
  std::mutex mutex_;
  std::unordered_map<account_id, head> heads_;
};

}  // namespace obsync::actors
