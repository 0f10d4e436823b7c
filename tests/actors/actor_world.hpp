// A world for one actor under test: CAF's test scheduler, where nothing runs until told to and time moves by
// hand, and calls that remember their answer.
#pragma once

#include <gtest/gtest.h>
#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/all.hpp>
#include <caf/scheduler/test_coordinator.hpp>

#include <memory>
#include <optional>
#include <vector>

#include "actors/messages.hpp"
#include "actors/ports.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"

namespace obsync::actors {

class recorded_call final : public call {
 public:
  explicit recorded_call(request&& from) : call(std::move(from)) {}

  bool has_answer() const { return got_.has_value(); }
  const reply& got() const { return *got_; }
  int status() const { return got_ ? got_->status : 0; }
  std::string decision() const { return got_ ? got_->decision : ""; }
  std::string text() const {
    const auto* body = got_ ? std::get_if<text_body>(&got_->body) : nullptr;
    return body == nullptr ? "" : body->text;
  }

 protected:
  void deliver(reply&& value) override { got_ = std::move(value); }

 private:
  std::optional<reply> got_;
};

using recorded_call_ptr = std::shared_ptr<recorded_call>;

inline recorded_call_ptr make_call(route where, std::vector<std::string> params = {}, std::string body = {}) {
  request req;
  req.where = where;
  req.method = "POST";
  req.target = "/";
  req.params = std::move(params);
  req.body = std::move(body);
  return std::make_shared<recorded_call>(std::move(req));
}

class actor_world : public testing::Test {
 protected:
  actor_world() {
    config_.set("scheduler.policy", caf::atom("testing"));
    config_.set("logger.console", caf::atom("none"));
    system_ = std::make_unique<caf::actor_system>(config_);
    scheduler_ = dynamic_cast<caf::scheduler::test_coordinator*>(&system_->scheduler());
  }

  ~actor_world() override {
    for (const caf::actor& who : spawned_) caf::anon_send_exit(who, caf::exit_reason::kill);
    spawned_.clear();
    run();
  }

  // Ends with the test.
  caf::actor keep(caf::actor who) {
    spawned_.push_back(who);
    return who;
  }

  void run() { scheduler_->run(); }
  void advance(std::chrono::milliseconds by) {
    time_->advance_ms(by.count());
    scheduler_->advance_time(by);
    run();
  }

  caf::actor_system_config config_;
  std::unique_ptr<caf::actor_system> system_;
  caf::scheduler::test_coordinator* scheduler_ = nullptr;
  std::vector<caf::actor> spawned_;
  std::shared_ptr<manual_clock> time_ = std::make_shared<manual_clock>(1'757'200'000'000);
};

}  // namespace obsync::actors
