#include "app/operator_verbs.hpp"

#include <iostream>

#include "app/control_client.hpp"
#include "app/control_socket.hpp"
#include "app/operator_report.hpp"
#include "app/operator_words.hpp"
#include "app/with_settings.hpp"

namespace obsync::app {

const char* const operator_help =
    R"(while the server runs, as its user or root (each takes --json)
  account invite --name NAME [--quota SIZE] [--expires 7d]
                 print a token with which one person sets up an account of their own, once
  account list   every account: its state, what it uses, what it may use
  account quota ACCOUNT SIZE|none
  account rename ACCOUNT NAME
  account disable ACCOUNT
                 refuse its devices from now on; nothing is lost
  account enable ACCOUNT
                 let them in again; also takes a deletion back
  account delete ACCOUNT [--yes]
                 refuse its devices from now on and remove its data after 7 days
  device list [--account ACCOUNT]
  device revoke DEVICE [--account ACCOUNT] [--force]
                 shut one device out for good; the last one only with --force
  device role DEVICE ro|rw [--account ACCOUNT]
                 let a device read only, or read and write
  audit [--account ACCOUNT] [--limit N]
                 who did what and when, newest first
  gc run         let go now of versions that retention does not keep and of chunks nobody needs
  gc status      whether that is being done, and what came of it last
  scrub run      begin to look at every stored chunk now, at the pace of scrub.rate
  scrub status   whether that is being done, and what came of it last
  ACCOUNT is a name or the beginning of an id, DEVICE at least four digits of an id.
)";

namespace {

constexpr int done = 0;
constexpr int failed = 1;
constexpr int bad_usage = 2;

int complain(const std::string& text) {
  std::cerr << "obsyncd: " << text << "\n";
  return failed;
}

// Whether to go on. No answer is a no.
bool confirm_deletion(const std::string& account) {
  std::cerr << "Delete account '" << account
            << "'? Its devices are refused from now on. Its data goes after 7 "
               "days; until then\n`obsyncd account enable` takes this back. Type yes to go on: ";
  std::string answer;
  return std::getline(std::cin, answer) && answer == "yes";
}

template <class Answer>
int print(const std::string& json) {
  const auto answer = wire::from_json<Answer>(json);
  if (!answer) return complain("the server's answer could not be read; do both have the same version?");
  std::cout << report(*answer);
  return done;
}

int print_invitation(const std::string& json) {
  const auto answer = wire::from_json<wire::invitation_answer>(json);
  if (!answer) return complain("the server's answer could not be read; do both have the same version?");
  std::cout << answer->token.hex() << "\n";
  std::cerr
      << "This token sets up the account '" << answer->name << "', once, until "
      << time_text(answer->expires_ms)
      << " UTC.\nIt is entered where a setup token is asked for. Keep it: together with the vault's recovery "
         "phrase\nit also brings a lost account back.\n";
  return done;
}

int show(const operator_words& words, const std::string& json) {
  if (const auto refused = wire::parse_refusal_answer(json)) {
    return complain(refused->detail.empty() ? refused->word : refused->detail);
  }
  if (words.json) {
    std::cout << json << "\n";
    return done;
  }
  switch (words.wish.verb) {
    case wire::control_verb::account_invite:
      return print_invitation(json);
    case wire::control_verb::device_list:
    case wire::control_verb::device_revoke:
    case wire::control_verb::device_role:
      return print<wire::device_entries>(json);
    case wire::control_verb::audit:
      return print<wire::audit_entries>(json);
    case wire::control_verb::gc_run:
      std::cout << "asked for; `obsyncd gc status` says what came of it\n";
      return done;
    case wire::control_verb::scrub_run:
      std::cout << "asked for; `obsyncd scrub status` says what came of it\n";
      return done;
    case wire::control_verb::scrub_status:
      return print<wire::scrub_view>(json);
    case wire::control_verb::gc_status:
      return print<wire::collection_view>(json);
    default:
      return print<wire::account_entries>(json);
  }
}

int ask(const config::settings& settings, const operator_words& asked) {
  if (asked.wish.verb == wire::control_verb::account_delete && !asked.yes &&
      !confirm_deletion(asked.wish.account.value_or("")))
    return complain("nothing was deleted");
  const std::string path = control_path(settings.store.journal_dir);
  const auto answer = ask_running_server(path, wire::to_json(asked.wish));
  if (answer) return show(asked, *answer);
  if (answer.error().code == errc::unavailable)
    return complain(
        answer.error().detail +
        "; this needs the running server. Start it: `systemctl start obsyncd`, or `obsyncd serve`");
  return complain(answer.error().detail);
}

}  // namespace

int run_operator_verb(const std::string& group, const std::vector<std::string>& words) {
  const auto parsed = parse_operator_words(group, words);
  if (!parsed) {
    std::cerr << "obsyncd: " << parsed.error().detail << "\n";
    return bad_usage;
  }
  return with_settings(parsed->options,
                       [&](const config::loaded& from) { return ask(from.values, *parsed); });
}

}  // namespace obsync::app
