// A device without a folder: draws what it does from the seed, keeps several requests in flight, and tells
// its account what it was told.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "client/remote/caller.hpp"
#include "tests/sim/sim_account.hpp"
#include "tests/sim/sim_server.hpp"

namespace obsync::test {

// How often something worth reaching was reached, by name.
using sim_probes = std::map<std::string, std::uint64_t>;

class sim_device {
 public:
  sim_device(sim_server& server, sim_account& account, client::credential who, std::uint64_t seed,
             sim_probes& probes);

  // Begins one act.
  void act();
  // Takes the answers that have come; returns what must never happen, said in words, or nothing.
  std::string listen();
  // The server went away: what was under way may have happened or not.
  void hang_up();
  // Requests it was answered to, exactly as they were sent: to be refused ever after.
  struct sent_request {
    client::http_request request;
    bytes body;
  };
  const std::deque<sent_request>& accepted() const { return accepted_; }
  const client::credential& who() const { return who_; }
  // Of all answers so far, for the trace.
  std::uint64_t digest() const { return digest_; }

 private:
  struct pending {
    sim_call_ptr call;
    sent_request sent;
    std::function<std::string(const sim_call&)> hear;
  };

  void send(const std::string& method, const std::string& target, bytes body,
            std::function<std::string(const sim_call&)> hear, const std::string& signed_hash = {});
  void put(std::size_t size);
  void post();
  void batch();
  void poll();
  void fetch();
  void send_again();
  void vanish();

  chunk_sid make_chunk(std::size_t size);
  std::pair<version_id, sim_version> make_version(wire::version_post& post);
  std::string hear_posted(const sim_call& call, const version_id& id);
  std::string hear_changes(const sim_call& call);
  void count(const std::string& what) { ++probes_[what]; }
  std::uint64_t draw(std::uint64_t bound) { return random_.next() % bound; }

  sim_server& server_;
  sim_account& account_;
  client::credential who_;
  seeded_random random_;
  sim_probes& probes_;
  std::deque<pending> under_way_;
  std::deque<sent_request> accepted_;
  std::vector<chunk_sid> chunks_;  // that it knows to be stored, newest last
  std::vector<file_id> files_;
  std::map<file_id, version_id> tips_;  // the newest it knows of each file
  sequence since_ = 0;
  std::uint64_t digest_ = 14'695'981'039'346'656'037u;
};

}  // namespace obsync::test
