#include "store/blob_store.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>

#include "tests/support/catalog_fixture.hpp"
#include "tests/support/sim_disk.hpp"

namespace obsync::store {
namespace {

using test::id_of;
using test::sim_disk;
using wire::refusal;

const account_id one = id_of<account_id>(1);
const account_id two = id_of<account_id>(2);

bytes body_of(std::size_t size, std::uint8_t fill) {
  return bytes(size, fill);
}

chunk_sid sid_of(byte_view body) {
  return *chunk_sid::from(crypto::sha256(body).view());
}

std::string path_of(const account_id& account, const chunk_sid& sid, const std::string& root = "/v1") {
  return root + "/" + sid.hex().substr(0, 2) + "/" + sid.hex() + "." + account.hex();
}

// One upload in slices of 1000 bytes; the outcome of the last step taken.
wire::outcome<put_result> put(blob_store& store, const account_id& account, const chunk_sid& sid,
                              byte_view body) {
  auto upload = store.begin(account, sid, body.size());
  if (!upload.ok()) return upload.error();
  for (std::size_t at = 0; at < body.size(); at += 1000) {
    const auto slice = body.subspan(at, std::min<std::size_t>(1000, body.size() - at));
    if (const auto written = (*upload)->write(slice); !written.ok()) return written.error();
  }
  return (*upload)->finish();
}

wire::outcome<put_result> put(blob_store& store, const account_id& account, byte_view body) {
  return put(store, account, sid_of(body), body);
}

bytes read_all(disk_file& file) {
  bytes out(*file.size());
  EXPECT_EQ(*file.read_at(0, out), out.size());
  return out;
}

class BlobStore : public ::testing::Test {
 protected:
  void SetUp() override { open(); }
  void open() {
    auto opened = open_blob_store(on, options);
    ASSERT_TRUE(opened.ok()) << opened.error().detail;
    store = std::move(opened).value();
  }
  std::size_t temp_count() { return on.list("/v1/tmp")->size(); }

