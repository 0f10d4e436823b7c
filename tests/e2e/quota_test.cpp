// What an account is charged for is what lies on the disk for it, after whatever happened.
#include <gtest/gtest.h>

#include <sqlite3.h>

#include <filesystem>

#include "tests/e2e/raw_device.hpp"
#include "tests/e2e/raw_http.hpp"
#include "tests/support/scratch_folder.hpp"

namespace obsync::test {
namespace {

namespace fs = std::filesystem;

// Bytes of one account in small.db and in files, counted without any code of the store.
std::int64_t counted_on_disk(const std::string& folder, const std::string& account_hex) {
  std::int64_t sum = 0;
  sqlite3* file = nullptr;
  EXPECT_EQ(sqlite3_open_v2((folder + "/blobs/v1/small.db").c_str(), &file, SQLITE_OPEN_READWRITE, nullptr),
            SQLITE_OK);
  const std::string text =
      "SELECT coalesce(sum(length(body)), 0) FROM chunk JOIN account ON account.num = chunk.account "
      "WHERE hex(account.id) = upper('" +
      account_hex + "')";
  sqlite3_stmt* query = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(file, text.c_str(), -1, &query, nullptr), SQLITE_OK);
  EXPECT_EQ(sqlite3_step(query), SQLITE_ROW);
  sum += sqlite3_column_int64(query, 0);
  sqlite3_finalize(query);
  sqlite3_close(file);
  for (const auto& entry : fs::recursive_directory_iterator(folder + "/blobs/v1"))
    if (entry.path().string().ends_with("." + account_hex))
      sum += static_cast<std::int64_t>(entry.file_size());
  return sum;
}

std::string text_of(const bytes& data) {
  return std::string(as_text(data));
}

class Quota : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(server_.start());
    token_ = server_.invite("anna", {"--quota", "1MiB"});
    anna_ = std::make_unique<raw_device>(server_, "whatever", token_);
    bob_ = std::make_unique<raw_device>(server_, "bob", server_.invite("bob"));
    ASSERT_TRUE(anna_->ok() && bob_->ok());
  }

  int put(const raw_device& who, const made_note& note, const std::string& body) {
    return ask(server_, who.who(), "PUT", "/v1/chunks/" + note.sid.hex(), body).status;
  }
  int put(const raw_device& who, const made_note& note) { return put(who, note, text_of(note.sealed)); }

  void expect_exact(raw_device& who) {
    const auto account = who.server().account();
    ASSERT_TRUE(account.ok());
    EXPECT_EQ(account->used_bytes, counted_on_disk(scratch_.path(), account->id.hex()));
  }

  scratch_folder scratch_;
  server_process server_{scratch_.path()};
  seeded_random random_{6};
  std::string token_;
  std::unique_ptr<raw_device> anna_;
  std::unique_ptr<raw_device> bob_;
};

TEST_F(Quota, UsedBytesEqualWhatIsOnDiskAfterPutsRepeatsFailuresAndRestarts) {
  std::vector<made_note> notes;
  for (const std::size_t size : {100u, 2'000u, 64u << 10, (64u << 10) + 1, 200'000u, 300'000u})
    notes.push_back(make_note(random_, size));
  for (const made_note& note : notes) EXPECT_EQ(put(*anna_, note), 201);
  for (const made_note& note : notes) EXPECT_EQ(put(*anna_, note), 200);
  for (std::size_t i : {0u, 4u}) EXPECT_EQ(put(*bob_, notes[i]), 201);
  // Bodies that are not what their name says, small and large.
  for (const std::size_t size : {500u, 150'000u}) {
    const made_note note = make_note(random_, size);
    std::string wrong = text_of(note.sealed);
    wrong[0] = static_cast<char>(wrong[0] ^ 1);
    EXPECT_EQ(put(*anna_, note, wrong), 422);
  }
  // One too much, small and large.
  EXPECT_EQ(put(*anna_, make_note(random_, 900'000)), 507);
  expect_exact(*anna_);
  expect_exact(*bob_);
  const std::int64_t used = anna_->server().account()->used_bytes;

  server_.kill();
  ASSERT_TRUE(server_.start());
  expect_exact(*anna_);
  expect_exact(*bob_);
  EXPECT_EQ(anna_->server().account()->used_bytes, used);
  EXPECT_NE(
      server_.operate({"account", "list", "--json"}).output.find("\"used_bytes\":" + std::to_string(used)),
      std::string::npos);
}

TEST_F(Quota, RefusesTheFirstByteBeyondAndTakesEverythingUpToIt) {
  const made_note all_but_ten = make_note(random_, (1u << 20) - 10);
  EXPECT_EQ(put(*anna_, all_but_ten), 201);
  const raw_answer refused = ask(server_, anna_->who(), "PUT",
                                 "/v1/chunks/" + make_note(random_, 11).sid.hex(), std::string(11, 'x'));
  EXPECT_EQ(refused.status, 507);
  EXPECT_EQ(refused.code(), "quota_exceeded");
  EXPECT_EQ(put(*anna_, make_note(random_, 10)), 201);
  EXPECT_EQ(put(*anna_, all_but_ten), 200);
  EXPECT_EQ(put(*bob_, make_note(random_, 2'000'000)), 201);
}

TEST_F(Quota, AChangedQuotaHoldsFromTheNextChunkOnAndIsShown) {
  EXPECT_EQ(put(*anna_, make_note(random_, 900'000)), 201);
  const made_note more = make_note(random_, 200'000);
  EXPECT_EQ(put(*anna_, more), 507);
  ASSERT_EQ(server_.operate({"account", "quota", "anna", "2MiB"}).status, 0);
  EXPECT_EQ(put(*anna_, more), 201);
  EXPECT_EQ(anna_->server().account()->quota_bytes, 2 << 20);
  ASSERT_EQ(server_.operate({"account", "quota", "anna", "1000"}).status, 0);
  EXPECT_EQ(put(*anna_, make_note(random_, 1)), 507);
  EXPECT_EQ(anna_->server().get_chunk(more.sid)->size(), 200'000u);
  ASSERT_EQ(server_.operate({"account", "quota", "anna", "none"}).status, 0);
  EXPECT_EQ(put(*anna_, make_note(random_, 2'000'000)), 201);
  EXPECT_EQ(anna_->server().account()->quota_bytes, std::nullopt);
}

}  // namespace
}  // namespace obsync::test
