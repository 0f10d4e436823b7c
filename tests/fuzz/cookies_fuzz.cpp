// A Cookie header from a hostile peer: a value found is a part of the header, free of separators and of
// blanks at its ends.
#include <cstdlib>

#include "core/bytes.hpp"
#include "http/cookies.hpp"

using namespace obsync;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view header = as_text({data, size});
  for (const std::string_view name : {"__Host-obsync_session", "a", ""}) {
    const auto value = http::cookie_value(header, name);
    if (!value) continue;
    if (value->find(';') != std::string_view::npos) std::abort();
    if (!value->empty() && (value->front() == ' ' || value->back() == ' ')) std::abort();
    if (!value->empty() &&
        (value->data() < header.data() || value->data() + value->size() > header.data() + header.size()))
      std::abort();
  }
  return 0;
}
