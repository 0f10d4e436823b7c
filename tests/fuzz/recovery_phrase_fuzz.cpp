// Recovery phrases and device names as people type them: a phrase that is accepted is the phrase of its key,
// and a conflict copy's name is always a path the vault may hold.
#include <cstdlib>

#include "client/format/conflict_name.hpp"
#include "client/format/recovery_phrase.hpp"
#include "core/bytes.hpp"
#include "wire/path_rule.hpp"

using namespace obsync;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = as_text({data, size});
  if (const auto key = client::from_recovery_phrase(text)) {
    const auto again = client::from_recovery_phrase(client::to_recovery_phrase(*key));
    if (!again || again->raw != key->raw) std::abort();
  }
  const std::size_t line = std::min(text.find('\n'), text.size());
  const std::string_view path = text.substr(0, line);
  const client::conflict_mark mark{.device = std::string(text.substr(line)), .when_ms = 0};
  if (wire::is_vault_path(path) && !wire::is_vault_path(client::conflict_path(path, mark, 3))) std::abort();
  return 0;
}