  sim_disk on;
  blob_options options = {"/v1", {}};
  std::unique_ptr<blob_store> store;
};

TEST_F(BlobStore, GivesBackWhatWasPutToTheSameAccountOnly) {
  const bytes body = body_of(2500, 7);
  EXPECT_EQ(*put(*store, one, body), put_result::created);
  EXPECT_TRUE(*store->has(one, sid_of(body)));
  EXPECT_FALSE(*store->has(two, sid_of(body)));
  EXPECT_EQ(*store->size_of(one, sid_of(body)), 2500u);
  EXPECT_EQ(read_all(**store->open(one, sid_of(body))), body);
  EXPECT_EQ(store->open(two, sid_of(body)).error().code, errc::not_found);
  EXPECT_EQ(store->size_of(two, sid_of(body)).error().code, errc::not_found);
}

TEST_F(BlobStore, NamesTheFileAfterChunkAndAccountInTheFolderOfItsFirstByte) {
  const bytes body = body_of(10, 1);
  ASSERT_TRUE(put(*store, one, body).ok());
  EXPECT_TRUE(on.size_of(path_of(one, sid_of(body))).ok());
}

TEST_F(BlobStore, MakesAllFoldersAtTheFirstStartAndNoneLater) {
  EXPECT_EQ(on.list("/v1")->size(), 257u);
  const auto before = on.operations();
  ASSERT_TRUE(put(*store, one, body_of(10, 1)).ok());
  // has, create, write, sync, look, rename, folder sync
  EXPECT_EQ(on.operations() - before, 7u);
}

TEST_F(BlobStore, WaitsForTwoFlushesForEachVolume) {
  options.mirrors = {"/mirror"};
  open();
  const auto before = on.sync_count();
  ASSERT_TRUE(put(*store, one, body_of(10, 1)).ok());
  EXPECT_EQ(on.sync_count() - before, 4u);
}

TEST_F(BlobStore, StoresTheSameBytesOnEveryMirror) {
  options.mirrors = {"/mirror", "/second"};
  open();
  const bytes body = body_of(2500, 7);
  ASSERT_TRUE(put(*store, one, body).ok());
  for (const char* root : {"/v1", "/mirror", "/second"}) {
    EXPECT_EQ(read_all(**on.open(path_of(one, sid_of(body), root))), body) << root;
  }
}

TEST_F(BlobStore, VerifiesAndDropsABodyItHasAlready) {
  const bytes body = body_of(10, 1);
  ASSERT_TRUE(put(*store, one, body).ok());
  EXPECT_EQ(*put(*store, one, body), put_result::existed);
  EXPECT_EQ(put(*store, one, sid_of(body), body_of(10, 2)).error().code, refusal::sid_mismatch);
  EXPECT_EQ(read_all(**store->open(one, sid_of(body))), body);
  EXPECT_EQ(temp_count(), 0u);
}

TEST_F(BlobStore, RefusesABodyThatDoesNotHashToItsName) {
  const chunk_sid sid = sid_of(body_of(10, 1));
  EXPECT_EQ(put(*store, one, sid, body_of(10, 2)).error().code, refusal::sid_mismatch);
  EXPECT_FALSE(*store->has(one, sid));
  EXPECT_EQ(temp_count(), 0u);
}

TEST_F(BlobStore, RefusesABodyOfAnotherLengthThanDeclared) {
  const bytes body = body_of(10, 1);
  {
    auto upload = store->begin(one, sid_of(body), 11).value();
    ASSERT_TRUE(upload->write(body).ok());
    EXPECT_EQ(upload->finish().error().code, refusal::length_mismatch);
  }
  {
    auto upload = store->begin(one, sid_of(body), 9).value();
    EXPECT_EQ(upload->write(body).error().code, refusal::length_mismatch);
  }
  EXPECT_EQ(temp_count(), 0u);
}

TEST_F(BlobStore, LeavesNothingOfAnUploadThatWasAbandoned) {
  const bytes body = body_of(10, 1);
  {
    auto upload = store->begin(one, sid_of(body), 10).value();
    ASSERT_TRUE(upload->write(body).ok());
    EXPECT_EQ(temp_count(), 1u);
  }
  EXPECT_EQ(temp_count(), 0u);
  EXPECT_FALSE(*store->has(one, sid_of(body)));
}

TEST_F(BlobStore, RemovesLeftoversWhenItOpens) {
  ASSERT_TRUE(on.create("/v1/tmp/0").ok());
  open();
  EXPECT_EQ(temp_count(), 0u);
}

TEST_F(BlobStore, LetsTwoUploadsOfOneChunkBothSucceed) {
  const bytes body = body_of(10, 1);
  auto first = store->begin(one, sid_of(body), 10).value();
  auto second = store->begin(one, sid_of(body), 10).value();
  ASSERT_TRUE(first->write(body).ok());
  ASSERT_TRUE(second->write(body).ok());
  EXPECT_EQ(*first->finish(), put_result::created);
  EXPECT_EQ(*second->finish(), put_result::existed);
  EXPECT_EQ(read_all(**store->open(one, sid_of(body))), body);
}

TEST_F(BlobStore, CountsTheBytesOfEachAccountAndIgnoresForeignFiles) {
  ASSERT_TRUE(put(*store, one, body_of(10, 1)).ok());
  ASSERT_TRUE(put(*store, one, body_of(20, 2)).ok());
  ASSERT_TRUE(put(*store, two, body_of(20, 2)).ok());
  ASSERT_TRUE(on.create("/v1/00/notes.txt").ok());
  EXPECT_EQ(*store->usage(), (std::vector<std::pair<account_id, std::int64_t>>{{one, 30}, {two, 20}}));
}

TEST_F(BlobStore, TellsAFullVolumeFromABrokenOne) {
  const bytes body = body_of(10, 1);
  on.fail_at(2, errc::no_space);  // the write
  EXPECT_EQ(put(*store, one, body).error().code, refusal::storage_full);
  on.fail_at(2, errc::io_failed);
  EXPECT_EQ(put(*store, one, body).error().code, refusal::io_error);
  EXPECT_EQ(*put(*store, one, body), put_result::created);
}

TEST_F(BlobStore, DoesNotShowANameWhoseFolderCouldNotBeFlushed) {
  const bytes body = body_of(10, 1);
  on.fail_at(6, errc::io_failed);  // the folder's sync
  EXPECT_EQ(put(*store, one, body).error().code, refusal::io_error);
  EXPECT_FALSE(*store->has(one, sid_of(body)));
  EXPECT_EQ(*put(*store, one, body), put_result::created);
  EXPECT_TRUE(*store->has(one, sid_of(body)));
}

// The simulated disk, with a moment to look around while a folder is being flushed.
class watched_disk final : public disk {
 public:
  std::function<void()> in_folder_sync;

