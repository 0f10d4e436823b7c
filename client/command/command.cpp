#include "client/command/command.hpp"

#include "client/command/help_text.hpp"
#include "client/version.hpp"

namespace obsync::client {

int run_command(const arguments& args, command_context& context) {
  switch (args.what) {
    case verb::init:
      return run_init(args, context);
    case verb::pair:
      return run_pair(args, context);
    case verb::join:
      return run_join(args, context);
    case verb::recover:
      return run_recover(args, context);
    case verb::sync:
      return run_sync(args, context);
    case verb::watch:
      return run_watch(args, context);
    case verb::status:
      return run_status(args, context);
    case verb::take_out:
      return run_export(args, context);
    case verb::bring_in:
      return run_import(args, context);
    case verb::devices:
      return run_devices(args, context);
    case verb::dashboard:
      return run_dashboard(args, context);
    case verb::revoke:
      return run_revoke(args, context);
    case verb::help:
      context.io.say(help_text(args.topic));
      return exit_done;
    case verb::version:
      context.io.say("obsync " + std::string(version));
      return exit_done;
  }
  return exit_usage;
}

}  // namespace obsync::client
