#include "client/command/bound_folder.hpp"
#include "client/command/new_binding.hpp"
#include "client/command/progress.hpp"
#include "client/command/qr_text.hpp"
#include "client/pairing/claimant.hpp"
#include "client/pairing/creator.hpp"
#include "client/remote/remote_text.hpp"

namespace obsync::client {

namespace {

constexpr retry_policy some_patience{.attempts_max = 3};

pairing_waits waits_of(server_link& link, command_context& context, const std::string& for_what) {
  return {link.pauses(), context.time, context.poll_ms, [&context, for_what](std::int64_t seconds_left) {
            context.io.flash(for_what + " (" + duration_text(seconds_left) + " left)");
          }};
}

void show_code(const pairing_code& code, const binding& bound, console& io) {
  const std::string text = to_text(code);
  const std::string link = to_link(code);
  if (io.out_is_terminal) {
    if (const auto qr = qr_text(link)) io.say(*qr);
  }
  io.say("pairing code, good for ten minutes and for one device:\n\n" + text + "\n\n" + link + "\n");
  io.say("on the other device:  obsync join --server " + bound.server.url() + " --code - FOLDER");
}

}  // namespace

int run_pair(const arguments& args, command_context& context) {
  console& io = context.io;
  auto folder = find_bound_folder(args);
  if (!folder) return give_up(io, folder.error());
  auto link = link_to(folder->bound, context, some_patience);
  if (!link) return give_up(io, link.error());
  const stop_request::listener listener(context.stop, [&] { (*link)->stop(); });

  pairing_creator creator((*link)->routes(), context.random,
                          waits_of(**link, context, "waiting for the other device"));
  const auto code = creator.open();
  if (!code) return give_up(io, code.error());
  show_code(*code, folder->bound, io);

  const auto who = creator.wait_for_visitor();
  if (!who) return give_up(io, who.error());
  io.say("\"" + who->card.name + "\" (" + who->card.platform + ", " + who->card.app_version +
         ") asks to come in");
  io.say("match code: " + who->match_code);
  if (!args.yes && !io.confirm("Does the other device show the same code, and shall it have the vault?")) {
    const auto rejected = creator.reject();
    if (!rejected) return give_up(io, rejected.error());
    io.say("turned away");
    return exit_not_done;
  }
  if (const auto approved = creator.approve(folder->bound.vault_key); !approved) {
    return give_up(io, approved.error());
  }
  if (const auto collected = creator.wait_for_collection(); !collected) return give_up(io, collected.error());
  io.say("paired with \"" + who->card.name + "\"");
  return exit_done;
}

int run_join(const arguments& args, command_context& context) {
  console& io = context.io;
  const auto text = read_secret(args.code, "code", "OBSYNC_CODE", io);
  if (!text) return give_up(io, text.error());
  const auto code = parse_pairing_code(*text);
  if (!code) return give_up(io, code.error());
  auto plan = prepare_binding(args, io);
  if (!plan) return give_up(io, plan.error());
  auto stranger = link_to(*plan, context, {});
  if (!stranger) return give_up(io, stranger.error());
  const stop_request::listener stops_stranger(context.stop, [&] { (*stranger)->stop(); });
  if (const auto there = check_server(**stranger); !there) return give_up(io, there.error());
  auto claim = claim_pairing((*stranger)->open_routes(), *code, plan->device);
  if (!claim) return give_up(io, claim.error());

  const credential who = claim->who;
  auto link = link_to(*plan, context, who);
  if (!link) return give_up(io, link.error());
  const stop_request::listener stops_link(context.stop, [&] { (*link)->stop(); });
  pairing_claimant claimant((*link)->routes(), *std::move(claim),
                            waits_of(**link, context, "waiting for approval"));
  const auto match = claimant.wait_for_match_code();
  if (!match) return give_up(io, match.error());
  io.say("match code: " + *match);
  io.say("approve this device there only if it shows the same code");
  const auto key = claimant.wait_for_key();
  if (!key) return give_up(io, key.error());

  // The key was handed out once and for all: not knowing the account's id is no reason to lose it.
  const auto account = (*link)->as_device().account();
  const account_id id = account ? account->id : account_id{};
  if (const auto bound = finish_binding(*plan, {id, who, *key}, context); !bound) {
    return give_up(io, bound.error());
  }
  io.say("joined; " + plan->folder + " belongs to the vault at " + plan->server.url() + " now");
  io.say("next:  obsync watch " + plan->folder + "    to keep it in step");
  return exit_done;
}

}  // namespace obsync::client
