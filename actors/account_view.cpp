#include "actors/account_view.hpp"

#include <algorithm>

#include "core/log.hpp"

namespace obsync::actors {

result<std::optional<wire::account_info>> view_account(store::catalog_reader& catalog,
                                                       const store::room& space, const account_id& account) {
  using found = std::optional<wire::account_info>;
  auto row = catalog.account(account);
  if (!row) return row.error();
  if (!*row) return found{};
  auto listed = catalog.devices_of(account);
  if (!listed) return listed.error();
  wire::account_info info;
  info.id = account;
  info.name = (*row)->name;
  info.created_ms = (*row)->created_ms;
  info.quota_bytes = (*row)->quota_bytes;
  info.used_bytes = space.used(account);
  info.device_count = std::count_if(listed->begin(), listed->end(), [](const wire::device_info& device) {
    return device.state != wire::device_state::revoked;
  });
  return found{std::move(info)};
}

reply store_failed(const error& reason) {
  log::line(log::level::error, "read_failed").add("kind", obsync::name(reason.code));
  if (reason.code == errc::corrupt)
    return refuse(wire::refusal::corrupt, "a stored record does not read back");
  return refuse(wire::refusal::io_error, "the store could not be read");
}

}  // namespace obsync::actors
