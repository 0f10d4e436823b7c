#include "store/volume.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/scratch_folder.hpp"

namespace obsync::store {
namespace {

class Volume : public testing::Test {
 protected:
  Volume() {
    std::filesystem::create_directories(folder_.path() + "/v1/inside");
    std::ofstream(folder_.path() + "/v1/one") << std::string(100, 'x');
    std::ofstream(folder_.path() + "/v1/two") << std::string(23, 'x');
    std::ofstream(folder_.path() + "/v1/inside/three") << "not counted";
    std::filesystem::create_directories(folder_.path() + "/v1/quarantine");
    std::ofstream(folder_.path() + "/v1/quarantine/four") << std::string(7, 'x');
  }

  volume of(std::optional<std::int64_t> capacity) const {
    return {"journal", "ssd", folder_.path(), capacity, {10, 50}};
  }

  test::scratch_folder folder_;
  std::unique_ptr<disk> disk_ = make_posix_disk();
};

TEST_F(Volume, ADeclaredCapacityDecidesWhatIsFreeAndWhatStaysFree) {
  const volume_state state = look_at(*disk_, of(1000), std::nullopt);
  EXPECT_TRUE(state.verified);
  EXPECT_EQ(state.bytes_total, 1000);
  EXPECT_EQ(state.bytes_used, 130);
  EXPECT_EQ(state.bytes_free, 870);
  EXPECT_EQ(state.watermark_bytes, 100);
}

TEST_F(Volume, WithoutOneTheFileSystemDoes) {
  const auto real = disk_->room(folder_.path());
  ASSERT_TRUE(real);
  EXPECT_EQ(look_at(*disk_, of({}), 5).bytes_total, static_cast<std::int64_t>(real->total_bytes));
  EXPECT_EQ(look_at(*disk_, of({}), 5).bytes_used, 5);
}

TEST_F(Volume, AnOverfullOneHasNothingFreeRatherThanLessThanNothing) {
  EXPECT_EQ(look_at(*disk_, of(1000), 2000).bytes_free, 0);
}

TEST_F(Volume, OneThatCannotBeAskedSaysSo) {
  volume gone = of(1000);
  gone.folder += "/gone";
  EXPECT_FALSE(look_at(*disk_, gone, std::nullopt).verified);
}

}  // namespace
}  // namespace obsync::store
