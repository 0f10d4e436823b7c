#include "app/serve.hpp"

#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <iostream>
#include <thread>

#include "app/certificate_check.hpp"
#include "app/house.hpp"
#include "config/report.hpp"
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

// Systems allow a process more descriptors than they give it; each connection is one.
void take_all_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

sigset_t awaited_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  return set;
}

// What can change without a restart. A configuration with a fault changes nothing.
void reload(house& server, const settings_source& again) {
  server.reload_certificate();
  const auto fresh = again();
  log::line line(fresh ? log::level::info : log::level::error, "config_reload");
  line.add("decision", fresh ? "reloaded" : "kept");
  if (!fresh) line.add("reason", config::problems_text(fresh.error()));
  if (fresh) log::set_level(fresh->values.log.level);
}

// Until one of the signals that end the server.
void heed_signals(const sigset_t& signals, house& server, const settings_source& again) {
  for (;;) {
    int signal = 0;
    ::sigwait(&signals, &signal);
    if (signal != SIGHUP) return server.stop();
    reload(server, again);
  }
}

}  // namespace

int serve(const config::settings& settings, const settings_source& again) {
  keep_the_heap_flat();
  keep_secrets_in();
  take_all_descriptors();
  log::set_level(settings.log.level);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file at its limit is an error to answer, not an end
  // Blocked before any thread starts, so that only the waiting one ever sees them.
  const sigset_t signals = awaited_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  if (const status usable = check_certificate(settings); !usable) {
    std::cerr << "obsyncd: cannot start: " << usable.error().detail << "\n";
    return 2;
  }
  auto built = build_house(settings);
  if (!built) {
    std::cerr << "obsyncd: cannot start: " << built.error().detail << "\n";
    return 1;
  }
  std::thread waiter([&, &server = **built] { heed_signals(signals, server, again); });
  (*built)->run();
  waiter.join();
  return 0;
}

}  // namespace obsync::app
