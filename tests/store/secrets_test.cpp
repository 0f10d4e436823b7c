#include "store/secrets.hpp"

#include <gtest/gtest.h>

#include "tests/support/catalog_fixture.hpp"
#include "tests/support/sim_disk.hpp"

namespace obsync::store {
namespace {

using test::sim_disk;

TEST(Secrets, MakesAKeyOnceAndReadsItBackAfterAPowerCut) {
  sim_disk on;
  ASSERT_TRUE(on.make_folder("/j").ok());
  ASSERT_TRUE(on.sync_folder("/").ok());
  seeded_random random(1);
  const auto made = load_server_key(on, "/j", random);
  ASSERT_TRUE(made.ok());
  on.power_cut(test::cut::drop);
  EXPECT_EQ(load_server_key(on, "/j", random)->hex(), made->hex());
}

TEST(Secrets, WritesSixtyFourHexDigitsAndALineEnd) {
  sim_disk on;
  seeded_random random(1);
  const auto token = load_setup_token(on, "", random);
  bytes content(100);
  const auto file = on.open("/setup-token");
  ASSERT_TRUE(file.ok());
  content.resize(*(*file)->read_at(0, content));
  EXPECT_EQ(as_text(content), token->hex() + "\n");
}

TEST(Secrets, ReadsASetupTokenWithoutMakingOne) {
  sim_disk on;
  EXPECT_EQ(read_setup_token(on, "").error().code, errc::not_found);
  EXPECT_EQ(on.size_of("/setup-token").error().code, errc::not_found);
}

TEST(Secrets, RefusesAFileOfAnotherShape) {
  const std::string digits(64, 'a');
  for (const std::string& text :
       {std::string(), digits, digits + "\n\n", digits + "x", std::string(63, 'a') + "g\n"}) {
    sim_disk on;
    seeded_random random(1);
    ASSERT_TRUE((*on.create("/server.key"))->write_at(0, as_bytes(text)).ok());
    EXPECT_EQ(load_server_key(on, "", random).error().code, errc::corrupt) << text;
  }
}

TEST(Secrets, NeverLeaveHalfAKeyUnderItsNameWhateverFails) {
  bool reached = true;
  for (std::uint64_t n = 0; reached; ++n) {
    SCOPED_TRACE(n);
    sim_disk on(n + 1);
    seeded_random random(1);
    on.fail_at(n, errc::io_failed);
    const auto first = load_server_key(on, "", random);
    reached = on.fault_was_reached();
    on.power_cut(test::cut::tear);
    const auto second = load_server_key(on, "", random);
    ASSERT_TRUE(second.ok()) << second.error().detail;
    if (first.ok()) {
      EXPECT_EQ(second->hex(), first->hex());
    }
  }
}

TEST(Secrets, UnwrapsWhatItWrappedForTheSameDeviceOnly) {
  crypto::secret32 key, secret;
  key.raw.fill(1);
  secret.raw.fill(2);
  const auto laptop = test::id_of<device_id>(1);
  const digest wrapped = wrap_secret(key, laptop, secret.view());
  EXPECT_NE(wrapped.raw, secret.raw);
  EXPECT_EQ(unwrap_secret(key, laptop, wrapped).raw, secret.raw);
  EXPECT_NE(unwrap_secret(key, test::id_of<device_id>(2), wrapped).raw, secret.raw);
}

}  // namespace
}  // namespace obsync::store
