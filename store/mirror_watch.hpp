// How each mirror of the chunks is doing, and what becomes of a write that one of them does not take. Any
// thread.
//
//   whole      has every chunk, and takes every write
//   behind     failed a write: it is passed over, and lacks what was stored since
//   returning  takes writes again; a whole pass of the scrub brings back what it lacks
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace obsync::store {

enum class mirror_failure {
  refuse,   // nothing is stored that is not on every mirror
  degrade,  // goes on without it, loudly
};

enum class mirror_state { whole, behind, returning };

struct mirror_view {
  std::string label;   // the operator's word
  std::string folder;  // its `v1`
  mirror_state state = mirror_state::whole;
  int returned = 0;  // how often it came back
};

class mirror_watch {
 public:
  mirror_watch(mirror_failure policy, std::vector<mirror_view> mirrors);

  // A mirror failed: true when the write goes on without it, which is behind from then on. Logged once until
  // it is whole again.
  bool go_on_without(std::size_t mirror, const error& why);
  bool is_behind(std::size_t mirror) const;
  // Known from an earlier run.
  void found_behind(std::size_t mirror);
  // Behind no longer, if it was; lacks what it missed.
  void returns(std::size_t mirror);
  // Has everything, if it is still returning for that time.
  void completes(std::size_t mirror, int returned);

  std::vector<mirror_view> all() const;
  // The first mirror that refused a write, where that refuses it altogether: nothing heals it but a restart.
  std::optional<std::string> refusing() const;

 private:
  void begin_return(std::size_t mirror, mirror_state from);

  const mirror_failure policy_;
  mutable std::mutex mutex_;
  std::vector<mirror_view> mirrors_;
  std::optional<std::string> refusing_;
};

const char* name(mirror_state state);

}  // namespace obsync::store
