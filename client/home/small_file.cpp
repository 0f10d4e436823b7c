#include "client/home/small_file.hpp"

#include <unistd.h>

namespace obsync::client {

namespace {

constexpr std::uint64_t bytes_max = 1u << 20;

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

}  // namespace

status replace_file(disk& on, const std::string& path, std::string_view text, durability how) {
  const std::string beside = path + ".new" + std::to_string(::getpid());
  (void)on.remove(beside);  // left behind by a process of this number that was killed
  {
    auto file = on.create(beside);
    if (!file) return file.error();
    if (auto written = (*file)->write_at(0, as_bytes(text)); !written) return written;
    if (how == durability::synced) {
      if (auto synced = (*file)->sync(); !synced) return synced;
    }
  }
  if (auto renamed = on.rename(beside, path); !renamed) return renamed;
  return how == durability::synced ? on.sync_folder(folder_of(path)) : status{};
}

result<std::string> read_file(disk& on, const std::string& path) {
  auto file = on.open(path);
  if (!file) return file.error();
  const auto size = (*file)->size();
  if (!size) return size.error();
  if (*size > bytes_max) return error{errc::corrupt, path + ": too large to be what it claims"};
  std::string text(*size, '\0');
  const auto got = (*file)->read_at(0, {reinterpret_cast<std::uint8_t*>(text.data()), text.size()});
  if (!got) return got.error();
  text.resize(*got);
  return text;
}

}  // namespace obsync::client
