// The client's own small files: what is accepted is written as a text that reads as the same values. Server
// addresses come along, for bindings hold them.
#include <cstdlib>

#include "client/home/binding.hpp"
#include "client/home/record.hpp"
#include "client/watch/watch_status.hpp"
#include "core/bytes.hpp"

using namespace obsync;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text({data, size});
  (void)client::parse_watch_status(text);
  if (const auto server = client::parse_endpoint(text)) {
    const auto again = client::parse_endpoint(server->url());
    if (!again || again->url() != server->url()) std::abort();
  }
  if (const auto bound = client::parse_binding(text)) {
    const auto again = client::parse_binding(client::to_text(*bound));
    if (!again || client::to_text(*again) != client::to_text(*bound)) std::abort();
  }
  return 0;
}
