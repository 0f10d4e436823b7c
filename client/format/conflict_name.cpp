#include "client/format/conflict_name.hpp"

#include <chrono>
#include <cstdio>

#include "core/utf8.hpp"

namespace obsync::client {

namespace {

constexpr std::size_t device_units_max = 40;
constexpr std::size_t file_name_bytes_max = 255;
constexpr std::string_view nameless = "another device";

bool becomes_space(char32_t c) {
  constexpr std::u32string_view reserved = U"\\/:*?\"<>|#^[]";
  constexpr std::u32string_view white = U" \u00A0\u1680\u2028\u2029\u202F\u205F\u3000\uFEFF";
  return c < 0x20 || c == 0x7F || (c >= 0x2000 && c <= 0x200A) || reserved.find(c) != reserved.npos ||
         white.find(c) != white.npos;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// The longest beginning of `text` within `units_max` UTF-16 units.
std::string_view first_units(std::string_view text, std::size_t units_max) {
  std::string_view rest = text;
  std::size_t kept = 0;
  for (std::size_t units = 0; !rest.empty(); kept = text.size() - rest.size()) {
    const auto character = take_character(rest);
    if (!character) break;
    units += *character > 0xFFFF ? 2 : 1;
    if (units > units_max) break;
  }
  return text.substr(0, kept);
}

// The longest beginning of `text` within `bytes_max` that does not break a character.
std::string_view first_bytes(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  while (bytes_max > 0 && (static_cast<unsigned char>(text[bytes_max]) & 0xC0) == 0x80) --bytes_max;
  return text.substr(0, bytes_max);
}

std::string written_time(const conflict_mark& mark) {
  using namespace std::chrono;
  const sys_time<milliseconds> shifted{milliseconds(mark.when_ms) + seconds(mark.local_offset_s.value_or(0))};
  const auto day = floor<days>(shifted);
  const year_month_day date(day);
  const hh_mm_ss time(floor<minutes>(shifted - day));
  char text[64];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u %02d%02d%s", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(time.hours().count()), static_cast<int>(time.minutes().count()),
                mark.local_offset_s ? "" : " UTC");
  return text;
}

}  // namespace

std::string clean_device_name(std::string_view name) {
  std::string clean;
  while (!name.empty()) {
    auto character = take_character(name);
    if (!character) {
      name.remove_prefix(1);
      character = U' ';
    }
    if (becomes_space(*character)) character = U' ';
    const bool repeats =
        (*character == U' ' && clean.ends_with(' ')) || (*character == U'.' && clean.ends_with('.'));
    if (!repeats) append_utf8(clean, *character);
  }
  const std::string_view kept = first_units(trimmed(clean), device_units_max);
  return std::string(kept.empty() ? nameless : kept);
}

std::string conflict_path(std::string_view path, const conflict_mark& mark, int number) {
  const std::size_t slash = path.rfind('/');
  const std::size_t folder_end = slash == std::string_view::npos ? 0 : slash + 1;
  const std::string_view name = path.substr(folder_end);
  const std::size_t dot = name.rfind('.');
  const bool has_extension = dot != std::string_view::npos && dot > 0;
  const std::string_view stem = has_extension ? name.substr(0, dot) : name;
  std::string_view extension = has_extension ? name.substr(dot) : std::string_view();

  std::string middle = " (conflict from " + clean_device_name(mark.device) + ", " + written_time(mark) + ")";
  if (number > 1) middle += " " + std::to_string(number);
  // An "extension" that leaves no room for a stem is no extension worth keeping whole.
  if (middle.size() + extension.size() >= file_name_bytes_max) {
    extension = first_bytes(extension, file_name_bytes_max - middle.size() - 1);
  }
  const std::string_view kept = first_bytes(stem, file_name_bytes_max - middle.size() - extension.size());
  return std::string(path.substr(0, folder_end)).append(kept).append(middle).append(extension);
}

}  // namespace obsync::client
