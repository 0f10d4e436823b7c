// A certificate and its key as they lie on disk.
#pragma once

#include <memory>
#include <string>

#include "core/result.hpp"

namespace obsync::http {

struct tls_context;

struct tls_files {
  std::string certificate;  // PEM: the server's certificate, then its chain
  std::string key;          // PEM, unencrypted, for its owner alone
};

// Reads and checks both. errc::not_found, errc::denied (also for a key others may read) or errc::invalid,
// each saying which file, what is wrong and what to do.
result<std::shared_ptr<tls_context>> load_tls(const tls_files& files);

}  // namespace obsync::http
