#include "config/report.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>

#include "config/option.hpp"

namespace obsync::config {
namespace {

std::string shipped_sample() {
  std::ifstream in(OBSYNC_SOURCE_DIR "/config/obsyncd.conf", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The sample with every option switched on.
std::string uncommented(const std::string& sample) {
  std::istringstream lines(sample);
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    const bool is_option = line.size() > 1 && line[0] == '#' && line[1] != ' ';
    out += (is_option ? line.substr(1) : line) + "\n";
  }
  return out;
}

TEST(Sample, InTheSourceTreeEqualsTheOptionTable) {
  EXPECT_EQ(shipped_sample(), sample_text()) << "run: obsyncd config sample > config/obsyncd.conf";
}

TEST(Sample, LoadsAsItIsAndWithEveryOptionSwitchedOn) {
  for (const std::string& text : {sample_text(), uncommented(sample_text())}) {
    const auto out = load({.file = file_text{"sample", text}});
    ASSERT_TRUE(out) << problems_text(out.error());
    EXPECT_EQ(out->values, settings{});
  }
  const auto all = load({.file = file_text{"sample", uncommented(sample_text())}});
  for (const source origin : all->origins) EXPECT_EQ(origin, source::file);
}

TEST(Show, MarksWhereEachValueCameFrom) {
  const auto out = load({file_text{"f", "[small]\ngroup = 5\n"}, {"OBSYNC_LOG=debug"}, {"--blob.writers=7"}});
  ASSERT_TRUE(out);
  const std::string text = show_text(*out);
  EXPECT_NE(text.find("small.group = \"5\"  # file\n"), std::string::npos) << text;
  EXPECT_NE(text.find("log.level = \"debug\"  # environment\n"), std::string::npos);
  EXPECT_NE(text.find("blob.writers = \"7\"  # command line\n"), std::string::npos);
  EXPECT_NE(text.find("server.listen = \"127.0.0.1:8080\"  # default\n"), std::string::npos);
}

TEST(Show, HidesTheServerKey) {
  const auto unset = load({});
  EXPECT_NE(show_text(*unset).find("store.server_key = (not set)  # default\n"), std::string::npos);
  const auto out = load({.environment = {"OBSYNC_SERVER_KEY=" + std::string(64, 'a')}});
  ASSERT_TRUE(out);
  EXPECT_NE(show_text(*out).find("store.server_key = (set, hidden)  # environment\n"), std::string::npos);
  EXPECT_EQ(show_text(*out).find("aaaa"), std::string::npos);
}

}  // namespace
}  // namespace obsync::config
