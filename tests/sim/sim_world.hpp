// Two accounts with two devices each around one simulated server, and everything that can befall them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/sim/sim_account.hpp"
#include "tests/sim/sim_device.hpp"
#include "tests/sim/sim_server.hpp"

namespace obsync::test {

class sim_world {
 public:
  // `told`: prints what happens to the server.
  sim_world(std::uint64_t seed, sim_probes& probes, bool told);
  ~sim_world();

  // The whole life; what must never happen, said in words, or nothing.
  std::string live();
  void end();
  std::uint64_t steps() const { return step_; }
  // Equal for equal lives.
  std::uint64_t trace() const;

 private:
  struct family {
    std::unique_ptr<sim_account> account = std::make_unique<sim_account>();
    std::vector<std::unique_ptr<sim_device>> devices;
  };

  bool set_up();
  bool set_up_family(const std::string& token);
  std::string step();
  void befall();
  std::string listen();
  std::string restart();
  // --- after a restart
  std::string verify();
  std::string verify_versions(family& of);
  std::string verify_chunks(family& of);
  std::string verify_replays(family& of);
  std::string verify_usage(family& of);
  std::string verify_store();

  std::uint64_t draw(std::uint64_t bound) { return random_.next() % bound; }
  void count(const std::string& what);

  seeded_random random_;
  sim_probes& probes_;
  const bool told_;
  std::unique_ptr<sim_server> server_;
  std::vector<family> families_;
  std::uint64_t step_ = 0;
  bool dies_ = false;
  bool fails_ = false;
};

}  // namespace obsync::test
