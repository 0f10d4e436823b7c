#include "tests/tidy/include_rules.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace obsync::tidy {

namespace {

using names = std::vector<std::string_view>;

struct folder_row {
  std::string_view folder;
  names may_include;  // folders, or single headers
};

// The longest matching folder decides, so client/engine is judged by its own row.
const std::vector<folder_row> own_rows{
    {"core", {"core"}},
    {"config", {"config", "core"}},
    {"crypto", {"crypto", "core"}},
    {"wire", {"wire", "core", "crypto"}},
    {"store", {"store", "core", "crypto", "wire"}},
    {"actors", {"actors", "core", "crypto", "wire", "store"}},
    {"http", {"http", "core", "wire", "actors/ports.hpp"}},
    {"app", {"app", "actors", "config", "core", "crypto", "http", "store", "wire"}},
    {"client", {"client", "core", "crypto", "wire"}},
    // Decides what to do and does nothing: no disk, no network, no keys.
    {"client/engine", {"client/engine", "core", "wire"}},
    // Bytes in, bytes out.
    {"client/format", {"client/format", "core", "crypto", "wire"}},
    {"client/vault",
     {"client/vault", "client/engine", "client/format", "client/state", "core", "crypto", "wire"}},
    {"client/state", {"client/state", "client/engine", "client/format", "core", "crypto", "wire"}},
    {"client/remote", {"client/remote", "client/version.hpp", "core", "crypto", "wire"}},
    {"client/pairing", {"client/pairing", "client/format", "client/remote", "core", "crypto", "wire"}},
    {"client/home", {"client/home", "client/remote", "core", "crypto", "wire"}},
    {"client/restore",
     {"client/restore", "client/engine", "client/format", "client/remote", "client/state", "client/sync",
      "client/vault", "core", "crypto", "wire"}},
    {"client/watch", {"client/watch", "client/home", "client/remote", "client/sync", "core", "wire"}},
    {"perf",
     {"perf", "actors", "app", "client", "config", "core", "crypto", "http", "store", "tests", "wire"}},
    {"tests",
     {"tests", "actors", "app", "client", "config", "core", "crypto", "http", "perf", "store", "wire"}},
};

struct foreign_row {
  std::string_view headers;  // a prefix of what stands in the brackets
  names allowed;             // folders or files
  std::string_view instead;
};

// The first matching row decides.
const std::vector<foreign_row> foreign_rows{
    {"caf/",
     {"actors", "app", "tests/actors", "tests/sim", "tests/support", "perf"},
     "plain structs through actors/ports.hpp"},
    {"boost/asio/ssl", {"http", "client/remote", "tests", "perf"}, "http/ or client/remote/, which own TLS"},
    {"boost/",
     {"http", "app", "client/remote", "tests", "perf"},
     "actors/ports.hpp on the server, client/remote/remote.hpp on the client"},
    {"openssl/", {"crypto", "http", "client/remote"}, "crypto/"},
    {"rapidjson/", {"wire", "tests", "perf"}, "the structs of wire/, which read and write JSON themselves"},
    {"sqlite3.h", {"store", "client/state", "tests", "perf"}, "the interfaces of store/ or client/state/"},
    {"spdlog/", {"core/log.cpp"}, "core/log.hpp"},
    {"fmt/", {"core/log.cpp"}, "core/log.hpp"},
    {"git2", {"client/merge"}, "client/merge/"},
    {"qrencode.h", {"client/pairing", "client/command"}, "client/pairing/"},
    {"CLI/", {"app", "client/command", "perf"}, "app/, client/command/ or perf/, which read arguments"},
    {"gtest/", {"tests"}, "tests/"},
    {"gmock/", {"tests"}, "tests/"},
    {"benchmark/", {"perf"}, "perf/"},
};

// Files that may talk to the operating system, each with the reason it cannot go through core/disk.hpp.
struct system_row {
  std::string_view file;
  std::string_view reason;
};

const std::vector<system_row> system_rows{
    {"core/posix.cpp", "the implementation of core/disk.hpp, clock.hpp and random.hpp"},
    {"config/grammar.cpp", "inet_pton, which reads addresses and touches nothing"},
    {"store/folder_lock.cpp", "flock has no counterpart in a simulated disk"},
    {"store/posture.cpp", "owners and modes of the operator's folders"},
    {"actors/timed_actor.cpp", "the compiler's names of types, for the log"},
    {"http", "sendfile and socket options"},
    {"app", "signals, the heap's settings, exit codes"},
    {"client/vault", "a folder of the user's: links, modes and times matter there"},
    {"client/state", "modes of the state database"},
    {"client/remote", "socket options"},
    {"client/watch", "inotify"},
    {"client/home", "modes and locks of the device's own secrets"},
    {"client/command", "the terminal, signals"},
    {"client/main.cpp", "signals"},
    {"tests", "drives programs and damages files on purpose"},
    {"perf", "measures processes"},
};

constexpr std::array system_headers{
    "unistd.h", "fcntl.h",   "sys/",     "arpa/",     "netinet/", "netdb.h",   "poll.h",
    "signal.h", "csignal",   "dirent.h", "termios.h", "malloc.h", "pthread.h", "linux/",
    "spawn.h",  "ifaddrs.h", "sched.h",  "stdlib.h",  "grp.h",    "pwd.h",     "cxxabi.h",
};

bool covers(std::string_view allowed, const source_file& file) {
  return file.path == allowed || file.in(allowed);
}

bool any_covers(const names& allowed, const source_file& file) {
  return std::any_of(allowed.begin(), allowed.end(), [&](auto each) { return covers(each, file); });
}

const folder_row* row_of(const source_file& file) {
  const folder_row* best = nullptr;
  for (const folder_row& row : own_rows) {
    if (file.in(row.folder) && (best == nullptr || row.folder.size() > best->folder.size())) best = &row;
  }
  return best;
}

std::string joined(const names& list) {
  std::string out;
  for (const std::string_view each : list) out += (out.empty() ? "" : ", ") + std::string(each);
  return out;
}

bool may_touch_system(const source_file& file) {
  return std::any_of(system_rows.begin(), system_rows.end(),
                     [&](const system_row& row) { return covers(row.file, file); });
}

}  // namespace

