#include "actors/sightings.hpp"

#include <gtest/gtest.h>

#include "tests/support/catalog_fixture.hpp"

namespace obsync::actors {
namespace {

using wire::sighting_kind;

class Sightings : public testing::Test {
 protected:
  Sightings() { info_.id = test::id_of<device_id>(1); }

  sightings seen_;
  wire::device_info info_;
};

TEST_F(Sightings, KeepsTheNewest64NewestFirst) {
  for (int i = 0; i < 100; ++i) seen_.note(info_.id, {i * 1000, sighting_kind::edit, {}, {}});
  const auto history = seen_.history_of(info_);
  ASSERT_EQ(history.size(), 64u);
  EXPECT_EQ(history.front().ts_ms, 99'000);
  EXPECT_EQ(history.back().ts_ms, 36'000);
}

TEST_F(Sightings, AfterARestartTheLastOfEachKindIsWhatTheCatalogKept) {
  info_.last_sign_in_ms = 2'000;
  info_.last_edit_ms = 3'000;
  const auto history = seen_.history_of(info_);
  ASSERT_EQ(history.size(), 2u);
  EXPECT_EQ(history[0].kind, sighting_kind::edit);
  EXPECT_EQ(history[1].kind, sighting_kind::sign_in);
}

TEST_F(Sightings, WhatWasSeenIsNotListedASecondTimeFromTheCatalog) {
  seen_.note(info_.id, {2'345, sighting_kind::heartbeat, "192.0.2.1", "NL"});
  info_.last_heartbeat_ms = 2'000;
  const auto history = seen_.history_of(info_);
  ASSERT_EQ(history.size(), 1u);
  EXPECT_EQ(history[0].ts_ms, 2'000) << "whole seconds";
  EXPECT_EQ(history[0].address, "192.0.2.1");
}

TEST_F(Sightings, AForgottenDeviceHasNoHistory) {
  seen_.note(info_.id, {1'000, sighting_kind::edit, {}, {}});
  seen_.forget(info_.id);
  EXPECT_TRUE(seen_.history_of(info_).empty());
}

}  // namespace
}  // namespace obsync::actors
