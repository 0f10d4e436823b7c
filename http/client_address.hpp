// Who sent a request, when it may have come through proxies: decided from the peer's address, the request's
// headers and the networks whose word is taken. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/ip_address.hpp"

namespace obsync::http {

struct edge_rules {
  // Every request must have come through Cloudflare, which says who sent it.
  bool cloudflare = false;
  // Whose forwarding headers are believed.
  std::vector<ip_network> trusted;

  bool trusts(const ip_address& who) const;
};

// Loopback, private networks, the carriers' shared block and unique local addresses: where an own proxy
// lives.
std::vector<ip_network> private_networks();

using header_list = std::vector<std::pair<std::string, std::string>>;

struct client_address {
  std::string address;
  std::optional<std::string> country = {};  // two letters or digits, as Cloudflare says
  // --- what an operator may want to know
  bool ignored = false;   // forwarding headers of a peer that is not trusted
  bool joined = false;    // several fields of one name were read as one list
  bool disagree = false;  // the two forwarding headers name different clients: the peer was taken
};

// `peer` is the other end of the connection. Nothing when the request did not come through the required edge.
std::optional<client_address> find_client(const edge_rules& rules, std::string_view peer,
                                          const header_list& headers);

}  // namespace obsync::http
