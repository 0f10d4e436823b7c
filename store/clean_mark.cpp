#include "store/clean_mark.hpp"

#include <array>
#include <charconv>

namespace obsync::store {

namespace {

constexpr const char* mark_name = "/clean-stop";

std::optional<std::int64_t> read_time(disk& on, const std::string& path) {
  auto file = on.open(path);
  if (!file) return std::nullopt;
  std::array<std::uint8_t, 24> text{};
  const auto got = (*file)->read_at(0, text);
  if (!got) return std::nullopt;
  std::int64_t value = 0;
  const char* begin = reinterpret_cast<const char*>(text.data());
  const auto [end, problem] = std::from_chars(begin, begin + *got, value);
  if (problem != std::errc{} || end == begin) return std::nullopt;
  return value;
}

}  // namespace

status leave_clean_mark(disk& on, const std::string& folder, std::int64_t now_ms) {
  auto file = on.create(folder + mark_name);
  if (!file) return file.error();
  const std::string text = std::to_string(now_ms) + "\n";
  if (status done = (*file)->write_at(0, as_bytes(text)); !done) return done;
  if (status done = (*file)->sync(); !done) return done;
  return on.sync_folder(folder);
}

result<std::optional<std::int64_t>> take_clean_mark(disk& on, const std::string& folder) {
  const std::string path = folder + mark_name;
  const std::optional<std::int64_t> when = read_time(on, path);
  const status removed = on.remove(path);
  if (!removed && removed.error().code == errc::not_found) return std::optional<std::int64_t>();
  if (!removed) return removed.error();
  if (const status synced = on.sync_folder(folder); !synced) return synced.error();
  return when;
}

}  // namespace obsync::store
