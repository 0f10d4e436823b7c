// A chunked body from a hostile peer: decoding it at once and byte by byte gives the same, and never more
// bytes than came in.
#include <cstdlib>
#include <string>

#include "core/bytes.hpp"
#include "http/chunked.hpp"

using namespace obsync;
using progress = http::chunked_decoder::progress;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input = as_text({data, size});
  http::chunked_decoder whole;
  std::string at_once;
  std::size_t used = 0;
  const progress first = whole.feed(input, at_once, used);
  if (used > size || at_once.size() > size) std::abort();

  http::chunked_decoder slow;
  std::string piecewise;
  progress last = progress::more;
  for (std::size_t i = 0; i < size && last == progress::more; ++i) {
    std::size_t one = 0;
    last = slow.feed(input.substr(i, 1), piecewise, one);
  }
  if (first != last || (first != progress::broken && at_once != piecewise)) std::abort();
  return 0;
}
