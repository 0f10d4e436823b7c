// Rows about accounts, pairing and devices: docs/protocol.md, parts 3, 4.1 to 4.3.
#include "tests/e2e/conformance_world.hpp"

#include "crypto/digest.hpp"

namespace obsync::test {

namespace {

const std::string no_id(32, '0');
const std::string nonce = "\"nonce\":\"00112233445566778899aabb\"";
const std::string key_a = "B" + std::string(86, 'A'), key_b = "B" + std::string(85, 'A') + "E";
const std::string proof(64, '3'), other_verifier(64, '4');

std::string verifier_of_proof() {
  return crypto::sha256(crypto::secret32::parse(proof)->view()).hex();
}

std::string reveal_body(const std::string& key) {
  return R"({"creator_pub":")" + key + "\"}";
}
std::string approve_body() {
  return R"({"envelope":"sealed",)" + nonce + "}";
}

using ask = std::function<raw_answer(conformance_world&)>;

ask setup(const std::string& member, const std::string& json) {
  return [member, json](conformance_world& at) {
    return at.unsigned_ask("POST", "/v1/setup", setup_with(at.setup_token(), member, json));
  };
}

// Claims a pairing made for the purpose, with one member of the body replaced.
ask claim(const std::string& member, const std::string& json) {
  return [member, json](conformance_world& at) {
    const pairing_in_hand pairing = at.create_pairing();
    return at.unsigned_ask("POST", "/v1/pairing/" + pairing.id + "/claim",
                           claim_with(pairing.token, member, json));
  };
}

enum class stage { open, claimed, approved, consumed };

// A verb of its creator on a pairing that has come that far.
ask creator(const std::string& method, const std::string& verb, const std::string& body, stage reached,
            bool by_other = false) {
  return [=](conformance_world& at) {
    const pairing_in_hand pairing = at.create_pairing();
    client::credential claimant;
    if (reached >= stage::claimed) claimant = at.claim(pairing);
    if (reached >= stage::approved) at.approve(pairing);
    if (reached >= stage::consumed) at.ask(claimant, "GET", "/v1/pairing/" + pairing.id + "/envelope");
    return at.ask(by_other ? at.phone : at.laptop, method, "/v1/pairing/" + pairing.id + verb, body);
  };
}

ask envelope(stage reached) {
  return [=](conformance_world& at) {
    const pairing_in_hand pairing = at.create_pairing();
    const client::credential claimant = at.claim(pairing);
    const std::string target = "/v1/pairing/" + pairing.id + "/envelope";
    if (reached >= stage::approved) at.approve(pairing);
    if (reached >= stage::consumed) at.ask(claimant, "GET", target);
    return at.ask(claimant, "GET", target);
  };
}

ask plain(const std::string& method, const std::string& target, const std::string& body = {}) {
  return [=](conformance_world& at) { return at.ask(method, target, body); };
}

// Something done to a device.
ask device(const std::string& method, const std::string& verb, const std::string& body,
           client::credential conformance_world::*who) {
  return [=](conformance_world& at) {
    return at.ask(method, "/v1/devices/" + (at.*who).device.hex() + verb, body);
  };
}

void add_reveals(conformance_table& rows) {
  rows.push_back({"reveal: a key of another shape",
                  creator("POST", "/reveal", reveal_body("short"), stage::claimed), 400, "bad_request"});
  rows.push_back({"reveal: the shape comes before the pairing",
                  plain("POST", "/v1/pairing/" + no_id + "/reveal", reveal_body("short")), 400,
                  "bad_request"});
  rows.push_back({"reveal: an unknown pairing",
                  plain("POST", "/v1/pairing/" + no_id + "/reveal", reveal_body(key_a)), 404,
                  "unknown_pairing"});
  rows.push_back({"reveal: not its creator",
                  creator("POST", "/reveal", reveal_body(key_a), stage::open, true), 403, "not_creator"});
  rows.push_back({"reveal: nobody claimed", creator("POST", "/reveal", reveal_body(key_a), stage::open), 409,
                  "not_claimed"});
  rows.push_back({"reveal: too late", creator("POST", "/reveal", reveal_body(key_a), stage::approved), 409,
                  "already_approved"});
  rows.push_back({"reveal", creator("POST", "/reveal", reveal_body(key_a), stage::claimed), 204});
  const auto twice = [](const std::string& second) {
    return [second](conformance_world& at) {
      const pairing_in_hand pairing = at.create_pairing();
      at.claim(pairing);
      at.ask("POST", "/v1/pairing/" + pairing.id + "/reveal", reveal_body(key_a));
      return at.ask("POST", "/v1/pairing/" + pairing.id + "/reveal", reveal_body(second));
    };
  };
  rows.push_back({"reveal: the same key again", twice(key_a), 204});
  rows.push_back({"reveal: another key", twice(key_b), 409, "already_revealed"});
}

}  // namespace

