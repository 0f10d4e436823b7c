// The folder `obsyncd tls self-signed` fills: ca.crt, ca.key, server.crt, server.key. What is there already
// is used or left alone, never replaced, but for a server certificate of the same authority.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace obsync::app {

struct issued_certificate {
  std::string folder;              // absolute
  std::vector<std::string> names;  // host names and addresses it is for
  std::int64_t expires_s = 0;      // Unix seconds
  bool new_authority = false;
  bool renewed = false;  // there was one before
};

// Makes what is missing; with an authority in place it only makes a new server certificate, for `names` or,
// where none are given, for those of the old one. The server's key stays as it is then, so that certificate
// and key fit together at every moment. errc::exists for a file that would have to be replaced.
result<issued_certificate> fill_certificate_folder(const std::string& folder, std::vector<std::string> names,
                                                   std::int64_t now_s);

}  // namespace obsync::app