  result<std::unique_ptr<disk_file>> create(const std::string& path) override { return under_.create(path); }
  result<std::unique_ptr<disk_file>> open(const std::string& path) override { return under_.open(path); }
  result<std::uint64_t> size_of(const std::string& path) override { return under_.size_of(path); }
  result<std::int64_t> modified_ms(const std::string& path) override { return under_.modified_ms(path); }
  status touch(const std::string& path) override { return under_.touch(path); }
  status rename(const std::string& from, const std::string& to) override { return under_.rename(from, to); }
  status remove(const std::string& path) override { return under_.remove(path); }
  status remove_folder(const std::string& path) override { return under_.remove_folder(path); }
  status make_folder(const std::string& path) override { return under_.make_folder(path); }
  status sync_folder(const std::string& path) override {
    if (in_folder_sync) in_folder_sync();
    return under_.sync_folder(path);
  }
  result<std::vector<disk_entry>> list(const std::string& path) override { return under_.list(path); }
  result<disk_room> room(const std::string& path) override { return under_.room(path); }

 private:
  sim_disk under_;
};

// Another device that posts a version on a name which is visible but not yet flushed would be acknowledged,
// and a power cut could then take the chunk away.
TEST(BlobStorePublishing, HidesANameUntilItsFolderIsFlushed) {
  watched_disk on;
  auto store = open_blob_store(on, {"/v1", {}}).value();
  const bytes body = body_of(10, 1);
  int looks = 0;
  on.in_folder_sync = [&] {
    ++looks;
    EXPECT_TRUE(on.size_of(path_of(one, sid_of(body))).ok());
    EXPECT_FALSE(store->has(one, sid_of(body)).value());
    EXPECT_EQ(store->open(one, sid_of(body)).error().code, errc::not_found);
    EXPECT_TRUE(store->begin(one, sid_of(body), 10).ok());
  };
  EXPECT_EQ(*put(*store, one, body), put_result::created);
  EXPECT_EQ(looks, 1);
  EXPECT_TRUE(store->has(one, sid_of(body)).value());
}

// An upload that began before the chunk was stored must not hide it again while it finds that out.
TEST(BlobStorePublishing, NeverHidesAStoredNameAgain) {
  watched_disk on;
  auto store = open_blob_store(on, {"/v1", {}}).value();
  const bytes body = body_of(10, 1);
  auto late = store->begin(one, sid_of(body), 10).value();
  ASSERT_TRUE(late->write(body).ok());
  ASSERT_TRUE(put(*store, one, body).ok());
  on.in_folder_sync = [] { ADD_FAILURE() << "the late upload published"; };
  EXPECT_EQ(*late->finish(), put_result::existed);
  EXPECT_TRUE(store->has(one, sid_of(body)).value());
}

TEST(BlobStorePublishing, ServesManyThreadsOnOneChunk) {
  sim_disk on;
  auto store = open_blob_store(on, {"/v1", {}}).value();
  const bytes body = body_of(5000, 1);
  std::atomic<int> created = 0;
  std::atomic<int> existed = 0;
  std::vector<std::thread> threads;
  for (int worker = 0; worker < 4; ++worker) {
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        const auto outcome = put(*store, one, body);
        if (outcome.ok()) ++(*outcome == put_result::created ? created : existed);
        if (store->has(one, sid_of(body)).value()) {
          EXPECT_EQ(store->size_of(one, sid_of(body)).value(), body.size());
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(created, 1);
  EXPECT_EQ(existed, 79);
}

// One run in which operation `n` fails, then the power is cut: what was acknowledged is there with the right
// bytes, and no name shows anything but a whole chunk. False when the run had no operation `n`.
bool survives_fault(std::uint64_t n, errc code, test::cut how) {
  const std::vector<bytes> bodies = {body_of(1500, 1), body_of(10, 2), body_of(2500, 3)};
  const blob_options options = {"/v1", {"/mirror"}};
  sim_disk on(n + 1);
  auto store = open_blob_store(on, options).value();
  on.fail_at(n, code);
  std::vector<bool> acknowledged;
  for (const bytes& body : bodies) acknowledged.push_back(put(*store, one, body).ok());
  const bool reached = on.fault_was_reached();
  on.power_cut(how);
  store = open_blob_store(on, options).value();
  for (std::size_t at = 0; at < bodies.size(); ++at) {
    const chunk_sid sid = sid_of(bodies[at]);
    if (*store->has(one, sid)) {
      EXPECT_EQ(read_all(**store->open(one, sid)), bodies[at]);
    } else {
      EXPECT_FALSE(acknowledged[at]);
    }
    if (acknowledged[at]) {
      EXPECT_EQ(read_all(**on.open(path_of(one, sid, "/mirror"))), bodies[at]);
    }
  }
  EXPECT_EQ(on.list("/v1/tmp")->size(), 0u);
  return reached;
}

TEST(BlobStoreFaults, LoseNothingAcknowledgedAndShowNothingHalf) {
  for (const test::cut how : {test::cut::drop, test::cut::tear}) {
    for (const errc code : {errc::io_failed, errc::no_space}) {
      std::uint64_t n = 0;
      while (survives_fault(n, code, how)) ++n;
      EXPECT_GT(n, 30u);
    }
  }
}

TEST_F(BlobStore, ErasesOneAccountsFilesInAFolderAndNoOthers) {
  const bytes body = body_of(3000, 1);
  const chunk_sid sid = sid_of(body);
  ASSERT_TRUE(put(*store, one, body).ok());
  ASSERT_TRUE(put(*store, two, body).ok());
  ASSERT_TRUE(store->erase(one, static_cast<std::uint8_t>(sid.raw[0] + 1)).ok());
  EXPECT_TRUE(*store->has(one, sid));
  ASSERT_TRUE(store->erase(one, sid.raw[0]).ok());
  EXPECT_FALSE(*store->has(one, sid));
  EXPECT_TRUE(*store->has(two, sid));
  EXPECT_TRUE(store->erase(one, sid.raw[0]).ok());
}

TEST_F(BlobStore, RemovesOnlyWhatIsOldFromEveryCopy) {
  options.mirrors = {"/m/v1"};
  ASSERT_TRUE(on.make_folder("/m").ok());
  open();
  const bytes body = body_of(2'000, 1);
  on.set_time(100);
  ASSERT_TRUE(put(*store, one, body).ok());
  EXPECT_EQ(*store->remove_old(one, sid_of(body), 100), 0) << "as young as the bound";
  EXPECT_TRUE(*store->has(one, sid_of(body)));
  EXPECT_EQ(*store->remove_old(two, sid_of(body), 101), 0) << "another account's";
  EXPECT_EQ(*store->remove_old(one, sid_of(body), 101), 2'000);
  EXPECT_FALSE(*store->has(one, sid_of(body)));
  EXPECT_FALSE(on.size_of(path_of(one, sid_of(body), "/m/v1")).ok());
  EXPECT_EQ(*store->remove_old(one, sid_of(body), 101), 0) << "gone already";
}

// Every operation of an upload that touches the mirror fails once.
TEST(BlobStoreMirrors, AMirrorThatFailsAnywhereIsPassedOverAndTheChunkIsStored) {
  const bytes body = body_of(2'000, 1);
  int passed_over = 0;
  for (std::uint64_t n = 0; n < 12; ++n) {
    sim_disk on;
    ASSERT_TRUE(on.make_folder("/m").ok());
    const auto watch =
        std::make_shared<mirror_watch>(mirror_failure::degrade, std::vector<mirror_view>{{"usb", "/m/v1"}});
    const auto store = std::move(*open_blob_store(on, {"/v1", {"/m/v1"}, watch}));
    on.fail_at(n, errc::no_space);
    const auto stored = put(*store, one, body);
    const bool behind = watch->is_behind(0);
    passed_over += behind ? 1 : 0;
    EXPECT_TRUE(stored.ok() || !behind) << n << ": refused for a mirror";
    EXPECT_EQ(*store->has(one, sid_of(body)), stored.ok()) << n;
    EXPECT_EQ(on.list("/v1/tmp")->size(), 0u) << n;
    if (!behind) continue;
    EXPECT_EQ(store->erase(one, sid_of(body).raw[0]).error().code, errc::unavailable);
    ASSERT_TRUE(store->take_back(0).ok());
    EXPECT_EQ(watch->all().front().state, mirror_state::returning);
    EXPECT_EQ(on.list("/m/v1/tmp")->size(), 0u) << n;
    const bytes next = body_of(2'000, 2);
    ASSERT_TRUE(put(*store, one, next).ok());
    EXPECT_TRUE(on.size_of(path_of(one, sid_of(next), "/m/v1")).ok());
    EXPECT_EQ(*store->remove_old(one, sid_of(body), 1), 2'000);
  }
  EXPECT_EQ(passed_over, 6) << "create, two writes, sync, rename, folder sync";
}

TEST(BlobStoreMirrors, OpensWithoutAMirrorThatIsNotThereAndTakesItWhenItIs) {
  sim_disk on;
  const auto watch =
      std::make_shared<mirror_watch>(mirror_failure::degrade, std::vector<mirror_view>{{"usb", "/m/v1"}});
  const auto opened = open_blob_store(on, {"/v1", {"/m/v1"}, watch});
  ASSERT_TRUE(opened.ok()) << "its parent does not exist";
  ASSERT_TRUE(put(**opened, one, body_of(10, 1)).ok());
  EXPECT_FALSE((*opened)->take_back(0).ok());
  ASSERT_TRUE(on.make_folder("/m").ok());
  ASSERT_TRUE((*opened)->take_back(0).ok());
  ASSERT_TRUE(put(**opened, one, body_of(10, 2)).ok());
  EXPECT_TRUE(on.size_of(path_of(one, sid_of(body_of(10, 2)), "/m/v1")).ok());
}

TEST_F(BlobStore, AChunkSentAgainIsYoungFromTheBeginningOfThatOn) {
  const bytes body = body_of(2'000, 1);
  on.set_time(100);
  ASSERT_TRUE(put(*store, one, body).ok());
  on.set_time(500);
  auto again = store->begin(one, sid_of(body), body.size());
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*store->remove_old(one, sid_of(body), 500), 0);
  ASSERT_TRUE((*again)->write(body).ok());
  EXPECT_EQ(*(*again)->finish(), put_result::existed);
}

TEST_F(BlobStore, AnUploadWhoseChunkWasRemovedMeanwhileIsNotToldThatItIsStored) {
  const bytes body = body_of(2'000, 1);
  ASSERT_TRUE(put(*store, one, body).ok());
  auto again = store->begin(one, sid_of(body), body.size());
  ASSERT_TRUE((*again)->write(body).ok());
  EXPECT_EQ(*store->remove_old(one, sid_of(body), 1), 2'000);
  EXPECT_EQ((*again)->finish().error().code, refusal::io_error);
  EXPECT_EQ(*put(*store, one, body), put_result::created);
}

TEST_F(BlobStore, NamesWhatAFolderHolds) {
  const bytes body = body_of(2'000, 1);
  ASSERT_TRUE(put(*store, one, body).ok());
  ASSERT_TRUE(put(*store, two, body).ok());
  const std::uint8_t folder = sid_of(body).raw[0];
  auto names = *store->names(folder);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector{std::pair{one, sid_of(body)}, std::pair{two, sid_of(body)}}));
  EXPECT_TRUE(store->names(static_cast<std::uint8_t>(folder + 1))->empty());
}

}  // namespace
}  // namespace obsync::store