conformance_table setup_rows() {
  const auto registered = [](const std::string& given) {
    return [given](conformance_world& at) {
      at.ask("POST", "/v1/account/recovery", R"({"recovery_verifier":")" + verifier_of_proof() + "\"}");
      return at.unsigned_ask("POST", "/v1/setup", setup_with(at.setup_token(), "recovery_proof", given));
    };
  };
  return {
      {"livez", [](conformance_world& at) { return at.unsigned_ask("GET", "/livez"); }, 200},
      {"readyz", [](conformance_world& at) { return at.unsigned_ask("GET", "/readyz"); }, 200},
      {"the plugin's manifest",
       [](conformance_world& at) { return at.unsigned_ask("GET", "/v1/plugin/manifest"); }, 200},
      {"setup: a token that is no string", setup("setup_token", "1"), 400, "bad_request"},
      {"setup: no account name", setup("account_name", ""), 400, "bad_request"},
      {"setup: an unknown platform", setup("device", R"({"name":"a","platform":"beos","app_version":"1"})"),
       400, "bad_request"},
      {"setup: a field comes before the token",
       [](conformance_world& at) {
         return at.unsigned_ask("POST", "/v1/setup", setup_with("wrong", "account_name", "1"));
       },
       400, "bad_request"},
      {"setup: a wrong token",
       [](conformance_world& at) {
         return at.unsigned_ask("POST", "/v1/setup", setup_with(std::string(64, '0')));
       },
       401, "bad_setup_token"},
      {"setup: a wrong token comes before the verifier's shape",
       [](conformance_world& at) {
         return at.unsigned_ask("POST", "/v1/setup", setup_with("wrong", "recovery_verifier", "\"x\""));
       },
       401, "bad_setup_token"},
      {"setup: a verifier of another shape", setup("recovery_verifier", "\"x\""), 400, "bad_request"},
      {"setup: the account exists", setup("", ""), 409, "already_set_up"},
      {"setup: nothing to prove against", setup("recovery_proof", "\"" + proof + "\""), 409,
       "recovery_unavailable"},
      {"recovery registration: a verifier of another shape",
       plain("POST", "/v1/account/recovery", R"({"recovery_verifier":"x"})"), 400, "bad_request"},
      {"setup: a proof that proves nothing", registered("\"" + other_verifier + "\""), 403,
       "bad_recovery_proof"},
      {"setup: a proof that is no hex", registered("\"x\""), 403, "bad_recovery_proof"},
      {"setup: recovery", registered("\"" + proof + "\""), 201},
      {"recovery registration: the same again",
       plain("POST", "/v1/account/recovery", R"({"recovery_verifier":")" + verifier_of_proof() + "\"}"), 204},
      {"recovery registration: another one",
       plain("POST", "/v1/account/recovery", R"({"recovery_verifier":")" + other_verifier + "\"}"), 409,
       "recovery_mismatch"},
      {"the account", plain("GET", "/v1/account"), 200},
  };
}

conformance_table pairing_rows() {
  const std::string verbs = "/v1/pairing/" + no_id;
  return {
      {"claim: a token that is no hex", claim("enroll_token", "\"x\""), 400, "bad_request"},
      {"claim: no name", claim("name", ""), 400, "bad_request"},
      {"claim: an unknown platform", claim("platform", "\"beos\""), 400, "bad_request"},
      {"claim: no app version", claim("app_version", ""), 400, "bad_request"},
      {"claim: a preview that is no base64", claim("vault", R"({"envelope":"?",)" + nonce + "}"), 400,
       "bad_request"},
      {"claim: a preview under 16 bytes", claim("vault", R"({"envelope":"AAAA",)" + nonce + "}"), 400,
       "bad_request"},
      {"claim: a preview over 2048 characters",
       claim("vault", R"({"envelope":")" + std::string(2'052, 'A') + "\"," + nonce + "}"), 400,
       "bad_request"},
      {"claim: a key of another shape", claim("claimant_pub", "\"x\""), 400, "bad_request"},
      {"claim: a field comes before the pairing",
       [](conformance_world& at) {
         return at.unsigned_ask("POST", "/v1/pairing/" + no_id + "/claim", claim_with("short"));
       },
       400, "bad_request"},
      {"claim: an unknown pairing",
       [](conformance_world& at) {
         return at.unsigned_ask("POST", "/v1/pairing/" + no_id + "/claim", claim_with(std::string(64, '0')));
       },
       404, "unknown_pairing"},
      {"claim: a wrong token looks the same", claim("enroll_token", "\"" + std::string(64, '0') + "\""), 404,
       "unknown_pairing"},
      {"claim", claim("claimant_pub", "\"" + key_a + "\""), 201},
      {"claim: twice",
       [](conformance_world& at) {
         const pairing_in_hand pairing = at.create_pairing();
         at.claim(pairing);
         return at.unsigned_ask("POST", "/v1/pairing/" + pairing.id + "/claim", claim_with(pairing.token));
       },
       409, "already_claimed"},
      {"create: the body is read and ignored", plain("POST", "/v1/pairing", "{"), 201},
      {"status: an unknown pairing", plain("GET", verbs), 404, "unknown_pairing"},
      {"status: not its creator", creator("GET", "", {}, stage::open, true), 403, "not_creator"},
      {"status", creator("GET", "", {}, stage::claimed), 200},
      {"approve: an empty envelope",
       creator("POST", "/approve", R"({"envelope":"",)" + nonce + "}", stage::claimed), 400, "bad_request"},
      {"approve: an envelope over 8192 characters",
       creator("POST", "/approve", R"({"envelope":")" + std::string(8'193, 'a') + "\"," + nonce + "}",
               stage::claimed),
       400, "bad_request"},
      {"approve: an unknown pairing", plain("POST", verbs + "/approve", approve_body()), 404,
       "unknown_pairing"},
      {"approve: not its creator", creator("POST", "/approve", approve_body(), stage::claimed, true), 403,
       "not_creator"},
      {"approve: nobody claimed", creator("POST", "/approve", approve_body(), stage::open), 409,
       "not_claimed"},
      {"approve: twice", creator("POST", "/approve", approve_body(), stage::approved), 409,
       "already_approved"},
      {"approve", creator("POST", "/approve", approve_body(), stage::claimed), 204},
      {"reject: an unknown pairing", plain("POST", verbs + "/reject"), 404, "unknown_pairing"},
      {"reject: not its creator", creator("POST", "/reject", {}, stage::claimed, true), 403, "not_creator"},
      {"reject: nobody claimed", creator("POST", "/reject", {}, stage::open), 409, "not_claimed"},
      {"reject: too late", creator("POST", "/reject", {}, stage::approved), 409, "already_approved"},
      {"reject", creator("POST", "/reject", {}, stage::claimed), 204},
      {"envelope: an unknown pairing", plain("GET", verbs + "/envelope"), 404, "unknown_pairing"},
      {"envelope: not its claimant", creator("GET", "/envelope", {}, stage::claimed), 403, "not_claimant"},
      {"envelope: not approved yet", envelope(stage::claimed), 409, "not_approved"},
      {"envelope", envelope(stage::approved), 200},
      {"envelope: twice", envelope(stage::consumed), 410, "envelope_consumed"},
  };
}

