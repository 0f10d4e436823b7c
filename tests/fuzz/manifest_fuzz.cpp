// A manifest or domain map as a hostile device could seal it: what is accepted keeps its paths inside the
// vault and reads again as what it was written as.
#include <cstdlib>

#include "core/bytes.hpp"
#include "wire/manifest.hpp"
#include "wire/path_rule.hpp"

using namespace obsync;

namespace {

void require(bool holds) {
  if (!holds) std::abort();
}

template <class Manifest>
void same_again(const Manifest& value) {
  require(wire::is_vault_path(value.path));
  const std::string written = wire::to_json(value);
  const auto again = wire::parse_manifest(written);
  require(again.ok() && wire::to_json(std::get<Manifest>(*again)) == written);
}

void same_again(const wire::pause_manifest& value) {
  require(wire::is_vault_path(value.path));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text({data, size});
  if (const auto read = wire::parse_manifest(text)) {
    std::visit([](const auto& value) { same_again(value); }, *read);
  }
  if (const auto map = wire::parse_domain_map(text)) {
    const std::string written = wire::to_json(*map);
    const auto again = wire::parse_domain_map(written);
    require(again.ok() && wire::to_json(*again) == written);
  }
  (void)wire::is_vault_path(text);
  return 0;
}
