#include "config/grammar.hpp"

#include <gtest/gtest.h>

namespace obsync::config {
namespace {

TEST(Endpoint, TakesNumericAddressesOfBothFamilies) {
  EXPECT_EQ(parse_endpoint("0.0.0.0:80"), (endpoint{"0.0.0.0", 80}));
  EXPECT_EQ(parse_endpoint("[::]:8080"), (endpoint{"::", 8080}));
  EXPECT_EQ(parse_endpoint("[::1]:0"), (endpoint{"::1", 0}));
}

TEST(Endpoint, RefusesNamesMissingPartsAndBadPorts) {
  for (const char* text :
       {"", "localhost:80", "127.0.0.1", "127.0.0.1:", ":80", "::1:80", "[127.0.0.1]:80", "127.0.0.1:65536",
        "127.0.0.1:-1", "127.0.0.1:80x", "[::1]80", "[]:80", "1.2.3:80"}) {
    EXPECT_EQ(parse_endpoint(text), std::nullopt) << text;
  }
}

TEST(Endpoint, PrintsWhatItReads) {
  for (const char* text : {"127.0.0.1:8080", "[::]:8080", "[fe80::1]:1"}) {
    const auto read = parse_endpoint(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(print(*read), text);
  }
}

TEST(Networks, ReadsBlocksAndSingleAddresses) {
  const auto read = parse_networks("10.0.0.0/8, fd00::/8,192.0.2.7 , ::1");
  ASSERT_TRUE(read);
  EXPECT_EQ(print(*read), "10.0.0.0/8,fd00::/8,192.0.2.7/32,::1/128");
}

TEST(Networks, RefusesABlockThatTrustsEverybody) {
  EXPECT_EQ(parse_networks("0.0.0.0/0"), std::nullopt);
  EXPECT_EQ(parse_networks("::/0"), std::nullopt);
}

TEST(Networks, RefusesBrokenItems) {
  for (const char* text : {"10.0.0.0/33", "10.0.0.0/", "10.0.0/8", "::/129", "a", "10.0.0.0/8,,::1",
                           "10.0.0.0/8,", "10.0.0.0/-1", "10.0.0.0/8/8"}) {
    EXPECT_EQ(parse_networks(text), std::nullopt) << text;
  }
  EXPECT_EQ(parse_networks(""), std::vector<network>{});
}

TEST(Mirrors, ReadsPathsWithAndWithoutLabel) {
  const auto read = parse_mirrors("/mnt/a, /mnt/b=usb");
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, (std::vector<mirror>{{"/mnt/a", "mirror"}, {"/mnt/b", "usb"}}));
  EXPECT_EQ(print(*read), "/mnt/a,/mnt/b=usb");
  EXPECT_EQ(parse_mirrors("mnt/a"), std::nullopt);
  EXPECT_EQ(parse_mirrors("/mnt/a="), std::nullopt);
  EXPECT_EQ(parse_mirrors("/mnt/a,,/mnt/b"), std::nullopt);
}

TEST(Watermark, TakesAShareASizeOrBoth) {
  EXPECT_EQ(parse_watermark("5%,2GiB"), (free_watermark{5, 2LL << 30}));
  EXPECT_EQ(parse_watermark("2GiB,5%"), (free_watermark{5, 2LL << 30}));
  EXPECT_EQ(parse_watermark("10%"), (free_watermark{10, 0}));
  EXPECT_EQ(parse_watermark("1GiB"), (free_watermark{0, 1LL << 30}));
}

TEST(Watermark, RefusesAWholeVolumeAndRepeatedParts) {
  for (const char* text : {"", "100%", "-1%", "5%,5%", "1GiB,1GiB", "5%,1GiB,1", "5 %", "%", "5%,"}) {
    EXPECT_EQ(parse_watermark(text), std::nullopt) << text;
  }
}

TEST(Url, DropsTheFinalSlashAndRefusesWhatIsNoBase) {
  EXPECT_EQ(parse_url("https://sync.example.org/"), "https://sync.example.org");
  EXPECT_EQ(parse_url("http://10.0.0.1:8080"), "http://10.0.0.1:8080");
  EXPECT_EQ(parse_url(""), "");
  for (const char* text : {"ftp://a", "https://", "https:///x", "https://u@h", "https://h?q", "https://h#f",
                           "h", "https://h h", "https://h\n", "HTTPS://h", "https://:80"}) {
    EXPECT_EQ(parse_url(text), std::nullopt) << text;
  }
}

TEST(Path, MustBeAbsoluteAndPlain) {
  EXPECT_EQ(parse_path("/srv/a//"), "/srv/a");
  EXPECT_EQ(parse_path("/"), "/");
  for (const char* text : {"", "a", "./a", "/a/../b", "/..", "/a/.", "/a\nb", "/a/./b"}) {
    EXPECT_EQ(parse_path(text), std::nullopt) << text;
  }
}

TEST(Key, TakesSixtyFourLowercaseDigitsOnly) {
  EXPECT_TRUE(parse_key(std::string(64, 'a')));
  EXPECT_FALSE(parse_key(std::string(64, 'A')));
  EXPECT_FALSE(parse_key(std::string(63, 'a')));
}

}  // namespace
}  // namespace obsync::config
