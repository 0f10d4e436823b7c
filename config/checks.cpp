#include "config/checks.hpp"

#include <algorithm>
#include <string_view>

#include "config/grammar.hpp"
#include "core/size_text.hpp"

namespace obsync::config {

namespace {

constexpr std::string_view place = "settings";

std::int64_t watermark_of(const free_watermark& keep, std::int64_t capacity) {
  return std::max(capacity / 100 * keep.percent, keep.bytes);
}

void check_capacity(std::string_view name, const std::optional<std::int64_t>& capacity,
                    const free_watermark& keep, problems& wrong) {
  if (!capacity || *capacity > watermark_of(keep, *capacity)) return;
  wrong.push_back({std::string(place), std::string(name) + " (" + size_text(*capacity) +
                                           ") leaves no room: store.free_watermark keeps " +
                                           size_text(watermark_of(keep, *capacity)) + " of it free"});
}

// Equal, or one below the other.
bool overlap(std::string_view a, std::string_view b) {
  if (a.size() > b.size()) std::swap(a, b);
  return b.starts_with(a) && (a.size() == b.size() || a == "/" || b[a.size()] == '/');
}

void check_folders(const store_settings& store, problems& wrong) {
  if (overlap(store.journal_dir, store.blobs_dir)) {
    wrong.push_back({std::string(place), "store.journal_dir and store.blobs_dir must not hold one another"});
  }
  for (std::size_t i = 0; i < store.blobs_mirrors.size(); ++i) {
    const std::string& path = store.blobs_mirrors[i].path;
    bool clash = overlap(path, store.blobs_dir) || overlap(path, store.journal_dir);
    for (std::size_t j = 0; j < i; ++j) clash = clash || overlap(path, store.blobs_mirrors[j].path);
    if (clash) {
      wrong.push_back(
          {std::string(place), "store.blobs_mirrors: " + path + " overlaps another store folder"});
    }
  }
}

bool is_loopback(std::string_view host) {
  return host.starts_with("127.") || host == "::1";
}

// Tokens and traffic of a whole family would cross the network readable, by one forgotten line.
void check_tls(const settings& values, problems& wrong) {
  const bool certificate = !values.tls.certificate.empty();
  const bool key = !values.tls.key.empty();
  if (certificate != key) {
    wrong.push_back({std::string(place), std::string(certificate ? "tls.certificate" : "tls.key") +
                                             " is set and " + (certificate ? "tls.key" : "tls.certificate") +
                                             " is not: TLS needs both"});
    return;
  }
  if (certificate || values.server.allow_plain || is_loopback(values.server.listen.host)) return;
  wrong.push_back(
      {std::string(place),
       "server.listen = " + print(values.server.listen) +
           " would speak plain HTTP where other machines reach it. Set tls.certificate and tls.key "
           "(`obsyncd tls self-signed --name HOST --out DIR` makes them), or listen on 127.0.0.1 behind a "
           "proxy that speaks TLS, or, where only such a proxy can reach this address, set "
           "server.allow_plain = true (OBSYNC_ALLOW_PLAIN=true)"});
}

}  // namespace

void check_together(const settings& values, problems& wrong) {
  check_capacity("store.blobs_capacity", values.store.blobs_capacity, values.store.keep_free, wrong);
  check_capacity("store.journal_capacity", values.store.journal_capacity, values.store.keep_free, wrong);
  check_folders(values.store, wrong);
  check_tls(values, wrong);
  if (values.session.nonces_per_device > values.session.nonces_total) {
    wrong.push_back({std::string(place), "session.nonces_per_device is larger than session.nonces_total"});
  }
}

}  // namespace obsync::config
