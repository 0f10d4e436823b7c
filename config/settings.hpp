// Every value the server can be told, at its default. A plain struct: the application hands single values
// down to the parts that need them, and nobody else includes this folder.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/log.hpp"

namespace obsync::config {

struct endpoint {
  std::string host = "127.0.0.1";  // an IPv4 or IPv6 address, without brackets
  std::uint16_t port = 8080;       // 0: the system picks one
  bool operator==(const endpoint&) const = default;
};

// An address block such as 10.0.0.0/8. The text was checked; `bits` fits the family.
struct network {
  std::string address;
  int bits = 0;
  bool operator==(const network&) const = default;
};

struct mirror {
  std::string path;
  std::string label = "mirror";
  bool operator==(const mirror&) const = default;
};

// The larger of the two stays free.
struct free_watermark {
  std::int64_t percent = 5;
  std::int64_t bytes = 2LL << 30;
  bool operator==(const free_watermark&) const = default;
};

enum class edge_mode { none, cloudflare };

// What a mirror that cannot be written does to a chunk that is to be stored.
enum class mirror_failure { refuse, degrade };

using server_key_bytes = std::array<std::uint8_t, 32>;

struct server_settings {
  endpoint listen;
  bool allow_plain = false;  // plain HTTP on an address that other machines reach
  std::int64_t io_threads = 1;
  std::int64_t max_connections = 256;
  std::chrono::milliseconds idle_timeout{60'000};
  std::chrono::milliseconds head_timeout{10'000};
  std::chrono::milliseconds shutdown_grace{20'000};
  std::int64_t body_rate_min = 16LL << 10;     // bytes per second
  std::int64_t admission_budget = 48LL << 20;  // bytes
  std::int64_t preauth_budget = 64LL << 20;    // bytes
  std::string public_url;                      // without a final slash; empty: none
  edge_mode edge = edge_mode::none;
  std::vector<network> trusted_proxies;  // empty: loopback and private networks
  std::string plugin_dir = "/usr/share/obsync/plugin";
  std::string dashboard_dir = "/usr/share/obsync/dashboard";
  bool operator==(const server_settings&) const = default;
};

// Both set, or neither.
struct tls_settings {
  std::string certificate;  // PEM file: the server's certificate, then its chain; empty: plain HTTP
  std::string key;          // PEM file with its private key, for its owner alone
  bool operator==(const tls_settings&) const = default;
};

struct store_settings {
  std::string journal_dir = "/var/lib/obsync/journal";
  std::string blobs_dir = "/var/lib/obsync/blobs";
  std::vector<mirror> blobs_mirrors;
  config::mirror_failure mirror_failure = config::mirror_failure::refuse;
  std::optional<std::int64_t> blobs_capacity;    // bytes; absent: what the file system says
  std::optional<std::int64_t> journal_capacity;  // bytes; absent: what the file system says
  std::string blobs_class = "host";
  std::string journal_class = "host";
  free_watermark keep_free;
  std::int64_t inline_limit = 64LL << 10;      // bytes
  std::int64_t cache_size = 4LL << 20;         // bytes
  std::optional<server_key_bytes> server_key;  // absent: the key file in journal_dir
  bool operator==(const store_settings&) const = default;
};

struct journal_settings {
  std::int64_t group_posts = 64;
  std::int64_t group_bytes = 4LL << 20;
  std::int64_t queue_max = 4096;
  bool operator==(const journal_settings&) const = default;
};

struct small_settings {
  std::int64_t group = 64;
  bool operator==(const small_settings&) const = default;
};

struct blob_settings {
  std::int64_t writers = 4;
  std::int64_t slice = 256LL << 10;  // bytes
  bool operator==(const blob_settings&) const = default;
};

struct readers_settings {
  std::int64_t count = 2;
  bool operator==(const readers_settings&) const = default;
};

struct actors_settings {
  std::int64_t threads = 1;
  bool operator==(const actors_settings&) const = default;
};

struct session_settings {
  std::chrono::milliseconds idle{900'000};
  std::int64_t nonces_per_device = 50'000;
  std::int64_t nonces_total = 200'000;
  bool operator==(const session_settings&) const = default;
};

struct pairing_settings {
  std::chrono::milliseconds life{600'000};
  bool operator==(const pairing_settings&) const = default;
};

struct retention_settings {
  std::int64_t days = 30;
  std::int64_t versions = 10;
  bool operator==(const retention_settings&) const = default;
};

struct gc_settings {
  std::chrono::milliseconds period{3'600'000};
  std::chrono::milliseconds budget{600'000};
  std::chrono::milliseconds grace{86'400'000};
  bool operator==(const gc_settings&) const = default;
};

struct scrub_settings {
  std::int64_t rate = 4LL << 20;  // bytes per second
  bool operator==(const scrub_settings&) const = default;
};

struct log_settings {
  obsync::log::level level = obsync::log::level::info;
  bool operator==(const log_settings&) const = default;
};

struct settings {
  server_settings server;
  tls_settings tls;
  store_settings store;
  journal_settings journal;
  small_settings small;
  blob_settings blob;
  readers_settings readers;
  actors_settings actors;
  session_settings session;
  pairing_settings pairing;
  retention_settings retention;
  gc_settings gc;
  scrub_settings scrub;
  log_settings log;
  bool operator==(const settings&) const = default;
};

}  // namespace obsync::config
