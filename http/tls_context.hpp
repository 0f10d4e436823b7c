// One certificate with its key, ready to greet peers with. Included by the .cpp files that own TLS only.
#pragma once

#include <boost/asio/ssl/context.hpp>

#include <cstdint>

namespace obsync::http {

struct tls_context {
  boost::asio::ssl::context context{boost::asio::ssl::context::tls_server};
  std::int64_t expires_s = 0;  // Unix seconds
};

}  // namespace obsync::http
