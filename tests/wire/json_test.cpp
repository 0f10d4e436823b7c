#include "wire/chunk.hpp"

#include <gtest/gtest.h>

#include "wire/device.hpp"
#include "wire/version.hpp"

// The protocol's rules about JSON itself, seen through requests that read it.
namespace obsync::wire {
namespace {

refusal refusal_of(std::string_view text) {
  const auto read = from_json<exists_request>(text);
  EXPECT_FALSE(read.ok()) << text;
  return read.ok() ? refusal::not_found : read.error().code;
}

std::string nested(std::size_t arrays) {
  return R"({"sids":[],"x":)" + std::string(arrays, '[') + std::string(arrays, ']') + "}";
}

TEST(Json, ReadsAnObjectWhateverItsSpacingAndUnknownMembers) {
  EXPECT_TRUE(
      from_json<exists_request>(" {\r\n\t\"later\" : {\"a\":[1,2.5e3,null]} , \"sids\" : [ ] } ").ok());
}

TEST(Json, RefusesWhatIsNoJson) {
  for (const std::string_view text : {"",
                                      " ",
                                      "{",
                                      R"({"sids":[]}x)",
                                      R"({"sids":[]}{})",
                                      R"({'sids':[]})",
                                      R"({"sids":[],})",
                                      R"({"sids":[1,]})",
                                      R"({"sids":NaN})",
                                      R"({"sids":Infinity})",
                                      R"({"sids":-Infinity})",
                                      R"({"sids":01})",
                                      R"({"sids":+1})",
                                      R"({"sids":.5})",
                                      R"({"sids":1.})",
                                      R"({"sids":0x1})",
                                      "{\"sids\":\"a\tb\"}",
                                      R"({"sids":"\x41"})",
                                      R"({"sids":[] /* c */})",
                                      "{\"sids\":[]}// c",
                                      R"({sids:[]})",
                                      R"({"sids":tru})"}) {
    EXPECT_EQ(refusal_of(text), refusal::bad_json) << text;
  }
}

TEST(Json, RefusesAByteOrderMark) {
  EXPECT_EQ(refusal_of("\xEF\xBB\xBF{\"sids\":[]}"), refusal::bad_json);
}

TEST(Json, RefusesARawNulEvenAfterTheValue) {
  using namespace std::string_view_literals;
  EXPECT_EQ(refusal_of("{\"sids\":[]}\0"sv), refusal::bad_json);
  EXPECT_EQ(refusal_of("{\"sids\":[]}\0{}"sv), refusal::bad_json);
  EXPECT_EQ(refusal_of("\0{\"sids\":[]}"sv), refusal::bad_json);
}

TEST(Json, RefusesInvalidUtf8InStringsAndNames) {
  EXPECT_EQ(refusal_of("{\"sids\":[],\"x\":\"\xFF\"}"), refusal::bad_json);
  EXPECT_EQ(refusal_of("{\"sids\":[],\"x\":\"\xC0\x80\"}"), refusal::bad_json);
  EXPECT_EQ(refusal_of("{\"sids\":[],\"\xED\xA0\x80\":1}"), refusal::bad_json);
}

TEST(Json, RefusesLoneSurrogatesAndTakesPairs) {
  for (const std::string_view text :
       {R"({"sids":[],"x":"\ud800"})", R"({"sids":[],"x":"\udc00"})", R"({"sids":[],"x":"\ud800\ud800"})",
        R"({"sids":[],"x":"\udc00\ud800"})", R"({"sids":[],"\udfff":1})", R"({"sids":[],"x":"\ud83dx"})"}) {
    EXPECT_EQ(refusal_of(text), refusal::bad_json) << text;
  }
  EXPECT_TRUE(from_json<exists_request>(R"({"sids":[],"x":"\ud83d\ude00\u0000"})").ok());
}

TEST(Json, RefusesRepeatedNamesAtEveryDepth) {
  EXPECT_EQ(refusal_of(R"({"sids":[],"sids":[]})"), refusal::bad_json);
  EXPECT_EQ(refusal_of(R"({"sids":[],"s\u0069ds":[]})"), refusal::bad_json);
  EXPECT_EQ(refusal_of(R"({"sids":[],"x":[{"a":{"b":1,"b":1}}]})"), refusal::bad_json);
  std::string many = R"({"sids":[])";
  for (int i = 0; i < 100; ++i) many += ",\"m" + std::to_string(i) + "\":0";
  EXPECT_TRUE(from_json<exists_request>(many + "}").ok());
  EXPECT_EQ(refusal_of(many + ",\"m57\":0}"), refusal::bad_json);
}

TEST(Json, NestsSixtyFourDeepAndNoDeeper) {
  EXPECT_TRUE(from_json<exists_request>(nested(63)).ok());
  EXPECT_EQ(refusal_of(nested(64)), refusal::bad_json);
  EXPECT_EQ(refusal_of(std::string(1'000'000, '[')), refusal::bad_json);
}

TEST(Json, AnythingButAnObjectIsABadRequest) {
  for (const std::string_view text : {"[]", "null", "1", "\"text\"", "true"}) {
    EXPECT_EQ(refusal_of(text), refusal::bad_request) << text;
  }
}

TEST(Json, IntegersAreWholeNonNegativeAndFitSixtyThreeBits) {
  const auto policy = [](const std::string& number) {
    return from_json<device_patch>(R"({"policy":{"per_file_max_bytes":)" + number +
                                   R"(,"total_budget_bytes":0}})");
  };
  EXPECT_EQ(policy("0")->policy->per_file_max_bytes, 0);
  EXPECT_EQ(policy("9223372036854775807")->policy->per_file_max_bytes, INT64_MAX);
  for (const std::string number : {"9223372036854775808", "18446744073709551616", "-1", "-0", "1.0", "1e3",
                                   "1E0", "\"1\"", "null", "true", "[]"}) {
    ASSERT_FALSE(policy(number).ok()) << number;
    EXPECT_EQ(policy(number).error().code, refusal::bad_request) << number;
  }
}

TEST(Json, TextIsTrimmedAndPrintableAscii) {
  const auto patch = [](const std::string& name) {
    return from_json<device_patch>("{\"name\":\"" + name + "\"}");
  };
  EXPECT_EQ(patch("  \\tDesk \\n")->name, "Desk");
  EXPECT_EQ(patch(std::string(64, 'x'))->name, std::string(64, 'x'));
  EXPECT_EQ(patch(std::string(64, 'x') + "   ")->name, std::string(64, 'x'));
  for (const std::string& name :
       {std::string(), std::string("   "), std::string(65, 'x'), std::string("caf\xC3\xA9"),
        std::string("a\\u0007b"), std::string("a\\u007fb"), std::string("a\\nb")}) {
    ASSERT_FALSE(patch(name).ok()) << name;
    EXPECT_EQ(patch(name).error().code, refusal::bad_request);
  }
}

}  // namespace
}  // namespace obsync::wire
