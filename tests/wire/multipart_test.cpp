#include "wire/multipart.hpp"

#include <gtest/gtest.h>

namespace obsync::wire {
namespace {

const std::string boundary(32, 'b');
const chunk_sid one{{1}}, two{{2}};

std::string two_parts(std::string_view body =
                          "\r\n--"
                          "x") {
  return part_head(boundary, one, body.size()) + std::string(body) + std::string(part_end) +
         missing_part_head(boundary, two) + std::string(part_end) + final_boundary(boundary);
}

// True when some part of the text is refused.
bool refuses(const std::string& text) {
  multipart_reader reader(text, boundary);
  for (int parts = 0; parts < 100; ++parts) {
    const auto next = reader.next();
    if (!next) {
      EXPECT_EQ(next.error().code, errc::invalid);
      return true;
    }
    if (!*next) return false;
  }
  return false;
}

TEST(Multipart, IsFramedExactlyAsTheProtocolSays) {
  const std::string sid = one.hex(), missing = two.hex();
  EXPECT_EQ(two_parts("abc"),
            "--" + boundary + "\r\nX-Obsync-Sid: " + sid +
                "\r\nContent-Type: application/octet-stream\r\nContent-Length: 3\r\n\r\nabc\r\n--" +
                boundary + "\r\nX-Obsync-Sid: " + missing +
                "\r\nX-Obsync-Missing: 1\r\nContent-Length: 0\r\n\r\n\r\n--" + boundary + "--\r\n");
}

TEST(MultipartReader, ReadsPartsByTheirLengthEvenWhenABodyLooksLikeABoundary) {
  const std::string body = "\r\n--" + boundary + "--\r\n";
  const std::string text = two_parts(body);
  multipart_reader reader(text, boundary);
  const auto first = reader.next();
  ASSERT_TRUE(first.ok() && first->has_value());
  EXPECT_EQ((*first)->sid, one);
  EXPECT_EQ((*first)->body, body);
  const auto second = reader.next();
  ASSERT_TRUE(second.ok() && second->has_value());
  EXPECT_TRUE((*second)->missing);
  EXPECT_EQ((*second)->sid, two);
  EXPECT_FALSE(reader.next()->has_value());
  EXPECT_FALSE(reader.next()->has_value());
}

TEST(MultipartReader, ReadsAnAnswerWithoutParts) {
  const std::string text = final_boundary(boundary);
  multipart_reader reader(text, boundary);
  EXPECT_FALSE(reader.next()->has_value());
}

TEST(MultipartReader, RefusesEveryTruncation) {
  const std::string whole = two_parts("abc");
  ASSERT_FALSE(refuses(whole));
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_TRUE(refuses(whole.substr(0, size))) << size;
}

TEST(MultipartReader, RefusesWhatFollowsTheEndAndWhatPrecedesTheFirstPart) {
  EXPECT_TRUE(refuses(two_parts() + "x"));
  EXPECT_TRUE(refuses("\r\n" + two_parts()));
}

TEST(MultipartReader, RefusesBrokenHeaders) {
  const auto with = [](const std::string& headers) {
    return "--" + boundary + "\r\n" + headers + "\r\n\r\n\r\n" + final_boundary(boundary);
  };
  const std::string name = "X-Obsync-Sid: " + one.hex();
  EXPECT_FALSE(refuses(with(name + "\r\nContent-Length: 0")));
  EXPECT_FALSE(refuses(with("x-obsync-sid:" + one.hex() + "\r\nCONTENT-LENGTH:  0\r\nOther: thing")));
  std::string many;
  for (int i = 0; i < 20; ++i) many += "\r\nX: y";
  for (const std::string& headers :
       {name, std::string("Content-Length: 0"), name + "\r\nContent-Length: -1",
        name + "\r\nContent-Length: 1x", name + "\r\nContent-Length: ",
        name + "\r\nContent-Length: 99999999999999999999", name + "\r\nContent-Length: 18446744073709551615",
        name + "\r\nContent-Length: 0\r\nContent-Length: 0", name + "\r\n" + name + "\r\nContent-Length: 0",
        name + "\r\nContent-Length: 0\r\nno colon", std::string("X-Obsync-Sid: zz\r\nContent-Length: 0"),
        name + "\r\nContent-Length: 0" + many, name + "\r\nX-Obsync-Missing: 1\r\nContent-Length: 2"}) {
    EXPECT_TRUE(refuses(with(headers))) << headers;
  }
}

TEST(Boundary, IsReadFromTheContentType) {
  EXPECT_EQ(boundary_of("multipart/mixed; boundary=abc"), "abc");
  EXPECT_EQ(boundary_of("Multipart/Mixed;charset=x; BOUNDARY=\"abc\""), "abc");
  for (const std::string_view type :
       {"", "multipart/mixed", "multipart/mixed; boundary=", "multipart/form-data; boundary=a",
        "application/json", "multipart/mixed; boundary=\"\"", "multipart/mixed; boundary=a b",
        "multipart/mixed; xboundary=a"}) {
    EXPECT_FALSE(boundary_of(type).has_value()) << type;
  }
  EXPECT_FALSE(boundary_of("multipart/mixed; boundary=" + std::string(71, 'a')).has_value());
}

}  // namespace
}  // namespace obsync::wire
