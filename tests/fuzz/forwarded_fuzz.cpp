// Forwarding headers from whoever is on the way: lists of hops are bounded by what came in, and whatever they
// say, the client's address is one that somebody trusted named, or the peer itself.
#include <cstdlib>
#include <string>

#include "core/bytes.hpp"
#include "http/client_address.hpp"
#include "http/forwarded_hops.hpp"

using namespace obsync;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(as_text({data, size}));
  if (http::read_x_forwarded_for(text).size() > size + 1 || http::read_forwarded(text).size() > size + 1)
    std::abort();

  const http::edge_rules rules{false, http::private_networks()};
  const std::string half = text.substr(0, size / 2);
  const http::header_list headers{{"X-Forwarded-For", half}, {"Forwarded", text}, {"X-Forwarded-For", text}};
  const auto believed = http::find_client(rules, "10.0.0.1", headers);
  if (!believed || !http::ip_address::parse(believed->address)) std::abort();
  const auto stranger = http::find_client(rules, "192.0.2.1", headers);
  if (!stranger || stranger->address != "192.0.2.1" || !stranger->ignored) std::abort();
  const http::edge_rules edge{true, http::private_networks()};
  const auto through = http::find_client(
      edge, "10.0.0.1", {{"CF-Connecting-IP", half}, {"CF-Ray", "1"}, {"CF-IPCountry", "DE"}});
  if (through && !http::ip_address::parse(half)) std::abort();
  return 0;
}
