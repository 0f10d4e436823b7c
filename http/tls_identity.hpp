// The certificate the listener shows, and its renewal while the server runs: by signal, or noticed when the
// files have changed. A pair that cannot be used never replaces one that can. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "core/result.hpp"
#include "http/tls_files.hpp"

namespace obsync::http {

class tls_identity {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  // As load_tls.
  static result<std::shared_ptr<tls_identity>> load(const tls_files& files);

  std::shared_ptr<tls_context> current() const;
  // Reads the files again, whatever their age, and says in the log what came of it.
  void reload();
  // The same when they have changed since they were last read. Looks at most once a second, so that it may
  // be called for every connection, and an idle server never wakes for it.
  void reload_when_changed(time_point now);

 private:
  // What tells one state of a file from another: a rewrite, a rename over it, a change of its mode.
  struct file_mark {
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t size = -1;
    std::int64_t changed_ns = 0;
    bool operator==(const file_mark&) const = default;
  };
  struct marks {
    file_mark certificate;
    file_mark key;
    bool operator==(const marks&) const = default;
  };
  static file_mark mark_of(const std::string& path);

  explicit tls_identity(tls_files files) : files_(std::move(files)) {}
  marks look() const { return {mark_of(files_.certificate), mark_of(files_.key)}; }
  void read_again(const marks& seen);

  const tls_files files_;
  mutable std::mutex mutex_;  // guards what follows
  std::shared_ptr<tls_context> current_;
  marks read_;  // as of the last attempt, good or bad
  time_point looked_{};
};

}  // namespace obsync::http
