// Rows about HTTP itself: docs/protocol.md, part 1.
#include "tests/e2e/conformance_world.hpp"

namespace obsync::test {

namespace {

// A head sent as it stands.
conformance_row head(const char* rule, std::string text, int status) {
  return {rule, [text = std::move(text)](conformance_world& at) { return exchange(at.port(), text); },
          status};
}

std::string request_line(const std::string& target, const std::string& more = {}) {
  return "GET " + target + " HTTP/1.1\r\nHost: a\r\n" + more + "\r\n";
}

raw_request heartbeat(const conformance_world& at, std::string body) {
  return signed_by(at.phone, "POST", "/v1/devices/heartbeat", std::move(body));
}

const std::string beat = R"({"app_version":"1"})";

std::string chunked(const raw_request& request, const std::string& framed) {
  raw_request plain = request;
  plain.body.clear();
  plain.with("Transfer-Encoding", "chunked");
  return plain.text() + framed;
}

}  // namespace

conformance_table head_rows() {
  const std::string many_headers = [] {
    std::string out;
    for (int i = 0; i < 128; ++i) out += "X-" + std::to_string(i) + ": 1\r\n";
    return out;
  }();
  return {
      head("a plain request is served", request_line("/livez"), 200),
      head("empty segments of a path are dropped", request_line("//livez//"), 200),
      head("an escaped path is decoded before it is matched", request_line("/%6civez"), 200),
      head("a request line over 8 KiB", request_line("/livez?" + std::string(8'192, 'a')), 431),
      head("a head over 16 KiB", request_line("/livez", "X: " + std::string(16'384, 'a') + "\r\n"), 431),
      head("more than 128 header lines", request_line("/livez", many_headers), 431),
      head("a bare line feed", "GET /livez HTTP/1.1\nHost: a\n\n", 400),
      head("bytes that are no UTF-8", request_line("/livez", "X: \xff\xfe\r\n"), 400),
      head("a method over 32 characters", std::string(33, 'A') + " /livez HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      head("a method that is no token", "GE(T /livez HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      head("two spaces in the request line", "GET  /livez HTTP/1.1\r\nHost: a\r\n\r\n", 400),
      head("a header name that is no token", request_line("/livez", "X(: 1\r\n"), 400),
      head("a space before a colon", request_line("/livez", "X : 1\r\n"), 400),
      head("a folded header", request_line("/livez", "X: 1\r\n 2\r\n"), 400),
      head("a control character in a value", request_line("/livez", "X: a\x01\r\n"), 400),
      head("a tab in a value is fine", request_line("/livez", "X: a\tb\r\n"), 200),
      head("another version", "GET /livez HTTP/2.0\r\nHost: a\r\n\r\n", 505),
      head("two Content-Lengths", request_line("/livez", "Content-Length: 0\r\nContent-Length: 0\r\n"), 400),
      head("two Transfer-Encodings",
           request_line("/livez", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 400),
      head("length and encoding together",
           request_line("/livez", "Content-Length: 0\r\nTransfer-Encoding: chunked\r\n"), 400),
      head("an encoding on 1.0", "GET /livez HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400),
      head("a length that is no number", request_line("/livez", "Content-Length: +1\r\n"), 400),
      head("a length of twenty digits",
           request_line("/livez", "Content-Length: " + std::string(20, '1') + "\r\n"), 400),
      head("another Transfer-Encoding", request_line("/livez", "Transfer-Encoding: gzip\r\n"), 501),
      head("another expectation", request_line("/livez", "Expect: miracles\r\n"), 417),
      head("no Host on 1.1", "GET /livez HTTP/1.1\r\n\r\n", 400),
      head("two Hosts on 1.1", request_line("/livez", "Host: b\r\n"), 400),
      head("two Hosts on 1.0", "GET /livez HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n", 400),
      head("no Host on 1.0 is fine", "GET /livez HTTP/1.0\r\n\r\n", 200),
      head("a target without its slash", request_line("livez"), 400),
      head("a broken escape", request_line("/%zz"), 400),
      head("an escaped slash", request_line("/v1%2Faccount"), 400),
      head("an escaped control character", request_line("/%01"), 400),
      head("a segment of one dot", request_line("/./livez"), 400),
      head("a segment of two dots", request_line("/v1/../livez"), 400),
  };
}

conformance_table body_rows() {
  const auto beat_chunked = [](const std::string& framed) {
    return
        [framed](conformance_world& at) { return exchange(at.port(), chunked(heartbeat(at, beat), framed)); };
  };
  const std::string whole = "13\r\n" + beat + "\r\n0\r\n\r\n";
  return {
      {"a chunked body is read", beat_chunked(whole), 204},
      {"trailers are ignored", beat_chunked("13;ext=1\r\n" + beat + "\r\n0\r\nX: 1\r\n\r\n"), 204},
      {"a size line over 64 bytes",
       beat_chunked("13;" + std::string(64, 'x') + "\r\n" + beat + "\r\n0\r\n\r\n"), 400, "bad_request"},
      {"a size that is no number", beat_chunked("xy\r\n"), 400, "bad_request"},
      {"a size of seventeen digits", beat_chunked(std::string(16, '0') + "13\r\n"), 400, "bad_request"},
      {"trailers over 8 KiB", beat_chunked("0\r\nX: " + std::string(8'192, 'x') + "\r\n\r\n"), 400,
       "bad_request"},
      {"a declared body over the ceiling",
       [](conformance_world& at) {
         raw_request request = heartbeat(at, beat);
         request.body.clear();
         return exchange(at.port(), request.with("Content-Length", "4194305").text());
       },
       413, "body_too_large"},
      {"a chunked body that grows over the ceiling",
       [](conformance_world& at) {
         return exchange(at.port(),
                         chunked(heartbeat(at, beat), "400001\r\n" + std::string(0x400001, ' ') + "\r\n"));
       },
       413, "body_too_large"},
      {"the ceiling of a claim is 16 KiB",
       [](conformance_world& at) {
         return at.unsigned_ask("POST", "/v1/pairing/" + std::string(32, '0') + "/claim",
                                std::string(16'385, ' '));
       },
       413, "body_too_large"},
      {"a body slower than the floor",
       [](conformance_world& at) {
         raw_request request = heartbeat(at, beat);
         request.body.clear();
         request.with("Content-Length", "19");
         raw_connection slow(at.port());
         slow.send(request.text() + "{");
         return slow.receive();
       },
       503, "slow_body"},
  };
}

conformance_table json_rows() {
  const auto json = [](std::string body) {
    return
        [body = std::move(body)](conformance_world& at) { return exchange(at.port(), heartbeat(at, body)); };
  };
  std::string deep = R"({"app_version":"1","x":)";
  for (int i = 0; i < 64; ++i) deep += "[";
  for (int i = 0; i < 64; ++i) deep += "]";
  return {
      {"no JSON", json("{"), 400, "bad_json"},
      {"a name twice", json(R"({"app_version":"1","app_version":"1"})"), 400, "bad_json"},
      {"a byte order mark", json("\xef\xbb\xbf" + beat), 400, "bad_json"},
      {"a lone surrogate", json(R"({"app_version":"1","x":"\ud800"})"), 400, "bad_json"},
      {"no number", json(R"({"app_version":"1","x":NaN})"), 400, "bad_json"},
      {"something after the value", json(beat + "1"), 400, "bad_json"},
      {"deeper than 64", json(deep + "}"), 400, "bad_json"},
      {"invalid UTF-8", json("{\"app_version\":\"1\",\"x\":\"\xff\"}"), 400, "bad_json"},
      {"a value that is no object", json("[]"), 400, "bad_request"},
      {"an unknown member is ignored", json(R"({"x":1,"app_version":"1"})"), 204},
      {"a fraction where an integer is due",
       json(R"({"app_version":"1","policy":{"per_file_max_bytes":1.0,"total_budget_bytes":0}})"), 400,
       "bad_request"},
      {"a negative integer",
       json(R"({"app_version":"1","policy":{"per_file_max_bytes":-1,"total_budget_bytes":0}})"), 400,
       "bad_request"},
      {"text that is not ASCII", json("{\"app_version\":\"\u00e9\"}"), 400, "bad_request"},
      {"text of blanks alone", json(R"({"app_version":"   "})"), 400, "bad_request"},
      {"text is trimmed before it is measured", json("{\"app_version\":\"" + std::string(40, ' ') + "1\"}"),
       204},
      {"text too long", json("{\"app_version\":\"" + std::string(33, '1') + "\"}"), 400, "bad_request"},
  };
}

}  // namespace obsync::test
