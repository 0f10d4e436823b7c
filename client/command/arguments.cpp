#include "client/command/arguments.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "client/command/help_text.hpp"
#include "client/command/moment.hpp"
#include "client/remote/endpoint.hpp"

namespace obsync::client {

namespace {

void add_server(CLI::App& app, arguments& out) {
  app.add_option("--server", out.server)->required()->check([](const std::string& url) {
    const auto read = parse_endpoint(url);
    return read ? std::string() : read.error().detail;
  });
  app.add_option("--ca", out.ca_file);
  app.add_option("--name", out.device_name);
}

void add_token(CLI::App& app, arguments& out) {
  auto* given = app.add_option("--token", out.token.given);
  app.add_option("--token-file", out.token.file)->excludes(given);
}

void add_folder(CLI::App& app, arguments& out) {
  app.add_option("FOLDER", out.folder)->required();
}

CLI::App& add_verb(CLI::App& app, arguments& out, const char* word, verb what) {
  CLI::App& added = *app.add_subcommand(word);
  added.set_help_flag();
  added.fallthrough();
  added.callback([&out, what] { out.what = what; });
  return added;
}

void describe_enrolment(CLI::App& app, arguments& out) {
  CLI::App& init = add_verb(app, out, "init", verb::init);
  add_server(init, out);
  add_token(init, out);
  init.add_option("--account", out.account_name);
  init.add_option("--phrase-file", out.phrase_file);
  add_folder(init, out);

  CLI::App& pair = add_verb(app, out, "pair", verb::pair);
  pair.add_flag("--yes", out.yes);
  add_folder(pair, out);

  CLI::App& join = add_verb(app, out, "join", verb::join);
  add_server(join, out);
  auto* code = join.add_option("--code", out.code.given);
  join.add_option("--code-file", out.code.file)->excludes(code);
  add_folder(join, out);

  CLI::App& recover = add_verb(app, out, "recover", verb::recover);
  add_server(recover, out);
  add_token(recover, out);
  recover.add_option("--phrase-file", out.phrase_file)->required();
  add_folder(recover, out);
}

void describe_daily_life(CLI::App& app, arguments& out) {
  CLI::App& sync = add_verb(app, out, "sync", verb::sync);
  sync.add_flag("--verify", out.verify);
  add_folder(sync, out);
  add_folder(add_verb(app, out, "watch", verb::watch), out);
  CLI::App& status = add_verb(app, out, "status", verb::status);
  status.add_flag("--json", out.json);
  add_folder(status, out);

  CLI::App& devices = add_verb(app, out, "devices", verb::devices);
  devices.add_flag("--json", out.json);
  devices.add_option("--folder", out.folder);
  add_verb(app, out, "dashboard", verb::dashboard).add_option("--folder", out.folder);
  CLI::App& revoke = add_verb(app, out, "revoke", verb::revoke);
  revoke.add_flag("--yes", out.yes);
  revoke.add_option("--folder", out.folder);
  revoke.add_option("DEVICE", out.device)->required();

  add_verb(app, out, "version", verb::version);
  add_verb(app, out, "help", verb::help).add_option("VERB", out.topic);
}

void describe_taking_out(CLI::App& app, arguments& out) {
  CLI::App& take = add_verb(app, out, "export", verb::take_out);
  auto* at = take.add_option("--at", out.at)->check([](const std::string& text) {
    const auto read = parse_moment(text);
    return read ? std::string() : read.error().detail;
  });
  auto* archive = take.add_option("--archive", out.archive);
  auto* sealed = take.add_option("--sealed", out.sealed)->excludes(at)->excludes(archive);
  add_folder(take, out);
  take.add_option("OUT", out.out)->excludes(sealed);

  CLI::App& bring = add_verb(app, out, "import", verb::bring_in);
  bring.add_option("--under", out.under);
  bring.add_flag("--dry-run", out.dry_run);
  bring.add_option("SOURCE", out.source)->required();
  add_folder(bring, out);
}

bool asks_for_help(const std::string& word) {
  return word == "--help" || word == "-h";
}

}  // namespace

result<arguments, usage_error> parse_arguments(const std::vector<std::string>& words) {
  arguments out;
  CLI::App app;
  app.set_help_flag();
  app.require_subcommand(1);
  app.add_option("--home", out.home);
  describe_enrolment(app, out);
  describe_daily_life(app, out);
  describe_taking_out(app, out);

  if (words.empty()) return usage_error{help_text("")};
  if (std::any_of(words.begin(), words.end(), asks_for_help)) {
    out.what = verb::help;
    const auto topic = std::find_if(words.begin(), words.end(), is_help_topic);
    if (topic != words.end()) out.topic = *topic;
    return out;
  }
  if (words.front() == "--version") {
    out.what = verb::version;
    return out;
  }
  try {
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // as the library wants them
    app.parse(reversed);
  } catch (const CLI::ParseError& wrong) {
    const auto topic = std::find_if(words.begin(), words.end(), is_help_topic);
    const std::string more = topic == words.end() ? "" : " " + *topic;
    return usage_error{"obsync: " + std::string(wrong.what()) + "\ntry `obsync help" + more + "`\n"};
  }
  if (out.what == verb::take_out && !out.sealed && out.out.empty()) {
    return usage_error{
        "obsync: export needs the folder OUT to write into, or --sealed FILE\ntry `obsync help export`\n"};
  }
  if (out.what == verb::help && !out.topic.empty() && !is_help_topic(out.topic)) {
    return usage_error{"obsync: there is no verb `" + out.topic + "`\ntry `obsync help`\n"};
  }
  return out;
}

}  // namespace obsync::client
