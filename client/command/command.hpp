// The verbs of `obsync`, and what they need from the world.
#pragma once

#include <functional>
#include <memory>

#include "client/command/arguments.hpp"
#include "client/command/console.hpp"
#include "client/command/stop_request.hpp"
#include "client/sync/vault_sync.hpp"
#include "core/clock.hpp"
#include "core/random.hpp"

namespace obsync::client {

// How a folder's sync engine is opened: open_vault_sync, or a test's.
using sync_opener = std::function<result<std::unique_ptr<vault_sync>>(
    const sync_options&, const crypto::secret32& vault_root_key, remote&, clock&, random_source&)>;

struct command_context {
  console& io;
  clock& time;
  random_source& random;
  stop_request& stop;
  sync_opener open_sync;
  std::int64_t poll_ms = 1'000;  // between looks while a pairing waits for the other side
};

inline constexpr int exit_done = 0;
inline constexpr int exit_not_done = 1;
inline constexpr int exit_usage = 2;

// Runs the verb and returns the exit code. Whatever fails has been explained on the console.
int run_command(const arguments& args, command_context& context);

int run_init(const arguments& args, command_context& context);
int run_pair(const arguments& args, command_context& context);
int run_join(const arguments& args, command_context& context);
int run_recover(const arguments& args, command_context& context);
int run_sync(const arguments& args, command_context& context);
int run_watch(const arguments& args, command_context& context);
int run_export(const arguments& args, command_context& context);
int run_import(const arguments& args, command_context& context);
int run_status(const arguments& args, command_context& context);
int run_devices(const arguments& args, command_context& context);
int run_dashboard(const arguments& args, command_context& context);
int run_revoke(const arguments& args, command_context& context);

}  // namespace obsync::client
