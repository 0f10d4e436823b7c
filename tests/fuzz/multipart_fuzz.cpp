// A chunks/get answer from a hostile server: the first line is the content type, the rest the body. Every
// part lies inside the body, one after another, and reading ends.
#include <cstdlib>
#include <string>

#include "core/bytes.hpp"
#include "wire/multipart.hpp"

using namespace obsync;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text({data, size});
  const std::size_t line = std::min(text.find('\n'), text.size());
  const auto boundary = wire::boundary_of(text.substr(0, line));
  if (!boundary) return 0;
  const std::string_view body = text.substr(std::min(line + 1, text.size()));
  wire::multipart_reader reader(body, *boundary);
  const char* read_to = body.data();
  while (true) {
    const auto part = reader.next();
    if (!part || !*part) return 0;
    const std::string_view inside = (*part)->body;
    if (inside.data() < read_to || inside.data() + inside.size() > body.data() + body.size()) std::abort();
    read_to = inside.data() + inside.size();
  }
}
