// A family as it lives: three accounts of two devices each, all watching through Caddy with TLS, while
// strangers do to the server whatever they can think of.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "tests/e2e/device.hpp"
#include "tests/e2e/raw_http.hpp"
#include "tests/support/front_process.hpp"
#include "tests/support/sanitized.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {
namespace {

// Garbage, forged signatures, unknown paths, declared bodies and silence, at full speed until it goes.
class strangers {
 public:
  explicit strangers(std::uint16_t port) {
    client::credential nobody;
    nobody.device.raw.fill(3);
    flood(port, std::string(4'000, '\x7f') + "\r\n\r\n");
    flood(port, signed_by(nobody, "GET", "/v1/account").text());
    flood(port, "GET /no/such/path HTTP/1.1\r\nHost: a\r\n\r\n");
    threads_.emplace_back([this, port] { hold_on(port); });
  }
  ~strangers() {
    over_ = true;
    for (std::thread& one : threads_) one.join();
  }

 private:
  void flood(std::uint16_t port, const std::string& text) {
    threads_.emplace_back([this, port, text] {
      while (!over_) exchange(port, text);
    });
  }

  // Connections that declare a body and send none, held until there are many, then let go.
  void hold_on(std::uint16_t port) {
    while (!over_) {
      std::vector<std::unique_ptr<raw_connection>> held;
      for (int i = 0; i < 300 && !over_; ++i) {
        held.push_back(std::make_unique<raw_connection>(port));
        held.back()->send(i % 2 == 0 ? "POST /v1/setup HTTP/1.1\r\nHost: a\r\nContent-Length: 16384\r\n\r\n{"
                                     : "GET /");
      }
    }
  }

  std::atomic<bool> over_ = false;
  std::vector<std::thread> threads_;
};

struct household {
  device one;
  device two;
};

TEST(Family, SixDevicesOfThreeAccountsSyncThroughCaddyWhileStrangersRage) {
  const scratch_folder scratch;
  const std::string program = std::string(OBSYNC_BINARY_DIR) + "/obsyncd";
  const finished made = run_to_end(
      program, {"tls", "self-signed", "--name", "localhost", "--out", scratch / "tls"}, scratch / "tls.log");
  ASSERT_EQ(made.status, 0) << made.output;
  server_process server(scratch.path());
  ASSERT_TRUE(server.start());
  front_process front(front_kind::caddy, scratch / "front", scratch / "tls/server.crt",
                      scratch / "tls/server.key");
  if (!front.installed()) GTEST_SKIP() << "caddy is not installed; scripts/bootstrap does it";
  ASSERT_TRUE(front.start(server.port()));
  const std::size_t descriptors = server.running().open_descriptors();
  {
    const strangers crowd(server.port());
    std::vector<household> families;
    std::vector<process> watchers;
    for (const std::string name : {"anna", "bob", "cleo"}) {
      families.push_back({device(scratch.path(), name + "-1"), device(scratch.path(), name + "-2")});
      auto& [one, two] = families.back();
      one.trust(scratch / "tls/ca.crt");
      two.trust(scratch / "tls/ca.crt");
      const finished enrolled = one.init(front.url(), server.invite(name));
      ASSERT_EQ(enrolled.status, 0) << enrolled.output;
      ASSERT_NO_FATAL_FAILURE(one.pair(two, front.url()));
      for (const device* each : {&one, &two}) watchers.push_back(each->start({"watch", each->root()}));
    }
    for (int i = 0; i < 50; ++i) {
      for (const household& family : families) {
        family.one.write("from the first/" + std::to_string(i) + ".md", "note " + std::to_string(i));
        family.two.write("from the second/" + std::to_string(i) + ".md", "note " + std::to_string(i));
      }
    }
    for (const household& family : families) {
      family.one.write("photo.jpg", std::string(3'000'000, 'p'));
      EXPECT_TRUE(eventually([&] {
        const file_tree tree = family.one.tree();
        return tree.size() == 103 && difference(tree, family.two.tree()).empty();
      })) << difference(family.one.tree(), family.two.tree());
    }
    for (process& one : watchers) one.signal(SIGINT);
    for (process& one : watchers) EXPECT_EQ(one.wait(), 0) << one.output();
  }
  EXPECT_LT(server.running().peak_resident_bytes(), memory_max);
  // Caddy keeps a few connections for later.
  EXPECT_TRUE(eventually([&] { return server.running().open_descriptors() <= descriptors + 40; }))
      << server.running().open_descriptors() << " open, " << descriptors << " at first";
  EXPECT_LT(server.log().size(), 2u << 20);
}

}  // namespace
}  // namespace obsync::test
