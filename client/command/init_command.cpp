#include <unistd.h>

#include "client/command/bound_folder.hpp"
#include "client/command/new_binding.hpp"
#include "client/command/phrase_file.hpp"
#include "client/format/recovery_credential.hpp"
#include "client/remote/remote_text.hpp"

namespace obsync::client {

namespace {

struct vault_key_choice {
  crypto::secret32 key;
  bool kept = false;  // from an init that did not come to its end
};

result<vault_key_choice> choose_key(new_binding& plan, random_source& random) {
  const auto kept = plan.place.kept_key(plan.folder);
  if (!kept) return kept.error();
  if (*kept) return vault_key_choice{**kept, true};
  vault_key_choice fresh;
  random.fill(fresh.key.raw);
  if (auto stored = plan.place.keep_key(plan.folder, fresh.key); !stored) return stored.error();
  return fresh;
}

remote_result<wire::setup_answer> set_up(server_link& link, const new_binding& plan,
                                         const vault_key_choice& choice, const std::string& token,
                                         const std::string& account) {
  wire::setup_request request{token, account, plan.device};
  request.recovery_verifier = recovery_verifier(choice.key).hex();
  auto answer = link.open_routes().setup(request);
  // The earlier init may have made the account and never heard of it: the key proves that it is ours.
  if (!answer && answer.error().refusal == wire::refusal::already_set_up && choice.kept) {
    request.recovery_proof = recovery_proof(choice.key).hex();
    auto again = link.open_routes().setup(request);
    if (again) return again;
  }
  return answer;
}

// A clear no leaves nothing behind. After silence the key stays: the account may exist by now.
int undo(new_binding& plan, const arguments& args, bool phrase_made, const remote_error& why, console& io) {
  if (why.what == remote_error::kind::refused || why.what == remote_error::kind::not_obsync) {
    (void)plan.place.forget_key(plan.folder);
    if (phrase_made) ::unlink(args.phrase_file->c_str());
  } else {
    io.complain("nobody knows whether the account was made; run the same command again to find out");
  }
  return give_up(io, why);
}

void tell_success(const new_binding& plan, const vault_key_choice& choice, const arguments& args,
                  console& io) {
  io.say("made a vault for " + plan.folder + " at " + plan.server.url() +
         " (this device: " + plan.device.name + ")");
  if (args.phrase_file) {
    io.say("the 24 recovery words are in " + *args.phrase_file +
           ": move them to a safe place off this machine");
  } else {
    io.say(
        "the 24 recovery words, shown this once. Whoever has them and the server's setup token can open the "
        "vault;\nwithout them a vault whose devices are all lost stays lost:\n");
    io.say(numbered_phrase(choice.key));
  }
  io.say("next:  obsync watch " + plan.folder + "    to keep it in step");
  io.say("       obsync pair " + plan.folder + "     to let another device in");
}

}  // namespace

int run_init(const arguments& args, command_context& context) {
  console& io = context.io;
  auto plan = prepare_binding(args, io);
  if (!plan) return give_up(io, plan.error());
  const auto token = read_secret(args.token, "token", "OBSYNC_TOKEN", io);
  if (!token) return give_up(io, token.error());
  auto link = link_to(*plan, context, {});
  if (!link) return give_up(io, link.error());
  const stop_request::listener listener(context.stop, [&] { (*link)->stop(); });
  if (const auto there = check_server(**link); !there) return give_up(io, there.error());

  // Key and words are safe on disk before the account exists, so nothing that happens later can lose them.
  const auto choice = choose_key(*plan, context.random);
  if (!choice) return give_up(io, choice.error());
  bool phrase_made = false;
  if (args.phrase_file) {
    const auto written = write_phrase_file(*args.phrase_file, choice->key);
    if (!written && !choice->kept) (void)plan->place.forget_key(plan->folder);
    if (!written) return give_up(io, written.error());
    phrase_made = *written;
  }
  const auto answer = set_up(**link, *plan, *choice, *token, args.account_name);
  if (!answer) return undo(*plan, args, phrase_made, answer.error(), io);

  const enrolled_device device{answer->account, {answer->device, answer->device_secret}, choice->key};
  if (const auto bound = finish_binding(*plan, device, context); !bound) return give_up(io, bound.error());
  tell_success(*plan, *choice, args, io);
  (void)plan->place.forget_key(plan->folder);
  return exit_done;
}

int run_recover(const arguments& args, command_context& context) {
  console& io = context.io;
  auto plan = prepare_binding(args, io);
  if (!plan) return give_up(io, plan.error());
  const auto token = read_secret(args.token, "token", "OBSYNC_TOKEN", io);
  if (!token) return give_up(io, token.error());
  const auto key = read_phrase_file(args.phrase_file.value_or(""), io);
  if (!key) return give_up(io, key.error());
  auto link = link_to(*plan, context, {});
  if (!link) return give_up(io, link.error());
  const stop_request::listener listener(context.stop, [&] { (*link)->stop(); });
  if (const auto there = check_server(**link); !there) return give_up(io, there.error());

  wire::setup_request request{*token, args.account_name, plan->device};
  request.recovery_verifier = recovery_verifier(*key).hex();
  request.recovery_proof = recovery_proof(*key).hex();
  const auto answer = (*link)->open_routes().setup(request);
  if (!answer) return give_up(io, answer.error());
  const enrolled_device device{answer->account, {answer->device, answer->device_secret}, *key};
  if (const auto bound = finish_binding(*plan, device, context); !bound) return give_up(io, bound.error());
  io.say(answer->recovered ? "back in the vault at " + plan->server.url()
                           : "the server held no account: it holds this vault's now, still empty");
  io.say("next:  obsync watch " + plan->folder + "    to keep it in step");
  io.say("       obsync devices    to see who else has access, and `obsync revoke` to end it");
  return exit_done;
}

}  // namespace obsync::client
