#include "app/with_settings.hpp"

#include <unistd.h>

#include <iostream>

#include "config/report.hpp"

namespace obsync::app {

namespace {

constexpr int bad_usage = 2;

}  // namespace

int with_settings(const std::vector<std::string>& options,
                  const std::function<int(const config::loaded&)>& act) {
  const auto loaded = config::load_from_system(options, ::environ);
  if (!loaded) {
    std::cerr << config::problems_text(loaded.error());
    return bad_usage;
  }
  return act(*loaded);
}

}  // namespace obsync::app
