#include "store/mirror_watch.hpp"

#include <utility>

#include "core/log.hpp"

namespace obsync::store {

mirror_watch::mirror_watch(mirror_failure policy, std::vector<mirror_view> mirrors)
    : policy_(policy), mirrors_(std::move(mirrors)) {}

bool mirror_watch::go_on_without(std::size_t mirror, const error& why) {
  const std::lock_guard lock(mutex_);
  mirror_view& which = mirrors_.at(mirror);
  if (policy_ == mirror_failure::refuse) {
    // A full one takes writes again as soon as it has room.
    if (why.code != errc::no_space && !refusing_) refusing_ = which.label;
    return false;
  }
  if (std::exchange(which.state, mirror_state::behind) != mirror_state::behind)
    log::line(log::level::error, "mirror_behind")
        .add("mirror", which.label)
        .add("folder", which.folder)
        .add("kind", obsync::name(why.code))
        .add("reason", why.detail);
  return true;
}

bool mirror_watch::is_behind(std::size_t mirror) const {
  const std::lock_guard lock(mutex_);
  return mirrors_.at(mirror).state == mirror_state::behind;
}

void mirror_watch::found_behind(std::size_t mirror) {
  begin_return(mirror, mirror_state::whole);
}

void mirror_watch::returns(std::size_t mirror) {
  begin_return(mirror, mirror_state::behind);
}

void mirror_watch::begin_return(std::size_t mirror, mirror_state from) {
  const std::lock_guard lock(mutex_);
  mirror_view& which = mirrors_.at(mirror);
  if (which.state != from) return;
  which.state = mirror_state::returning;
  ++which.returned;
  log::line(log::level::warn, "mirror_returning").add("mirror", which.label).add("folder", which.folder);
}

void mirror_watch::completes(std::size_t mirror, int returned) {
  const std::lock_guard lock(mutex_);
  mirror_view& which = mirrors_.at(mirror);
  if (which.state != mirror_state::returning || which.returned != returned) return;
  which.state = mirror_state::whole;
  log::line(log::level::info, "mirror_whole").add("mirror", which.label).add("folder", which.folder);
}

std::vector<mirror_view> mirror_watch::all() const {
  const std::lock_guard lock(mutex_);
  return mirrors_;
}

std::optional<std::string> mirror_watch::refusing() const {
  const std::lock_guard lock(mutex_);
  return refusing_;
}

const char* name(mirror_state state) {
  switch (state) {
    case mirror_state::whole:
      return "whole";
    case mirror_state::behind:
      return "behind";
    case mirror_state::returning:
      return "returning";
  }
  return "";
}

}  // namespace obsync::store
