// What an operator's program says to the server, and what a server says back.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "wire/control.hpp"

using namespace obsync;

namespace {

// Whatever reads must write a text that reads to the same.
template <class Value>
void check(std::string_view text) {
  const auto value = wire::from_json<Value>(text);
  if (!value) return;
  const std::string written = wire::to_json(*value);
  const auto again = wire::from_json<Value>(written);
  if (!again || wire::to_json(*again) != written) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check<wire::control_request>(text);
  check<wire::invitation_answer>(text);
  check<wire::account_entries>(text);
  check<wire::device_entries>(text);
  check<wire::audit_entries>(text);
  return 0;
}
