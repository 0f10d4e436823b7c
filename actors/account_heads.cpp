#include "actors/account_heads.hpp"

namespace obsync::actors {

account_heads::head account_heads::of(const account_id& account) {
  const std::lock_guard lock(mutex_);
  head& found = heads_[account];
  if (!found) found = std::make_shared<std::atomic<sequence>>(0);
  return found;
}

void account_heads::advance(const account_id& account, sequence to) {
  const head found = of(account);
  sequence now = found->load();
  while (now < to && !found->compare_exchange_weak(now, to)) {
  }
}

}  // namespace obsync::actors
