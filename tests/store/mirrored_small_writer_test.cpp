// Mirrors of small.db that fail: refused, or passed over until they return. The mirror is a writer that fails
// when told.
#include "store/mirrored_small_writer.hpp"

#include <gtest/gtest.h>

#include "tests/support/catalog_fixture.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

using test::id_of;

const account_id family = id_of<account_id>(1);

struct fault_switch {
  std::optional<error> failure = {};
  int opened = 0;
};

// A writer over a real file that fails while the switch says so.
class failing_writer final : public small_writer {
 public:
  failing_writer(std::unique_ptr<small_writer> under, const fault_switch& when)
      : under_(std::move(under)), when_(when) {}
  result<std::vector<put_result>> put(std::span<const small_put> batch) override {
    if (when_.failure) return *when_.failure;
    return under_->put(batch);
  }
  status restore(const account_id& account, const chunk_sid& sid, byte_view body,
                 std::int64_t now_ms) override {
    return when_.failure ? status{*when_.failure} : under_->restore(account, sid, body, now_ms);
  }
  status renew(std::span<const small_key> chunks, std::int64_t now_ms, std::int64_t after_ms) override {
    return under_->renew(chunks, now_ms, after_ms);
  }
  result<removed_chunks> remove(const account_id& account, std::span<const chunk_sid> sids,
                                std::int64_t before_ms) override {
    if (when_.failure) return *when_.failure;
    return under_->remove(account, sids, before_ms);
  }
  result<bool> give_pages_back(std::int64_t pages_max) override {
    if (when_.failure) return *when_.failure;
    return under_->give_pages_back(pages_max);
  }
  result<bool> erase(const account_id& account, std::int64_t rows_max) override {
    if (when_.failure) return *when_.failure;
    return under_->erase(account, rows_max);
  }
  std::uint64_t flush_count() const override { return under_->flush_count(); }

 private:
  std::unique_ptr<small_writer> under_;
  const fault_switch& when_;
};

class MirroredSmallWriter : public ::testing::TestWithParam<errc> {
 protected:
  result<std::unique_ptr<small_writer>> open(mirror_failure policy) {
    watch = std::make_shared<mirror_watch>(policy, std::vector<mirror_view>{{"usb", "/usb/v1"}});
    std::vector<small_writer_opener> mirrors;
    mirrors.push_back([this]() -> result<std::unique_ptr<small_writer>> {
      if (faults.failure) return *faults.failure;
      ++faults.opened;
      return std::unique_ptr<small_writer>(
          std::make_unique<failing_writer>(open_small_writer({mirror_folder.path()}).value(), faults));
    });
    auto made =
        open_mirrored_small_writer(open_small_writer({folder.path()}).value(), std::move(mirrors), watch);
    primary = open_small_reader({folder.path()}).value();
    return made;
  }
  void fail() { faults.failure = error{GetParam(), "the test's"}; }
  result<std::vector<put_result>> put(small_writer& to, std::uint64_t sid) {
    static const bytes body(100, 1);
    const small_put one{family, id_of<chunk_sid>(sid), body, 1};
    return to.put({&one, 1});
  }
  bool mirror_has(std::uint64_t sid) {
    return *open_small_reader({mirror_folder.path()}).value()->has(family, id_of<chunk_sid>(sid));
  }
  bool primary_has(std::uint64_t sid) { return *primary->has(family, id_of<chunk_sid>(sid)); }
  mirror_state state() { return watch->all().front().state; }

  test::scratch_folder folder, mirror_folder;
  fault_switch faults;
  std::shared_ptr<mirror_watch> watch;
  std::unique_ptr<small_reader> primary;
};

INSTANTIATE_TEST_SUITE_P(Failures, MirroredSmallWriter, ::testing::Values(errc::io_failed, errc::no_space),
                         [](const auto& of) { return of.param == errc::no_space ? "Full" : "Broken"; });

