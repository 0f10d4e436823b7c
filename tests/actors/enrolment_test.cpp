#include "actors/enrolment.hpp"

#include "actors/setup.hpp"
#include "tests/actors/actor_world.hpp"
#include "tests/support/sim_disk.hpp"
#include "wire/setup.hpp"

namespace obsync::actors {
namespace {

class Enrolment : public actor_world {};

// The front here never gets round to what it is told, as a busy one may for a while.
TEST_F(Enrolment, ConnectionsExpectADeviceAtOnceHoweverSlowTheFrontIs) {
  setup_deps deps;
  const auto directory = std::make_shared<device_directory>();
  deps.enrolment = {time_, std::make_shared<seeded_random>(1), {}, directory};
  deps.front = keep(system_->spawn([](caf::event_based_actor*) -> caf::behavior {
    return {[](const device_added&) {}, [](const owner_known&) {}};
  }));
  deps.journal = keep(system_->spawn([](caf::event_based_actor*) -> caf::behavior {
    return {[](const commit_request_ptr&) {
      auto reply = std::make_shared<commit_reply>();
      reply->outcomes.push_back(store::commit_outcome(store::committed{}));
      return reply;
    }};
  }));
  test::sim_disk disk;
  deps.heads = std::make_shared<account_heads>();
  deps.space = std::make_shared<store::room>(disk, "/blobs", 1'000'000, store::watermark{0, 0});
  deps.readers = std::make_shared<worker_pool>(std::vector<caf::actor>{deps.journal});
  const std::string token = deps.setup_token.hex();
  const caf::actor setup = keep(spawn_setup(*system_, std::move(deps)));
  const auto call =
      make_call(route::setup, {},
                wire::to_json(wire::setup_request{token, "family", {"laptop", "linux", "1"}, {}, {}}));
  caf::anon_send(setup, public_call{call});
  run();
  ASSERT_EQ(call->status(), 201) << call->text();
  const auto made = wire::from_json<wire::setup_answer>(call->text());
  ASSERT_TRUE(made);
  EXPECT_TRUE(
      directory->expects({made->device.hex(), "1757200000", std::string(32, 'a'), std::string(64, 'b')}));
}

}  // namespace
}  // namespace obsync::actors
