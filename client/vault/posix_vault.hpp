// The vault on the machine's file system.
#pragma once

#include <memory>
#include <string>

#include "client/vault/vault.hpp"
#include "core/clock.hpp"

namespace obsync::client {

// `folder` is absolute. A file whose status changed less than `settle_ms` ago is reported as settling.
std::unique_ptr<vault> make_posix_vault(std::string folder, std::int64_t settle_ms, clock& time);

}  // namespace obsync::client
