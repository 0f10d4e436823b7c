// An account's sealed files in one file, format 1, as structs: docs/format.md describes the bytes. The server
// writes one without a key; a device writes one that it also vouches for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/ids.hpp"
#include "core/result.hpp"
#include "wire/version.hpp"

namespace obsync::wire {

inline constexpr std::string_view archive_magic = "OBSYNC-EXPORT-1\n";
inline constexpr std::uint64_t archive_length_max = 0xFFFF'FFFF;  // of the index, and of a chunk as written
inline constexpr std::string_view archive_from_server = "server";
inline constexpr std::string_view archive_from_device = "device";
inline constexpr std::string_view archive_whole_account = "account";

struct archive_header {
  std::string source;                   // archive_from_server or archive_from_device
  std::optional<domain_id> scope = {};  // nothing: the whole account
  sequence snapshot = 0;                // the account's newest sequence number when it was made
};

struct archived_file {
  file_id id;
  domain_id domain;
  std::vector<version_id> heads;
};

// Hears of what an index holds, in its order; an error it returns ends the reading and is its outcome.
class archive_visitor {
 public:
  virtual ~archive_visitor() = default;
  virtual status begin_file(const archived_file& file) = 0;
  // Without a device, for an archive names none; `ts_ms` is 0 where the archive does not tell the time.
  virtual status version(const version_record& version) = 0;
  virtual status end_file() = 0;
};

}  // namespace obsync::wire
