// Rows about who is asking, and the order in which that is found out: docs/protocol.md, part 2. Where two
// checks fail, the earlier one answers.
#include "tests/e2e/conformance_world.hpp"

namespace obsync::test {

namespace {

raw_request account_of(const client::credential& who, std::int64_t age_s = 0) {
  return signed_by(who, "GET", "/v1/account", {}, age_s);
}

raw_request with_header(raw_request request, std::size_t at, const std::string& value) {
  request.headers[at].second = value;
  return request;
}

client::credential wrong_secret(client::credential who) {
  who.secret.raw[0] ^= 1;
  return who;
}

client::credential stranger() {
  client::credential who;
  who.device.raw.fill(9);
  return who;
}

// A request whose body is over its ceiling, undelivered.
raw_request oversized(const client::credential& who, std::int64_t age_s = 0) {
  raw_request request = signed_by(who, "POST", "/v1/devices/heartbeat", {}, age_s);
  return request.with("Content-Length", "4194305");
}

using ask = std::function<raw_answer(conformance_world&)>;

// Sends what `make` makes.
template <class Make>
ask send(Make make) {
  return [make](conformance_world& at) { return exchange(at.port(), make(at)); };
}

conformance_table shape_rows() {
  conformance_table rows = {
      {"an unknown path", send([](auto&) {
         return raw_request{"GET", "/v1/nothing"};
       }),
       404, "not_found"},
      {"another method of a known path", send([](auto&) {
         return raw_request{"DELETE", "/v1/account"};
       }),
       404, "not_found"},
      {"HEAD", send([](auto&) {
         return raw_request{"HEAD", "/v1/account"};
       }),
       404},
      {"OPTIONS", send([](auto&) {
         return raw_request{"OPTIONS", "/v1/account"};
       }),
       404, "not_found"},
      {"a retired path", send([](auto&) {
         return raw_request{"GET", "/v1/plugin/bundle"};
       }),
       404, "not_found"},
      {"no signature", send([](auto&) {
         return raw_request{"GET", "/v1/account"};
       }),
       401, "missing_auth"},
      {"a device id that is no hex",
       send([](auto& at) { return with_header(account_of(at.phone), 0, "nobody"); }), 401, "bad_signature"},
      {"a timestamp that is no number",
       send([](auto& at) { return with_header(account_of(at.phone), 1, "soon"); }), 401, "bad_signature"},
  };
  for (std::size_t missing = 0; missing < 4; ++missing) {
    rows.push_back({"one signature header missing", send([missing](auto& at) {
                      raw_request request = account_of(at.phone);
                      request.headers.erase(request.headers.begin() + static_cast<std::ptrdiff_t>(missing));
                      return request;
                    }),
                    401, "missing_auth"});
  }
  return rows;
}

conformance_table order_rows() {
  return {
      {"an unknown device", send([](auto&) { return account_of(stranger()); }), 401, "bad_signature"},
      {"a revoked device", send([](auto& at) { return account_of(at.revoked); }), 403, "device_revoked"},
      {"revoked comes before stale", send([](auto& at) { return account_of(at.revoked, 900); }), 403,
       "device_revoked"},
      {"revoked comes before the signature",
       send([](auto& at) { return account_of(wrong_secret(at.revoked)); }), 403, "device_revoked"},
      {"a timestamp too old", send([](auto& at) { return account_of(at.phone, 301); }), 401,
       "stale_timestamp"},
      {"a timestamp too far ahead", send([](auto& at) { return account_of(at.phone, -302); }), 401,
       "stale_timestamp"},
      {"stale comes before the signature",
       send([](auto& at) { return account_of(wrong_secret(at.phone), 900); }), 401, "stale_timestamp"},
      {"stale comes before the body", send([](auto& at) { return oversized(at.phone, 900); }), 401,
       "stale_timestamp"},
      {"an unknown device comes before the body", send([](auto&) { return oversized(stranger()); }), 401,
       "bad_signature"},
      {"the body comes before the signature",
       send([](auto& at) { return oversized(wrong_secret(at.phone)); }), 413, "body_too_large"},
      {"a wrong secret", send([](auto& at) { return account_of(wrong_secret(at.phone)); }), 401,
       "bad_signature"},
      {"the signature covers the query", send([](auto& at) {
         raw_request request = account_of(at.phone);
         request.target += "?x=1";
         return request;
       }),
       401, "bad_signature"},
      {"the signature covers the target as it was sent",
       send([](auto& at) { return signed_by(at.phone, "GET", "//v1///account/"); }), 200},
      {"the signature comes before the JSON",
       send([](auto& at) { return signed_by(wrong_secret(at.phone), "POST", "/v1/chunks/exists", "{"); }),
       401, "bad_signature"},
      {"a pending device", send([](auto& at) { return account_of(at.pending); }), 403, "device_pending"},
      {"pending comes before the route's own checks",
       send([](auto& at) { return signed_by(at.pending, "GET", "/v1/chunks/short"); }), 403,
       "device_pending"},
  };
}

conformance_table nonce_rows() {
  return {
      {"a nonce used before",
       [](conformance_world& at) {
         const raw_request request = account_of(at.phone);
         exchange(at.port(), request);
         return exchange(at.port(), request);
       },
       401, "replayed_nonce"},
      {"a nonce used before comes before pending",
       [](conformance_world& at) {
         const raw_request request = account_of(at.pending);
         exchange(at.port(), request);
         return exchange(at.port(), request);
       },
       401, "replayed_nonce"},
      {"a device's share of nonces used up",
       [](conformance_world& at) {
         const client::credential busy = at.pair();
         raw_connection connection(at.port());
         raw_answer last;
         for (int i = 0; i <= 2'000 && last.code().empty(); ++i) {
           connection.send(account_of(busy).text());
           last = connection.receive();
         }
         return last;
       },
       503, "nonce_share_full"},
  };
}

}  // namespace

conformance_table signature_rows() {
  conformance_table rows;
  for (conformance_table part : {shape_rows(), order_rows(), nonce_rows()})
    for (conformance_row& row : part) rows.push_back(std::move(row));
  return rows;
}

}  // namespace obsync::test
