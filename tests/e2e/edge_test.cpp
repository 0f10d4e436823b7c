// Where a request came from, as the server writes it down: by proxies it trusts, and by its edge.
#include <gtest/gtest.h>

#include "tests/e2e/raw_device.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {
namespace {

using headers = std::vector<std::pair<std::string, std::string>>;

class Edge : public testing::Test {
 protected:
  void start(std::vector<std::string> options) {
    server_ = std::make_unique<server_process>(scratch_.path(), std::move(options));
    ASSERT_TRUE(server_->start());
  }

  // The device's row after it said hello by a way with these headers.
  wire::device_info row_of(const headers& extra) {
    raw_device device(*server_, way_in{server_->url(), {}, extra}, "home");
    EXPECT_TRUE(device.ok());
    if (!device.ok()) return {};
    const auto heard = device.server().heartbeat({"1", {}});
    EXPECT_TRUE(heard) << heard.error().detail;
    const auto list = device.server().devices();
    EXPECT_TRUE(list);
    return list ? list->devices.at(0) : wire::device_info{};
  }

  scratch_folder scratch_;
  std::unique_ptr<server_process> server_;
};

TEST_F(Edge, ATrustedProxySaysWhoTheClientIs) {
  start({});
  const auto row = row_of({{"X-Forwarded-For", "203.0.113.9, 192.168.1.7"}, {"CF-IPCountry", "DE"}});
  EXPECT_EQ(row.address, "203.0.113.9");
  EXPECT_EQ(row.country, std::nullopt);
}

TEST_F(Edge, APeerOutsideTheTrustedBlocksSaysNothing) {
  start({"--server.trusted_proxies=10.0.0.0/8"});
  EXPECT_EQ(row_of({{"X-Forwarded-For", "203.0.113.9"}}).address, "127.0.0.1");
  EXPECT_NE(server_->log().find("event=forwarded_headers decision=ignored"), std::string::npos);
}

TEST_F(Edge, HeadersThatDisagreeLeaveThePeer) {
  start({});
  EXPECT_EQ(row_of({{"X-Forwarded-For", "203.0.113.9"}, {"Forwarded", "for=203.0.113.8"}}).address,
            "127.0.0.1");
  EXPECT_NE(server_->log().find("event=forwarded_headers_disagree"), std::string::npos);
}

TEST_F(Edge, CloudflareNamesAddressAndCountry) {
  start({"--server.edge=cloudflare"});
  const auto row =
      row_of({{"CF-Connecting-IP", "2001:db8::1"}, {"CF-Ray", "8f-FRA"}, {"CF-IPCountry", "de"}});
  EXPECT_EQ(row.address, "2001:db8::1");
  EXPECT_EQ(row.country, "DE");
}

TEST_F(Edge, WhatCameAroundCloudflareIsTurnedAway) {
  start({"--server.edge=cloudflare"});
  const client::credential nobody{device_id{{1}}, {}};
  raw_device around(way_in{server_->url()}, nobody);
  const auto refused = around.server().account();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().refusal, wire::refusal::edge_required);
  raw_device through(way_in{server_->url(), {}, {{"CF-Connecting-IP", "203.0.113.9"}, {"CF-Ray", "8f"}}},
                     nobody);
  EXPECT_EQ(through.server().account().error().refusal, wire::refusal::bad_signature);
}

}  // namespace
}  // namespace obsync::test
