// One request and all that came back, headers included: for tests that compare answers byte for byte.
#pragma once

#include <string>

#include "client/remote/caller.hpp"
#include "tests/support/server_process.hpp"

namespace obsync::test {

struct heard {
  int status = 0;
  std::string head;  // status line and headers
  std::string body;

  // The error code of a refusal; empty for anything else.
  std::string code() const;
  // A header's value; empty when it is absent.
  std::string header(const std::string& name) const;
};

// Signed by `who`, over a connection of its own. A chunk upload signs the name in its path, as the protocol
// wants.
heard ask(const server_process& server, const client::credential& who, const std::string& method,
          const std::string& target, const std::string& body = {});
heard ask_unsigned(const server_process& server, const std::string& method, const std::string& target,
                   const std::string& body = {});

}  // namespace obsync::test
