// A server with devices in every state, and the rows that are asked of it: each names a rule of
// docs/protocol.md, makes the request that breaks it (or keeps it), and says what must come back.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tests/e2e/raw_device.hpp"
#include "tests/e2e/raw_http.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {

struct pairing_in_hand {
  std::string id;
  std::string token;
};

class conformance_world {
 public:
  // Starts the server. Check `ok`.
  explicit conformance_world(std::vector<std::string> options = {"--session.nonces_per_device=2000"});

  bool ok() const { return ok_; }
  std::uint16_t port() const { return server_.port(); }
  std::string setup_token() const { return server_.setup_token(); }
  server_process& server() { return server_; }

  // Signed by the first device, which is active.
  raw_answer ask(const std::string& method, const std::string& target, const std::string& body = {});
  raw_answer ask(const client::credential& who, const std::string& method, const std::string& target,
                 const std::string& body = {});
  raw_answer unsigned_ask(const std::string& method, const std::string& target, const std::string& body = {});

  pairing_in_hand create_pairing();
  // A device that has claimed and is pending; empty strings in the answer's place fail later and loudly.
  client::credential claim(const pairing_in_hand& pairing);
  void approve(const pairing_in_hand& pairing);
  // A further active device.
  client::credential pair();

  client::credential laptop;  // active, creates pairings
  client::credential phone;   // active
  client::credential revoked;
  client::credential pending;
  made_note note;  // stored: its chunk and its version
  seeded_random random{7};

 private:
  client::credential credential_of(const raw_answer& answer) const;

  scratch_folder scratch_;
  server_process server_;
  bool ok_ = false;
};

struct conformance_row {
  const char* rule;
  std::function<raw_answer(conformance_world&)> ask;
  int status;
  const char* code = "";  // of a refusal
};

using conformance_table = std::vector<conformance_row>;

// The body of a claim, of a setup, and of a version post, with one member replaced by `json` (left out when
// that is empty).
std::string claim_with(const std::string& token, const std::string& member = {},
                       const std::string& json = {});
std::string setup_with(const std::string& token, const std::string& member = {},
                       const std::string& json = {});
std::string post_with(const made_note& note, const std::string& member = {}, const std::string& json = {});

conformance_table head_rows();
conformance_table body_rows();
conformance_table json_rows();
conformance_table signature_rows();
conformance_table setup_rows();
conformance_table pairing_rows();
conformance_table reveal_rows();
conformance_table device_rows();
conformance_table chunk_rows();
conformance_table version_rows();
conformance_table reading_rows();
conformance_table batch_rows();

}  // namespace obsync::test
