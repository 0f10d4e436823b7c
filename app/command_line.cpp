#include "app/command_line.hpp"

#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "app/backup_verb.hpp"
#include "app/certificate_check.hpp"
#include "app/check_verb.hpp"
#include "app/doctor_verb.hpp"
#include "app/export_verb.hpp"
#include "app/healthcheck.hpp"
#include "app/operator_verbs.hpp"
#include "app/operator_words.hpp"
#include "app/serve.hpp"
#include "app/tls_verb.hpp"
#include "app/version.hpp"
#include "app/with_settings.hpp"
#include "config/load.hpp"
#include "config/report.hpp"
#include "core/disk.hpp"
#include "core/error.hpp"
#include "store/secrets.hpp"

namespace obsync::app {

namespace {

constexpr int done = 0;
constexpr int failed = 1;
constexpr int bad_usage = 2;

constexpr const char* help_text =
    R"(obsyncd - the obsync server: keeps sealed notes and files of several devices in step

usage: obsyncd [VERB] [--config FILE] [--section.name=VALUE ...]

verbs
  serve          answer devices until stopped (what happens without a verb)
  setup-token    print the token that sets up the first device
  healthcheck    ask the running server whether it is ready; exit 0 when it is
  check [--deep] [--repair] [--json]
                 look through the whole store, beside a running server too: databases, posture, every chunk that
                 a version names; --deep also compares every chunk's bytes with its name. --repair first puts
                 right what can be: modes, and wrong or missing copies of which another copy is right
  doctor [--json]
                 what could go wrong and what to do about it: posture, room, flushes, clock, reachability,
                 certificate, and what the last scrub found
  tls self-signed --name HOST [--name HOST ...] --out DIR
                 make a private certificate authority and a certificate for HOST, or renew it
  config check   say what is wrong with the configuration, if anything
  config show    print every option, its value and where the value comes from
  version        print the version
  help           print this

)";

constexpr const char* options_text =
    R"(
Options come from FILE (default /etc/obsync/obsyncd.conf where it exists), then from OBSYNC_* variables, then from
the command line; the later wins. config/obsyncd.conf in the source lists them all.
)";

int fail(const error& reason) {
  std::cerr << "obsyncd: " << reason.detail << "\n";
  return failed;
}

int setup_token(const config::settings& settings) {
  const auto files = make_posix_disk();
  const auto token = store::read_setup_token(*files, settings.store.journal_dir + "/v1");
  if (!token && token.error().code == errc::not_found) {
    std::cerr << "obsyncd: there is no setup token in " << settings.store.journal_dir
              << " yet; start the server once with `obsyncd serve`\n";
    return failed;
  }
  if (!token) return fail(token.error());
  std::cout << token->hex() << "\n";
  return done;
}

int config_verb(const std::vector<std::string>& rest) {
  const std::string what = rest.empty() ? "" : rest.front();
  const std::vector<std::string> options(rest.begin() + (rest.empty() ? 0 : 1), rest.end());
  if (what == "sample") {
    std::cout << config::sample_text();
    return done;
  }
  if (what == "show")
    return with_settings(options, [](const config::loaded& from) {
      std::cout << config::show_text(from);
      return done;
    });
  if (what == "check")
    return with_settings(options, [](const config::loaded& from) {
      if (const status usable = check_certificate(from.values); !usable) {
        std::cerr << usable.error().detail << "\n";
        return bad_usage;
      }
      std::cout << "the configuration is in order\n";
      return done;
    });
  std::cerr << "obsyncd: `config` takes `check` or `show`\n";
  return bad_usage;
}

}  // namespace

int run_command_line(const std::vector<std::string>& arguments) {
  std::string verb = "serve";
  std::vector<std::string> rest = arguments;
  if (!rest.empty() && !rest.front().starts_with("--")) {
    verb = rest.front();
    rest.erase(rest.begin());
  }
  if (verb == "help" || (!arguments.empty() && arguments.front() == "--help")) {
    std::cout << help_text << backup_help << "\n" << export_help << "\n" << operator_help << options_text;
    return done;
  }
  if (verb == "version" || (!arguments.empty() && arguments.front() == "--version")) {
    std::cout << "obsyncd " << version_text << "\n";
    return done;
  }
  if (verb == "config") return config_verb(rest);
  if (verb == "tls") return tls_verb(rest);
  if (verb == "check") return run_check_verb(rest);
  if (verb == "doctor") return run_doctor_verb(rest);
  if (verb == "export") return run_export_verb(rest);
  if (verb == "backup") return run_backup_verb(rest);
  if (is_operator_group(verb)) return run_operator_verb(verb, rest);
  if (verb == "serve")
    return with_settings(rest, [&rest](const config::loaded& from) {
      return serve(from.values, [&rest] { return config::load_from_system(rest, ::environ); });
    });
  if (verb == "setup-token")
    return with_settings(rest, [](const config::loaded& from) { return setup_token(from.values); });
  if (verb == "healthcheck")
    return with_settings(rest, [](const config::loaded& from) { return healthcheck(from.values); });
  std::cerr << "obsyncd: unknown verb '" << verb << "'; see `obsyncd help`\n";
  return bad_usage;
}

}  // namespace obsync::app
