#include "tests/e2e/conformance_world.hpp"

#include "wire/pairing.hpp"
#include "wire/setup.hpp"

namespace obsync::test {

namespace {

using members = std::vector<std::pair<std::string, std::string>>;

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

std::string object_with(members all, const std::string& member, const std::string& json) {
  std::string text = "{";
  bool replaced = member.empty();
  const auto add = [&](const std::string& name, const std::string& value) {
    if (value.empty()) return;
    text += (text.size() > 1 ? ",\"" : "\"") + name + "\":" + value;
  };
  for (const auto& [name, value] : all) {
    add(name, name == member ? json : value);
    replaced = replaced || name == member;
  }
  if (!replaced) add(member, json);
  return text + "}";
}

}  // namespace

std::string claim_with(const std::string& token, const std::string& member, const std::string& json) {
  return object_with({{"enroll_token", quoted(token)},
                      {"name", "\"new\""},
                      {"platform", "\"ios\""},
                      {"app_version", "\"1\""}},
                     member, json);
}

std::string setup_with(const std::string& token, const std::string& member, const std::string& json) {
  return object_with({{"setup_token", quoted(token)},
                      {"account_name", "\"family\""},
                      {"device", R"({"name":"first","platform":"linux","app_version":"1"})"}},
                     member, json);
}

std::string post_with(const made_note& note, const std::string& member, const std::string& json) {
  const std::string whole = wire::to_json(note.post);
  if (member.empty()) return whole;
  // The members of the post in their order, by their names' places in the text.
  members all;
  static const std::vector<std::string> names = {"version_id",     "parents",   "sids",
                                                 "bytes",          "domain_id", "manifest_ct",
                                                 "manifest_nonce", "deleted",   "accept_existing"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t from = whole.find("\"" + names[i] + "\":") + names[i].size() + 3;
    const std::size_t to = i + 1 < names.size() ? whole.find(",\"" + names[i + 1] + "\":") : whole.size() - 1;
    all.emplace_back(names[i], whole.substr(from, to - from));
  }
  return object_with(std::move(all), member, json);
}

conformance_world::conformance_world(std::vector<std::string> options)
    : server_(scratch_.path(), std::move(options)) {
  if (!server_.start()) return;
  laptop = credential_of(unsigned_ask("POST", "/v1/setup", setup_with(setup_token())));
  phone = pair();
  revoked = pair();
  ask("POST", "/v1/devices/" + revoked.device.hex() + "/revoke");
  pending = claim(create_pairing());
  note = make_note(random, 1'000);
  ask("PUT", "/v1/chunks/" + note.sid.hex(), std::string(as_text(note.sealed)));
  ok_ = ask("POST", "/v1/files/" + note.file.hex() + "/versions", post_with(note)).status == 201;
}

raw_answer conformance_world::ask(const std::string& method, const std::string& target,
                                  const std::string& body) {
  return ask(laptop, method, target, body);
}

raw_answer conformance_world::ask(const client::credential& who, const std::string& method,
                                  const std::string& target, const std::string& body) {
  return test::ask(server_, who, method, target, body);
}

raw_answer conformance_world::unsigned_ask(const std::string& method, const std::string& target,
                                           const std::string& body) {
  return ask_unsigned(server_, method, target, body);
}

client::credential conformance_world::credential_of(const raw_answer& answer) const {
  if (const auto claimed = wire::from_json<wire::claim_answer>(answer.body))
    return {claimed->device, claimed->device_secret};
  return {};
}

pairing_in_hand conformance_world::create_pairing() {
  const auto made = wire::from_json<wire::pairing_created>(ask("POST", "/v1/pairing").body);
  if (!made) return {};
  return {made->id.hex(), made->enroll_token.hex()};
}

client::credential conformance_world::claim(const pairing_in_hand& pairing) {
  return credential_of(
      unsigned_ask("POST", "/v1/pairing/" + pairing.id + "/claim", claim_with(pairing.token)));
}

void conformance_world::approve(const pairing_in_hand& pairing) {
  ask("POST", "/v1/pairing/" + pairing.id + "/approve",
      R"({"envelope":"sealed","nonce":"00112233445566778899aabb"})");
}

client::credential conformance_world::pair() {
  const pairing_in_hand pairing = create_pairing();
  client::credential made = claim(pairing);
  approve(pairing);
  ask(made, "GET", "/v1/pairing/" + pairing.id + "/envelope");
  return made;
}

}  // namespace obsync::test
