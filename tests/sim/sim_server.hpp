// The whole server below the sockets, in this thread: the real wiring, stores and actors, on a simulated disk
// and a clock that is moved by hand. Which actor runs next is drawn from the seed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "app/surroundings.hpp"
#include "client/remote/transport.hpp"
#include "config/settings.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"
#include "tests/sim/sim_call.hpp"
#include "tests/support/sim_disk.hpp"
#include "tests/support/sim_vfs.hpp"

namespace obsync::test {

class sim_server {
 public:
  explicit sim_server(std::uint64_t seed);
  ~sim_server();

  // False when its stores cannot be opened, as on a disk that fails; `why` says it. Waits (in simulated time)
  // as long as the real one before it lets anybody in.
  bool start();
  // SIGTERM: settles and leaves the mark of a clean stop, where the disk lets it.
  void stop();
  // The power goes. What was not flushed is dropped or torn.
  void crash(cut how);
  bool is_running() const { return life_ != nullptr; }
  // It will answer nothing any more until it is started again.
  bool is_faulted() const;
  const std::string& why() const { return why_; }

  // A request as http/ would make it; a body above the inline limit is sent in slices.
  sim_call_ptr submit(const client::http_request& request);
  // At most so many messages are handled, in the seed's order.
  void run_some(std::uint64_t messages);
  // Until nothing is left to do at this moment.
  void run();
  void advance(std::int64_t ms);
  // Runs, and lets time pass where nothing else moves, until it is answered; false after `ms`.
  bool await(const sim_call& call, std::int64_t ms);

  void collect_garbage();
  void scrub();

  std::string setup_token() const;
  // With which one more account can be set up.
  std::string invite(const std::string& name);

  // Handled by actors so far, in all lives.
  std::uint64_t messages() const { return messages_; }
  sim_disk& files() { return *disk_; }
  manual_clock& time() { return *time_; }
  const config::settings& settings() const { return settings_; }

 private:
  struct life;

  void drain();
  void end_life();

  seeded_random order_;
  std::shared_ptr<sim_disk> disk_;
  sim_vfs vfs_;
  std::shared_ptr<manual_clock> time_;
  app::surroundings around_;
  config::settings settings_;
  bool was_started_ = false;
  std::uint64_t messages_ = 0;
  std::string why_;
  std::unique_ptr<life> life_;
};

// The client's way to it: one exchange at a time, in simulated time.
class sim_transport final : public client::transport {
 public:
  explicit sim_transport(sim_server& to) : to_(to) {}
  client::exchange_result exchange(const client::http_request& request,
                                   const client::exchange_limits& limits) override;
  void stop() override {}

 private:
  sim_server& to_;
};

}  // namespace obsync::test
