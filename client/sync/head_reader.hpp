// A version's record, opened and checked, as the engine and others act on it. Any thread.
#pragma once

#include <optional>
#include <string>

#include "client/format/vault_keys.hpp"
#include "client/state/state.hpp"
#include "wire/version.hpp"

namespace obsync::client {

// A head, nothing at all (a kind we do not act on), or a trouble code: unknown_format, bad_record,
// refused_name.
struct head_reading {
  std::optional<pending_head> head = {};
  std::string refused = {};
};

head_reading read_head(const domain_keys& keys, const file_id& file, const domain_id& domain,
                       const wire::version_record& record);

// What a trouble code means, for a person.
std::string reason_of(const std::string& code);

}  // namespace obsync::client