std::string included(const std::string& line) {
  std::size_t at = line.find_first_not_of(" \t");
  if (at == std::string::npos || line[at] != '#') return {};
  at = line.find_first_not_of(" \t", at + 1);
  if (at == std::string::npos || line.compare(at, 7, "include") != 0) return {};
  const std::size_t open = line.find_first_of("\"<", at);
  if (open == std::string::npos) return {};
  const std::size_t close = line.find(line[open] == '<' ? '>' : '"', open + 1);
  return close == std::string::npos ? std::string() : line.substr(open, close - open + 1);
}

void check_own_includes(const source_file& file, breaches& out) {
  if (!file.is_code()) return;
  const folder_row* row = row_of(file);
  if (row == nullptr) {
    out.push_back({file.path, 0, "includes", "this folder has no row in tests/tidy/include_rules.cpp"});
    return;
  }
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string header = included(file.lines[i]);
    if (header.empty() || header[0] != '"') continue;
    const source_file target{header.substr(1, header.size() - 2), {}};
    if (target.path.find('/') == std::string::npos || target.path.find("..") != std::string::npos) {
      out.push_back({file.path, i + 1, "includes", "name " + header + " by its path from the root"});
    } else if (!any_covers(row->may_include, target)) {
      out.push_back(
          {file.path, i + 1, "includes",
           std::string(row->folder) + "/ may not include " + header + ", only " + joined(row->may_include)});
    }
  }
}

void check_foreign_includes(const source_file& file, breaches& out) {
  if (!file.is_code()) return;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string bracketed = included(file.lines[i]);
    if (bracketed.empty() || bracketed[0] != '<') continue;
    const std::string header = bracketed.substr(1, bracketed.size() - 2);
    const auto row = std::find_if(foreign_rows.begin(), foreign_rows.end(),
                                  [&](const foreign_row& each) { return header.starts_with(each.headers); });
    if (row != foreign_rows.end()) {
      if (!any_covers(row->allowed, file)) {
        out.push_back(
            {file.path, i + 1, "libraries",
             bracketed + " belongs to " + joined(row->allowed) + "; use " + std::string(row->instead)});
      }
      continue;
    }
    const bool is_system =
        std::any_of(system_headers.begin(), system_headers.end(), [&](std::string_view each) {
          return each.ends_with('/') ? header.starts_with(each) : header == each;
        });
    if (is_system) {
      if (!may_touch_system(file)) {
        out.push_back(
            {file.path, i + 1, "system",
             bracketed +
                 " reaches the operating system; use core/disk.hpp, core/clock.hpp or core/random.hpp"});
      }
    } else if (header.find('/') != std::string::npos || header.ends_with(".h")) {
      out.push_back({file.path, i + 1, "libraries",
                     bracketed + " is no library we know; give it a row here and in docs/dependencies.md"});
    }
  }
}

}  // namespace obsync::tidy
