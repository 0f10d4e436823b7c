#include "http/range.hpp"

#include <gtest/gtest.h>

namespace obsync::http {
namespace {

range_choice choose(const std::string& header, std::uint64_t size = 100) {
  return choose_range(&header, size);
}

void expect_part(const std::string& header, std::uint64_t first, std::uint64_t length) {
  const range_choice choice = choose(header);
  EXPECT_EQ(choice.kind, range_kind::part) << header;
  EXPECT_EQ(choice.range.first, first) << header;
  EXPECT_EQ(choice.range.length, length) << header;
}

TEST(Range, AcceptsTheThreeFormsAndClampsThem) {
  expect_part("bytes=0-9", 0, 10);
  expect_part("bytes=90-1000", 90, 10);
  expect_part("bytes=90-", 90, 10);
  expect_part("bytes=-10", 90, 10);
  expect_part("bytes=-1000", 0, 100);
}

TEST(Range, RefusesWhatDoesNotFit) {
  for (const char* header : {"bytes=100-", "bytes=100-200", "bytes=-0", "bytes=5-4", "bytes=0-1,3-4",
                             "bytes=a-b", "bytes=", "bytes=-", "bytes=1", "bytes= 0-1"})
    EXPECT_EQ(choose(header).kind, range_kind::unsatisfiable) << header;
}

TEST(Range, IgnoresOtherUnitsAndAnAbsentHeader) {
  EXPECT_EQ(choose("lines=0-9").kind, range_kind::whole);
  EXPECT_EQ(choose_range(nullptr, 7).range.length, 7u);
}

TEST(Range, ContentRangeNamesFirstLastAndTotal) {
  EXPECT_EQ(content_range({90, 10}, 100), "bytes 90-99/100");
}

}  // namespace
}  // namespace obsync::http
