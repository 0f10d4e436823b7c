// A staged file on the machine's file system. For the sources of client/vault only.
#pragma once

#include <optional>

#include "client/vault/folder_walk.hpp"
#include "client/vault/vault.hpp"

namespace obsync::client {

class staged_part final : public staged_file {
 public:
  staged_part(place_in_folder place, file_handle file) : place_(std::move(place)), file_(std::move(file)) {}

  result<std::uint64_t> size() override;
  result<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> out) override;
  status write_at(std::uint64_t offset, byte_view data) override;
  status truncate(std::uint64_t size) override;

  // Makes it durable with the given time and mode, ready to be renamed.
  status seal(std::int64_t mtime_ms, unsigned mode);
  // Renames it to `to`, where nothing may be.
  status take_free_name(const place_in_folder& to);
  // Swaps it with the file at `to`, which must look like `expected`, and removes what was there.
  status take_place_of(const place_in_folder& to, const file_mark& expected);

  int descriptor() const { return file_.get(); }

 private:
  status undo_exchange(const place_in_folder& to);

  place_in_folder place_;
  file_handle file_;
};

// rename without ever replacing; plain rename where it is only a change of letter case of the same item.
status rename_to_free(const place_in_folder& from, const place_in_folder& to);

}  // namespace obsync::client
