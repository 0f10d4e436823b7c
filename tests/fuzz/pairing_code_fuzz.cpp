// Pairing codes as people paste them: what is accepted is written as a code that reads as the same code.
#include <cstdlib>

#include "client/format/pairing_agreement.hpp"
#include "client/format/pairing_code.hpp"
#include "core/bytes.hpp"

using namespace obsync;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text({data, size});
  (void)client::parse_point(text);
  const auto code = client::parse_pairing_code(text);
  if (!code) return 0;
  const auto again = client::parse_pairing_code(client::to_link(*code));
  if (!again || client::to_text(*again) != client::to_text(*code)) std::abort();
  return 0;
}
