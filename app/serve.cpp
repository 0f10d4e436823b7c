#include "app/serve.hpp"

#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <iostream>
#include <thread>

#include "app/house.hpp"
#include "core/log.hpp"

namespace obsync::app {

namespace {

// Large blocks go back to the system as soon as they are free; without this the heap keeps what a burst
// needed.
void keep_the_heap_flat() {
  ::mallopt(M_MMAP_THRESHOLD, 256 << 10);
  ::mallopt(M_TRIM_THRESHOLD, 256 << 10);
}

// Secrets live in this process: no core file, and nothing it creates is for other users.
void keep_secrets_in() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  ::umask(0077);
}

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

}  // namespace

int serve(const config::settings& settings) {
  keep_the_heap_flat();
  keep_secrets_in();
  log::set_level(settings.log.level);
  std::signal(SIGPIPE, SIG_IGN);
  // Blocked before any thread starts, so that only the waiting one ever sees them.
  const sigset_t signals = stop_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  auto built = build_house(settings);
  if (!built) {
    std::cerr << "obsyncd: cannot start: " << built.error().detail << "\n";
    return 1;
  }
  std::thread waiter([&signals, &server = **built] {
    int signal = 0;
    ::sigwait(&signals, &signal);
    server.stop();
  });
  (*built)->run();
  waiter.join();
  return 0;
}

}  // namespace obsync::app
