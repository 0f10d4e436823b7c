#include "actors/account_view.hpp"

#include "core/log.hpp"

namespace obsync::actors {

result<std::optional<wire::account_info>> view_account(store::catalog_reader& catalog,
                                                       const store::room& space, const account_id& account) {
  using found = std::optional<wire::account_info>;
  auto row = catalog.account(account);
  if (!row) return row.error();
  if (!*row) return found{};
  wire::account_info info;
  info.id = account;
  info.name = (*row)->name;
  info.created_ms = (*row)->created_ms;
  info.quota_bytes = (*row)->quota_bytes;
  info.used_bytes = space.used(account);
  info.device_count = (*row)->device_count;
  return found{std::move(info)};
}

reply store_failed(const error& reason) {
  log::line(log::level::error, "read_failed").add("kind", obsync::name(reason.code));
  if (reason.code == errc::corrupt)
    return refuse(wire::refusal::corrupt, "a stored record does not read back");
  return refuse(wire::refusal::io_error, "the store could not be read");
}

}  // namespace obsync::actors
