// Every row of the protocol over a real socket.
#include "tests/e2e/conformance_world.hpp"

#include <gtest/gtest.h>

namespace obsync::test {
namespace {

class Conformance : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(world_.ok()) << world_.server().log(); }

  void walk(const conformance_table& rows) {
    for (const conformance_row& row : rows) {
      const raw_answer answer = row.ask(world_);
      EXPECT_EQ(answer.status, row.status) << row.rule << ": " << answer.body;
      EXPECT_EQ(answer.code(), row.code) << row.rule;
    }
  }

  conformance_world world_;
};

TEST_F(Conformance, EveryRuleAboutHeadsHolds) {
  walk(head_rows());
}
TEST_F(Conformance, EveryRuleAboutBodiesHolds) {
  walk(body_rows());
}
TEST_F(Conformance, EveryRuleAboutJsonHolds) {
  walk(json_rows());
}
TEST_F(Conformance, EveryRuleAboutSignaturesHoldsInItsOrder) {
  walk(signature_rows());
}
TEST_F(Conformance, EveryRuleAboutSetupHoldsInItsOrder) {
  walk(setup_rows());
}
TEST_F(Conformance, EveryRuleAboutPairingHoldsInItsOrder) {
  walk(pairing_rows());
}
TEST_F(Conformance, EveryRuleAboutRevealingHoldsInItsOrder) {
  walk(reveal_rows());
}
TEST_F(Conformance, EveryRuleAboutDevicesHoldsInItsOrder) {
  walk(device_rows());
}
TEST_F(Conformance, EveryRuleAboutChunksHoldsInItsOrder) {
  walk(chunk_rows());
}
TEST_F(Conformance, EveryRuleAboutVersionsHoldsInItsOrder) {
  walk(version_rows());
}
TEST_F(Conformance, EveryRuleAboutReadingHoldsInItsOrder) {
  walk(reading_rows());
}
TEST_F(Conformance, EveryRuleAboutBatchesHolds) {
  walk(batch_rows());
}

}  // namespace
}  // namespace obsync::test
