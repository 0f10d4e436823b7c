// The dashboard's files, held in memory: what a browser gets before it has said who it is. Immutable; any
// thread.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "actors/ports.hpp"

namespace obsync::actors {

class dashboard_pages {
 public:
  // File name -> content. Missing names are answered dashboard_unavailable.
  explicit dashboard_pages(std::map<std::string, std::string, std::less<>> files = {})
      : files_(std::move(files)) {}

  reply answer(std::string_view name) const;

 private:
  std::map<std::string, std::string, std::less<>> files_;
};

}  // namespace obsync::actors
