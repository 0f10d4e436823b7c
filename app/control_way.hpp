// How to name the operator's socket to the kernel, whose names for sockets are short: at most 107 characters,
// while a journal may lie deeper than that.
#pragma once

#include <string>

#include "core/result.hpp"

namespace obsync::app {

class control_way {
 public:
  // errc::not_found when the folder of `path` cannot be opened.
  static result<control_way> to(const std::string& path);
  control_way(control_way&& other) noexcept;
  control_way& operator=(control_way&&) = delete;
  ~control_way();

  // Good for bind and connect while this object lives.
  const std::string& name() const { return name_; }

 private:
  control_way(std::string name, int folder) : name_(std::move(name)), folder_(folder) {}

  std::string name_;
  int folder_ = -1;  // open while the name leads through it
};

}  // namespace obsync::app
