// Every wanted file gets a name of its own. The server's order of identities decides who keeps a name, so
// that all devices decide alike; who loses it gets a conflict name, never the other's place.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "client/engine/merge.hpp"

namespace obsync::client {

// How copies are named; the format's rule in production.
class copy_namer {
 public:
  virtual ~copy_namer() = default;
  // The `number`th candidate (from 1) for a copy of `path` made from a text by `author` (nothing: this
  // device).
  virtual std::string name(std::string_view path, std::optional<device_id> author, std::int64_t ts_ms,
                           int number) const = 0;
};

struct naming {
  const copy_namer& namer;
  std::function<bool(const std::string&)> taken;  // whether a name is in use that the views may not show
  std::int64_t now_ms = 0;
  // Two known files that claim one name may be a swap of which one half has not arrived. False: wait for it.
  bool decide_now = false;
};

// The names in use after the plan, and free ones on demand.
class name_book {
 public:
  explicit name_book(const naming& rules) : rules_(rules) {}

  void claim(std::string_view path);  // a file's name; its parents become folders
  void claim_folder(std::string_view path);
  bool is_folder(std::string_view path) const { return folders_.contains(std::string(path)); }
  // A free conflict name, claimed at once.
  std::string copy_of(std::string_view path, std::optional<device_id> author, std::int64_t ts_ms);

 private:
  const naming& rules_;
  std::unordered_set<std::string> files_;
  std::unordered_set<std::string> folders_;
};

// Changes `all` in place: final paths, doubles retired, folders revived that something lies in, holds where
// it is too early to decide. True when something waits for that.
bool place_all(std::vector<wanted>& all, name_book& names, const naming& rules);

}  // namespace obsync::client
