// Every body the protocol reads: the first byte chooses the kind, the rest is the text. Whatever is accepted
// must write and read again to the same text.
#include <cstdlib>

#include "core/bytes.hpp"
#include "wire/account.hpp"
#include "wire/chunk.hpp"
#include "wire/dashboard.hpp"
#include "wire/device.hpp"
#include "wire/envelope.hpp"
#include "wire/pairing.hpp"
#include "wire/setup.hpp"
#include "wire/version.hpp"

using namespace obsync;
using namespace obsync::wire;

namespace {

template <class T>
void round_trip(std::string_view text) {
  const auto read = from_json<T>(text);
  if (!read) {
    (void)to_json(read.error());
    return;
  }
  const std::string written = to_json(*read);
  const auto again = from_json<T>(written);
  if (!again || to_json(*again) != written) std::abort();
}

void error_bodies(std::string_view text) {
  (void)missing_of(text);
  (void)creator_pub_of(text);
  (void)from_json<plugin_manifest>(text);
  (void)parse_vault_envelope(text);
  (void)parse_vault_hint(text);
  const auto answer = plugin_manifest_answer(text, {}, {});
  if (answer && !plugin_manifest_answer(*answer, {}, {})) std::abort();
}

using reader = void (*)(std::string_view);

// Seeds begin with 'a' for the first, 'b' for the second, and so on.
constexpr reader readers[] = {
    error_bodies,
    round_trip<setup_request>,
    round_trip<setup_answer>,
    round_trip<pairing_created>,
    round_trip<claim_request>,
    round_trip<claim_answer>,
    round_trip<pairing_status>,
    round_trip<reveal_request>,
    round_trip<approve_request>,
    round_trip<envelope_answer>,
    round_trip<account_info>,
    round_trip<recovery_registration>,
    round_trip<device_info>,
    round_trip<device_list>,
    round_trip<device_patch>,
    round_trip<heartbeat_request>,
    round_trip<exists_request>,
    round_trip<exists_answer>,
    round_trip<get_request>,
    round_trip<put_answer>,
    round_trip<version_post>,
    round_trip<version_answer>,
    round_trip<version_record>,
    round_trip<file_record>,
    round_trip<file_page>,
    round_trip<change_page>,
    round_trip<login_link>,
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t kind = static_cast<std::uint8_t>(data[0] - 'a');
  readers[kind % std::size(readers)](as_text({data + 1, size - 1}));
  return 0;
}
