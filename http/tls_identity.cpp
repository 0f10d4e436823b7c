#include "http/tls_identity.hpp"

#include <sys/stat.h>

#include "core/log.hpp"
#include "http/tls_context.hpp"

namespace obsync::http {

namespace {

constexpr std::chrono::seconds look_every{1};

}  // namespace

tls_identity::file_mark tls_identity::mark_of(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {};
  // The change time and not the modification time: it cannot be set back, and a new mode moves it too.
  return {static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino),
          static_cast<std::int64_t>(info.st_size),
          std::int64_t{info.st_ctim.tv_sec} * 1'000'000'000 + info.st_ctim.tv_nsec};
}

result<std::shared_ptr<tls_identity>> tls_identity::load(const tls_files& files) {
  const std::shared_ptr<tls_identity> made(new tls_identity(files));
  // Marked before reading: what changes in between is noticed the next time.
  made->read_ = made->look();
  auto loaded = load_tls(files);
  if (!loaded) return loaded.error();
  made->current_ = std::move(*loaded);
  return made;
}

std::shared_ptr<tls_context> tls_identity::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

void tls_identity::reload() {
  const std::lock_guard lock(mutex_);
  read_again(look());
}

void tls_identity::reload_when_changed(time_point now) {
  const std::lock_guard lock(mutex_);
  if (now - looked_ < look_every) return;
  looked_ = now;
  const marks seen = look();
  if (seen != read_) read_again(seen);
}

void tls_identity::read_again(const marks& seen) {
  read_ = seen;
  auto loaded = load_tls(files_);
  if (!loaded) {
    log::line(log::level::error, "tls_reload").add("decision", "kept").add("reason", loaded.error().detail);
    return;
  }
  current_ = std::move(*loaded);
  log::line(log::level::info, "tls_reload").add("decision", "reloaded").add("expires_s", current_->expires_s);
}

}  // namespace obsync::http
