#include "app/verb_flags.hpp"

namespace obsync::app {

std::optional<verb_flags> parse_flags(const std::vector<std::string>& words,
                                      const std::set<std::string>& known) {
  verb_flags out;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (known.contains(words[at])) {
      out.given.insert(words[at]);
    } else if (words[at] == "--config" && at + 1 < words.size()) {
      out.options.insert(out.options.end(), {words[at], words[at + 1]});
      ++at;
    } else if (words[at].starts_with("--")) {
      out.options.push_back(words[at]);
    } else {
      return std::nullopt;
    }
  }
  return out;
}

}  // namespace obsync::app
