// The route table: which method and path reach which route, and how much body each takes. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actors/ports.hpp"

namespace obsync::http {

// What a request of this route proves itself by, if by anything. The first two tokens are in the body, that
// of a login is in the query.
enum class proof { none, signature, setup_token, pairing_token, login_token, session };

struct route_entry {
  actors::route where;
  std::string_view method;
  std::string_view path;  // the template, as the request log names it
  std::uint64_t body_bytes_max;
  proof by = proof::signature;

  bool has_token_in_body() const { return by == proof::setup_token || by == proof::pairing_token; }
  // Success without a proved account is a fault of ours, except here.
  bool is_open_to_all() const { return by == proof::none || by == proof::pairing_token; }
};

struct route_match {
  const route_entry* entry = nullptr;
  std::vector<std::string> params;  // the segments a template names in braces, in order
};

// Nothing for an unknown path or a method the path does not have: both are 404.
std::optional<route_match> match_route(std::string_view method, const std::vector<std::string>& segments);

// All routes, for tests and for documentation checks.
const std::vector<route_entry>& all_routes();

}  // namespace obsync::http
