#include "app/progress_line.hpp"

#include <unistd.h>

#include <iostream>

namespace obsync::app {

namespace {

constexpr std::chrono::seconds quiet{2};
constexpr std::chrono::milliseconds on_terminal{200};
constexpr std::chrono::seconds elsewhere{10};

}  // namespace

progress_line::progress_line() : terminal_(::isatty(STDERR_FILENO) == 1) {}

progress_line::~progress_line() {
  if (said_ && terminal_) std::cerr << "\r\x1b[K" << std::flush;
}

void progress_line::say(const std::string& text) {
  const auto now = clock::now();
  if (now - begun_ < quiet) return;
  const auto pause = terminal_ ? clock::duration(on_terminal) : clock::duration(elsewhere);
  if (said_ && now - last_ < pause) return;
  last_ = now;
  said_ = true;
  if (terminal_) {
    std::cerr << "\r\x1b[K" << text << std::flush;
  } else {
    std::cerr << text << "\n";
  }
}

}  // namespace obsync::app