conformance_table reveal_rows() {
  conformance_table rows;
  add_reveals(rows);
  return rows;
}

conformance_table device_rows() {
  using world = conformance_world;
  const std::string policy = R"({"policy":{"per_file_max_bytes":1,"total_budget_bytes":2}})";
  return {
      {"devices", plain("GET", "/v1/devices"), 200},
      {"patch: an id that is none", plain("PATCH", "/v1/devices/x", R"({"name":"a"})"), 400, "bad_request"},
      {"patch: the id comes before the JSON", plain("PATCH", "/v1/devices/x", "{"), 400, "bad_request"},
      {"patch: no JSON", device("PATCH", "", "{", &world::phone), 400, "bad_json"},
      {"patch: nothing given", device("PATCH", "", "{}", &world::phone), 400, "bad_request"},
      {"patch: a name of null", device("PATCH", "", R"({"name":null})", &world::phone), 400, "bad_request"},
      {"patch: half a policy", device("PATCH", "", R"({"policy":{"per_file_max_bytes":1}})", &world::phone),
       400, "bad_request"},
      {"patch: a policy of null alone", device("PATCH", "", R"({"policy":null})", &world::phone), 400,
       "bad_request"},
      {"patch: an unknown device", plain("PATCH", "/v1/devices/" + no_id, policy), 404, "unknown_device"},
      {"patch: any device of the account", device("PATCH", "", policy, &world::phone), 200},
      {"revoke: an id that is none", plain("POST", "/v1/devices/x/revoke"), 400, "bad_request"},
      {"revoke: an unknown device", plain("POST", "/v1/devices/" + no_id + "/revoke"), 404, "unknown_device"},
      {"revoke: again", device("POST", "/revoke", {}, &world::revoked), 204},
      {"archive: an id that is none", plain("POST", "/v1/devices/x/archive"), 400, "bad_request"},
      {"archive: the device itself", device("POST", "/archive", {}, &world::laptop), 409, "own_device"},
      {"archive: an unknown device", plain("POST", "/v1/devices/" + no_id + "/archive"), 404,
       "unknown_device"},
      {"archive: one that may still speak", device("POST", "/archive", {}, &world::phone), 409,
       "device_not_revoked"},
      {"archive", device("POST", "/archive", {}, &world::revoked), 204},
      {"archive: again", device("POST", "/archive", {}, &world::revoked), 204},
      {"heartbeat: no app version", plain("POST", "/v1/devices/heartbeat", "{}"), 400, "bad_request"},
      {"heartbeat: half a policy",
       plain("POST", "/v1/devices/heartbeat", R"({"app_version":"1","policy":{"total_budget_bytes":1}})"),
       400, "bad_request"},
      {"heartbeat: a policy of null",
       plain("POST", "/v1/devices/heartbeat", R"({"app_version":"1","policy":null})"), 204},
  };
}

}  // namespace obsync::test
