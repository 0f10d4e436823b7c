// A configuration file, the environment and the command line, all from one hostile text: whatever is accepted
// must print and load again to the same values.
#include <cstdlib>

#include "config/load.hpp"
#include "config/option.hpp"
#include "config/report.hpp"
#include "core/bytes.hpp"

using namespace obsync;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(as_text({data, size}));
  const std::string line = text.substr(0, text.find('\n'));
  config::inputs from{config::file_text{"f", text}, {"OBSYNC_" + line}, {"--" + line}};
  for (int part = 0; part < 3; ++part) {
    if (part == 1) from.file.reset();
    if (part == 2) from.environment.clear();
    const auto out = config::load(from);
    if (!out) {
      (void)config::problems_text(out.error());
      continue;
    }
    config::settings again;
    for (const config::option& each : config::options()) {
      if (!each.assign(again, each.print(out->values))) std::abort();
    }
    if (!(again == out->values)) std::abort();
  }
  return 0;
}
