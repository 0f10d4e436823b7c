#include "wire/control.hpp"

#include <gtest/gtest.h>

namespace obsync::wire {
namespace {

TEST(ControlRequest, ReadsBackWhatItWrote) {
  control_request asked;
  asked.verb = control_verb::device_revoke;
  asked.account = "anna";
  asked.device = "0a1b";
  asked.name = "a \"quoted\" name";
  asked.quota_bytes = 0;
  asked.expires_in_ms = 1;
  asked.limit = 2;
  asked.read_only = true;
  asked.force = true;
  const auto back = from_json<control_request>(to_json(asked));
  ASSERT_TRUE(back.ok()) << back.error().detail;
  EXPECT_EQ(to_json(*back), to_json(asked));
  EXPECT_EQ(back->verb, asked.verb);
  EXPECT_EQ(back->name, asked.name);
  EXPECT_EQ(back->quota_bytes, 0);
}

TEST(ControlRequest, KnowsEachVerbByItsOwnName) {
  for (int i = 0; i <= static_cast<int>(control_verb::audit); ++i) {
    control_request asked;
    asked.verb = static_cast<control_verb>(i);
    const auto back = from_json<control_request>(to_json(asked));
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(back->verb, asked.verb);
  }
}

TEST(ControlRequest, RefusesWhatItDoesNotKnow) {
  for (const char* text :
       {"", "{}", "[]", "null", R"({"verb":"account_eat"})", R"({"verb":1})",
        R"({"verb":"account_list","account":""})", R"({"verb":"account_list","account":7})",
        R"({"verb":"device_role","device":"abc"})", R"({"verb":"device_role","device":"ABCD"})",
        R"({"verb":"device_role","device":"../../"})", R"({"verb":"account_quota","quota_bytes":-1})",
        R"({"verb":"account_quota","quota_bytes":1.5})", R"({"verb":"account_rename","name":"line\nbreak"})",
        R"({"verb":"account_list"} )"
        "x"})
    EXPECT_FALSE(from_json<control_request>(text).ok()) << text;
}

TEST(ControlAnswer, AnInvitationReadsBack) {
  invitation_answer made;
  made.token.raw.fill(7);
  made.name = "anna";
  made.expires_ms = 12;
  EXPECT_EQ(to_json(made),
            R"({"token":"0707070707070707070707070707070707070707070707070707070707070707","name":"anna",)"
            R"("quota_bytes":null,"expires":12})");
  const auto back = from_json<invitation_answer>(to_json(made));
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->token.hex(), made.token.hex());
}

TEST(ControlAnswer, ListsAreArraysThatReadBack) {
  account_entry account;
  account.name = "anna";
  account.quota_bytes = 5;
  account.state = account_state::deleted;
  account.delete_after_ms = 9;
  const std::string accounts = to_json(account_entries{{account, account}});
  EXPECT_TRUE(accounts.starts_with("[{") && accounts.ends_with("}]"));
  EXPECT_EQ(to_json(*from_json<account_entries>(accounts)), accounts);

  device_entry device;
  device.account_name = "anna";
  device.card = {"phone", "ios", "1.1.5"};
  device.state = device_state::revoked;
  device.read_only = true;
  const std::string devices = to_json(device_entries{{device}});
  EXPECT_EQ(to_json(*from_json<device_entries>(devices)), devices);

  audit_entry row;
  row.event = "account_quota";
  row.account = account_id{{1}};
  row.operator_uid = 0;
  row.detail = "quota_bytes=none";
  const std::string rows = to_json(audit_entries{{row}});
  EXPECT_EQ(to_json(*from_json<audit_entries>(rows)), rows);
  EXPECT_EQ(to_json(account_entries{}), "[]");
}

}  // namespace
}  // namespace obsync::wire
