// obsync: keeps folders in step with an encrypted vault. Sets up the process; the verbs are in
// client/command.
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <iostream>
#include <thread>

#include "client/command/arguments.hpp"
#include "client/command/command.hpp"

namespace {

using namespace obsync;

// Chunks are freed to the system at once instead of lingering in the heap.
constexpr int heap_threshold_bytes = 256 << 10;

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGHUP);
  return set;
}

// Turns the first stop signal into a request, and lets a second one end the process as it always did.
// Must be made before any other thread, which then inherits the blocked signals.
void listen_for_signals(client::stop_request& stop) {
  const sigset_t set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  std::thread([&stop, set] {
    int number = 0;
    sigwait(&set, &number);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    stop.request();
    for (;;) ::pause();
  }).detach();
}

int run(int count, char** words) {
  const auto args = client::parse_arguments({words + 1, words + count});
  if (!args) {
    std::cerr << args.error().text;
    return client::exit_usage;
  }
  // Outlives main: the signal thread may still hold it while the process ends.
  static client::stop_request stop;
  listen_for_signals(stop);
  client::console io({std::cin, std::cout, std::cerr}, ::isatty(STDOUT_FILENO) == 1,
                     ::isatty(STDIN_FILENO) == 1);
  system_clock time;
  system_random random;
  client::command_context context{io, time, random, stop, client::open_vault_sync};
  return client::run_command(*args, context);
}

}  // namespace

int main(int count, char** words) {
  mallopt(M_MMAP_THRESHOLD, heap_threshold_bytes);
  mallopt(M_TRIM_THRESHOLD, heap_threshold_bytes);
  // A server that hangs up must be an error of that connection, not the end of the process.
  ::signal(SIGPIPE, SIG_IGN);
  return run(count, words);
}
