#include "http/chunked.hpp"

#include <gtest/gtest.h>

namespace obsync::http {
namespace {

struct decoded {
  chunked_decoder::progress progress;
  std::string body;
  std::size_t used;
};

decoded decode(const std::string& input) {
  chunked_decoder decoder;
  decoded out{};
  out.progress = decoder.feed(input, out.body, out.used);
  return out;
}

using progress = chunked_decoder::progress;

TEST(Chunked, DecodesWhateverThePiecesItComesIn) {
  const std::string input = "5\r\nhello\r\n6;ext=1\r\n world\r\n0\r\nTrailer: x\r\n\r\nNEXT";
  EXPECT_EQ(decode(input).body, "hello world");
  EXPECT_EQ(decode(input).progress, progress::done);
  EXPECT_EQ(input.substr(decode(input).used), "NEXT");
  chunked_decoder slow;
  std::string body;
  progress last = progress::more;
  for (const char c : input.substr(0, input.size() - 4)) {
    std::size_t used = 0;
    last = slow.feed(std::string_view(&c, 1), body, used);
  }
  EXPECT_EQ(last, progress::done);
  EXPECT_EQ(body, "hello world");
}

TEST(Chunked, RefusesBrokenFraming) {
  for (const char* input : {"x\r\n", "\r\n", "5\nhello", "5\r\nhelloXX", "-1\r\n", "12345678901234567\r\n",
                            "5 \r\n", "0x5\r\n", "5\r\rhello"})
    EXPECT_EQ(decode(input).progress, progress::broken) << input;
  EXPECT_EQ(decode("5;" + std::string(80, 'e')).progress, progress::broken) << "a size line has a bound";
  EXPECT_EQ(decode("0\r\nA: " + std::string(9000, 'e')).progress, progress::broken)
      << "trailers have a bound";
}

}  // namespace
}  // namespace obsync::http
