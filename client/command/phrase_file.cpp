#include "client/command/phrase_file.hpp"

#include <array>
#include <cstdio>
#include <sstream>

#include "client/format/recovery_phrase.hpp"
#include "client/home/folder_path.hpp"
#include "client/home/small_file.hpp"
#include "core/disk.hpp"

namespace obsync::client {

namespace {

constexpr std::size_t words_per_line = 4;

}  // namespace

result<bool> write_phrase_file(const std::string& path, const crypto::secret32& vault_key) {
  const auto resolved = resolve_path(path);
  if (!resolved) return resolved.error();
  const std::string text = to_recovery_phrase(vault_key) + "\n";
  const auto on = make_posix_disk();
  auto file = on->create(*resolved);
  if (!file && file.error().code == errc::exists) {
    const auto there = read_file(*on, *resolved);
    if (there && *there == text) return false;
    return error{errc::exists, *resolved + " exists already; recovery words are never written over a file"};
  }
  if (!file) return error{file.error().code, *resolved + ": " + file.error().detail};
  if (auto written = (*file)->write_at(0, as_bytes(text)); !written) return written.error();
  if (auto synced = (*file)->sync(); !synced) return synced.error();
  const std::string folder = resolved->substr(0, std::max<std::size_t>(resolved->rfind('/'), 1));
  if (auto synced = on->sync_folder(folder); !synced) return synced.error();
  return true;
}

result<crypto::secret32> read_phrase_file(const std::string& path, console& io) {
  std::string text;
  if (path == "-") {
    std::size_t words = 0;
    while (words < recovery_word_count) {
      const auto line = io.read_line();
      if (!line) break;
      text += *line + " ";
      std::istringstream split(*line);
      for (std::string word; split >> word;) ++words;
    }
  } else {
    const auto resolved = resolve_path(path);
    if (!resolved) return resolved.error();
    const auto on = make_posix_disk();
    auto read = read_file(*on, *resolved);
    if (!read) return error{read.error().code, *resolved + ": " + read.error().detail};
    text = *std::move(read);
  }
  return from_recovery_phrase(text);
}

std::string numbered_phrase(const crypto::secret32& vault_key) {
  std::istringstream words(to_recovery_phrase(vault_key));
  std::string out;
  std::size_t place = 0;
  for (std::string word; words >> word;) {
    std::array<char, 32> cell{};
    std::snprintf(cell.data(), cell.size(), "%4zu %-10s", ++place, word.c_str());
    out += cell.data();
    if (place % words_per_line == 0) out += "\n";
  }
  return out;
}

}  // namespace obsync::client