TEST_P(MirroredSmallWriter, RefusesWhatAMirrorDoesNotTakeAndStoresItNowhere) {
  const auto writer = open(mirror_failure::refuse).value();
  fail();
  EXPECT_EQ(put(*writer, 1).error().code, GetParam());
  EXPECT_FALSE(primary_has(1));
  EXPECT_EQ(watch->refusing(),
            GetParam() == errc::no_space ? std::nullopt : std::optional<std::string>("usb"));
  EXPECT_EQ(state(), mirror_state::whole) << "it lacks nothing";
}

TEST_P(MirroredSmallWriter, DoesNotOpenWithoutAMirrorThatIsRefusedFor) {
  fail();
  EXPECT_EQ(open(mirror_failure::refuse).error().code, GetParam());
}

TEST_P(MirroredSmallWriter, GoesOnWithoutAMirrorThatFailedUntilItReturns) {
  const auto writer = open(mirror_failure::degrade).value();
  ASSERT_TRUE(put(*writer, 1).ok());
  fail();
  ASSERT_TRUE(put(*writer, 2).ok());
  EXPECT_EQ(state(), mirror_state::behind);
  faults.failure.reset();
  ASSERT_TRUE(put(*writer, 3).ok());
  EXPECT_FALSE(mirror_has(3)) << "nobody has looked at it yet";
  EXPECT_EQ(faults.opened, 1);
  watch->returns(0);
  ASSERT_TRUE(put(*writer, 4).ok());
  EXPECT_EQ(faults.opened, 2) << "it may be another volume now";
  EXPECT_TRUE(mirror_has(1) && !mirror_has(2) && mirror_has(4));
  EXPECT_TRUE(primary_has(1) && primary_has(2) && primary_has(3) && primary_has(4));
  EXPECT_EQ(state(), mirror_state::returning) << "it lacks what it missed";
}

TEST_P(MirroredSmallWriter, OpensWithoutAMirrorThatIsNotThere) {
  fail();
  const auto writer = open(mirror_failure::degrade);
  ASSERT_TRUE(writer.ok()) << writer.error().detail;
  EXPECT_TRUE(put(**writer, 1).ok());
  EXPECT_EQ(state(), mirror_state::behind);
}

TEST_P(MirroredSmallWriter, RemovesFromThePrimaryWhatAMirrorThatFailsKeeps) {
  const auto writer = open(mirror_failure::degrade).value();
  ASSERT_TRUE(put(*writer, 1).ok());
  fail();
  const std::vector<chunk_sid> sids{id_of<chunk_sid>(1)};
  EXPECT_EQ(writer->remove(family, sids, any_age)->chunks, 1);
  EXPECT_FALSE(primary_has(1));
}

TEST_P(MirroredSmallWriter, DoesNotCallAnAccountErasedWhileAMirrorMayHoldIt) {
  const auto writer = open(mirror_failure::degrade).value();
  ASSERT_TRUE(put(*writer, 1).ok());
  fail();
  EXPECT_EQ(writer->erase(family, 10).error().code, errc::unavailable);
  faults.failure.reset();
  watch->returns(0);
  EXPECT_TRUE(*writer->erase(family, 10));
  EXPECT_FALSE(mirror_has(1) || primary_has(1));
}

TEST(MirrorWatch, IsWholeAgainOnlyForTheReturnThatWasBroughtUpToDate) {
  mirror_watch watch(mirror_failure::degrade, {{"usb", "/usb/v1"}});
  const error gone{errc::io_failed, "gone"};
  EXPECT_TRUE(watch.go_on_without(0, gone));
  watch.returns(0);
  const int first = watch.all().front().returned;
  EXPECT_TRUE(watch.go_on_without(0, gone));
  watch.completes(0, first);
  EXPECT_EQ(watch.all().front().state, mirror_state::behind);
  watch.returns(0);
  watch.completes(0, first);
  EXPECT_EQ(watch.all().front().state, mirror_state::returning);
  watch.completes(0, watch.all().front().returned);
  EXPECT_EQ(watch.all().front().state, mirror_state::whole);
}

}  // namespace
}  // namespace obsync::store
