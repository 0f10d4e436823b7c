// The record that says which domains a vault has. It stands under ids derived from the vault's root key, so
// that every device finds it, and is the same on every device that writes the same map. Any thread.
#pragma once

#include <string_view>
#include <vector>

#include "client/format/vault_keys.hpp"
#include "core/ids.hpp"
#include "core/result.hpp"
#include "wire/manifest.hpp"
#include "wire/version.hpp"

namespace obsync::client {

// Where the map stands. No other record may use either id.
struct domain_map_place {
  file_id file;
  domain_id domain;
};

domain_map_place place_of_domain_map(const vault_keys& keys);

// A map of one domain that owns everything: what a new vault begins with.
wire::domain_map single_domain_map(const domain_id& domain);

// The domain that owns `path`: the longest prefix that ends at a slash or at the end wins.
// Precondition: a map that some domain owns the root of, as every map read or made here does.
const domain_id& domain_of(const wire::domain_map& map, std::string_view path);

wire::version_post seal_domain_map(const vault_keys& keys, const wire::domain_map& map,
                                   std::vector<version_id> parents);

// The map of the record found at its place. errc::corrupt when it does not belong there or does not open,
// errc::invalid for a forked or malformed map.
result<wire::domain_map> open_domain_map(const vault_keys& keys, const wire::file_record& record);

}  // namespace obsync::client
