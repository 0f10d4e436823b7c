// One thing a diagnosis looked at, and what to do about it. Plain.
#pragma once

#include <string>
#include <vector>

namespace obsync::app {

struct finding {
  enum class grade { good, warning, wrong };

  std::string about;  // one word: posture, room, flush, clock, …
  grade is = grade::good;
  std::string text;         // what was seen
  std::string advice = {};  // what to do; empty when nothing is
};

using findings = std::vector<finding>;

}  // namespace obsync::app
