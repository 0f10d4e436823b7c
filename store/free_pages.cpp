#include "store/free_pages.hpp"

namespace obsync::store {

namespace {

constexpr std::int64_t pages_kept = 32;  // 256 KiB
constexpr std::int64_t share_kept = 20;  // one page in so many

bool pays(sql::connection& on) {
  const std::int64_t free = on.number("PRAGMA freelist_count");
  return free > pages_kept && free > on.number("PRAGMA page_count") / share_kept;
}

}  // namespace

bool give_pages_back_of(sql::connection& on, std::int64_t pages_max) {
  if (!pays(on)) return false;
  on.run("PRAGMA incremental_vacuum(" + std::to_string(pages_max) + ")");
  return pays(on);
}

}  // namespace obsync::store
