#include "wire/failure.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace obsync::wire {
namespace {

// The table of codes in docs/protocol.md: `| <status> | <code> <code> ... |`.
std::map<std::string, int> documented_codes() {
  std::ifstream in(OBSYNC_SOURCE_DIR "/docs/protocol.md");
  std::map<std::string, int> out;
  bool in_section = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("## ")) in_section = line.ends_with(" Codes");
    if (!in_section || !line.starts_with("| ")) continue;
    std::istringstream words(line.substr(2));
    int status = 0;
    std::string bar;
    if (!(words >> status >> bar)) continue;
    for (std::string word; words >> word && word != "|";) out[word] = status;
  }
  return out;
}

TEST(ProtocolDocument, ListsEveryCodeUnderTheStatusItTravelsWith) {
  std::map<std::string, int> ours;
  for (int i = 0; i < refusal_count; ++i) {
    const auto code = static_cast<refusal>(i);
    ours[std::string(name(code))] = status_of(code);
  }
  EXPECT_EQ(documented_codes(), ours);
}

}  // namespace
}  // namespace obsync::wire
