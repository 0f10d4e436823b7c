#include "http/client_address.hpp"

#include <algorithm>

#include "http/forwarded_hops.hpp"
#include "http/header_text.hpp"

namespace obsync::http {

namespace {

std::vector<std::string_view> values_of(const header_list& headers, std::string_view name) {
  std::vector<std::string_view> out;
  for (const auto& [each, value] : headers)
    if (equals_no_case(each, name)) out.push_back(value);
  return out;
}

std::string joined(const std::vector<std::string_view>& values) {
  std::string out;
  for (const std::string_view value : values) {
    if (!out.empty()) out += ", ";
    out += value;
  }
  return out;
}

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// Two letters or digits in upper case; nothing for anything else.
std::optional<std::string> country_of(std::string_view text) {
  if (text.size() != 2 || !is_alphanumeric(text[0]) || !is_alphanumeric(text[1])) return std::nullopt;
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  return out;
}

std::optional<client_address> through_cloudflare(const edge_rules& rules,
                                                 const std::optional<ip_address>& peer,
                                                 const header_list& headers) {
  if (!peer || !rules.trusts(*peer)) return std::nullopt;
  const auto address = values_of(headers, "CF-Connecting-IP");
  const auto ray = values_of(headers, "CF-Ray");
  const auto country = values_of(headers, "CF-IPCountry");
  if (address.size() != 1 || ray.size() != 1 || country.size() > 1) return std::nullopt;
  if (trimmed(ray[0]).empty()) return std::nullopt;
  const auto client = ip_address::parse(address[0]);
  if (!client) return std::nullopt;
  client_address out{client->text()};
  if (country.empty()) return out;
  out.country = country_of(country[0]);
  if (!out.country) return std::nullopt;
  return out;
}

// From our side outwards: every hop was named by the one before it, which is trusted, or the walk ends.
ip_address walk(const edge_rules& rules, const ip_address& peer, const hop_list& hops) {
  ip_address client = peer;
  for (auto hop = hops.rbegin(); hop != hops.rend() && *hop && rules.trusts(client); ++hop) client = **hop;
  return client;
}

}  // namespace

bool edge_rules::trusts(const ip_address& who) const {
  return std::any_of(trusted.begin(), trusted.end(),
                     [&](const ip_network& each) { return each.contains(who); });
}

std::vector<ip_network> private_networks() {
  std::vector<ip_network> out;
  for (const auto& [address, bits] : std::initializer_list<std::pair<const char*, int>>{{"127.0.0.0", 8},
                                                                                        {"::1", 128},
                                                                                        {"10.0.0.0", 8},
                                                                                        {"172.16.0.0", 12},
                                                                                        {"192.168.0.0", 16},
                                                                                        {"100.64.0.0", 10},
                                                                                        {"fc00::", 7}})
    out.push_back(*ip_network::make(address, bits));
  return out;
}

std::optional<client_address> find_client(const edge_rules& rules, std::string_view peer,
                                          const header_list& headers) {
  const auto direct = ip_address::parse(peer);
  if (rules.cloudflare) return through_cloudflare(rules, direct, headers);
  client_address out{direct ? direct->text() : std::string(peer)};
  const auto listed = values_of(headers, "X-Forwarded-For");
  const auto standard = values_of(headers, "Forwarded");
  if (listed.empty() && standard.empty()) return out;
  if (!direct || !rules.trusts(*direct)) {
    out.ignored = true;
    return out;
  }
  out.joined = listed.size() > 1 || standard.size() > 1;
  const ip_address by_list = walk(rules, *direct, read_x_forwarded_for(joined(listed)));
  const ip_address by_standard = walk(rules, *direct, read_forwarded(joined(standard)));
  if (!listed.empty() && !standard.empty() && by_list != by_standard) {
    out.disagree = true;
    return out;
  }
  out.address = (listed.empty() ? by_standard : by_list).text();
  return out;
}

}  // namespace obsync::http
