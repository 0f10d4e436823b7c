// An account as its devices and its dashboard see it. Internal to the readers.
#pragma once

#include <optional>

#include "actors/ports.hpp"
#include "store/catalog.hpp"
#include "store/room.hpp"
#include "wire/account.hpp"

namespace obsync::actors {

// Nothing when there is no such account.
result<std::optional<wire::account_info>> view_account(store::catalog_reader& catalog,
                                                       const store::room& space, const account_id& account);

// What a reader answers when the store fails it; logs the failure.
reply store_failed(const error& reason);

}  // namespace obsync::actors
