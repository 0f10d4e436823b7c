// A request head from a hostile peer. Whatever is accepted is bounded, has one way to be read, and its target
// comes apart without a separator or a dot segment left inside.
#include <cstdlib>

#include "core/bytes.hpp"
#include "http/head.hpp"
#include "http/range.hpp"
#include "http/router.hpp"
#include "http/target.hpp"

using namespace obsync;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text({data, size});
  const auto end = http::find_head_end(text);
  if (!end || !*end) return 0;
  if (**end > http::head_bytes_max || **end > text.size()) std::abort();
  const auto head = http::parse_head(text.substr(0, **end));
  if (!head) return 0;
  if (head->chunked && head->content_length) std::abort();
  if (head->headers.size() > http::header_lines_max) std::abort();
  http::choose_range(head->header("Range"), 1000);
  const auto parts = http::parse_target(head->target);
  if (!parts) return 0;
  for (const std::string& segment : parts->segments)
    if (segment.empty() || segment == "." || segment == ".." || segment.find('/') != std::string::npos)
      std::abort();
  http::match_route(head->method, parts->segments);
  return 0;
}
