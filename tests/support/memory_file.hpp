// A disk_file that is a piece of memory.
#pragma once

#include <algorithm>
#include <utility>

#include "core/disk.hpp"

namespace obsync::test {

class memory_file final : public disk_file {
 public:
  explicit memory_file(bytes begin_with = {}) : data(std::move(begin_with)) {}

  status write_at(std::uint64_t offset, byte_view part) override {
    const auto end = static_cast<std::size_t>(offset) + part.size();
    if (data.size() < end) data.resize(end);
    std::copy(part.begin(), part.end(), data.begin() + static_cast<std::ptrdiff_t>(offset));
    return {};
  }
  result<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> out) override {
    if (offset >= data.size()) return std::size_t{0};
    const auto count = std::min<std::size_t>(out.size(), data.size() - static_cast<std::size_t>(offset));
    std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(offset), count, out.begin());
    return count;
  }
  status sync() override { return {}; }
  result<std::uint64_t> size() override { return std::uint64_t{data.size()}; }
  int native_handle() const override { return -1; }

  bytes data;
};

}  // namespace obsync::test
