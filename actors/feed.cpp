#include "actors/feed.hpp"

#include <unordered_map>
#include <vector>

#include "actors/messages.hpp"
#include "actors/spawn.hpp"

namespace obsync::actors {

namespace {

struct feed_state {
  static inline const char* name = "feed";

  struct line {
    sequence head = 0;
    std::vector<caf::actor> waiting;  // each session at most once: it waits once however many polls it parks
  };
  std::unordered_map<account_id, line> lines;

  void on_await(timed<feed_state>* self, await_account& wish) {
    line& at = lines[wish.account];
    if (at.head > wish.since) {
      self->send(wish.who, account_advanced{wish.account, at.head});
    } else {
      at.waiting.push_back(std::move(wish.who));
    }
  }

  void on_advanced(timed<feed_state>* self, const account_advanced& news) {
    line& at = lines[news.account];
    at.head = std::max(at.head, news.head);
    for (const caf::actor& session : at.waiting) self->send(session, account_advanced{news.account, at.head});
    at.waiting.clear();
  }
};

caf::behavior feed(timed<feed_state>* self) {
  log_unexpected(self, feed_state::name);
  return {
      [self](await_account& wish) { self->state.on_await(self, wish); },
      [self](const account_advanced& news) { self->state.on_advanced(self, news); },
  };
}

}  // namespace

caf::actor spawn_feed(caf::actor_system& system) {
  return system.spawn(feed);
}

}  // namespace obsync::actors
