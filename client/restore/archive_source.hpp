// A vault as an archive has it. Memory: that of wire/archive_reader.hpp, and the history of one file.
#pragma once

#include <memory>
#include <mutex>

#include "client/restore/version_source.hpp"
#include "crypto/secret.hpp"
#include "wire/archive_reader.hpp"

namespace obsync::client {

class archive_source final : public version_source {
 public:
  // Reads and checks the whole archive: see wire::archive_reader. errc::corrupt also where a device vouched
  // for it and this key says otherwise. `file` outlives the source.
  static result<std::unique_ptr<archive_source>> open(disk_file& file, const crypto::secret32& vault_root_key,
                                                      const std::function<void(std::uint64_t)>& told);

  bool tells_time() const override { return archive_->tells_time(); }
  bool is_vouched_for() const { return archive_->proof() != digest{}; }
  status visit(const std::function<status(const wire::change&)>& take) override;
  result<sealed_chunks> chunks(const std::vector<chunk_sid>& sids) override;
  std::string name_of(const device_id&) override { return {}; }

 private:
  explicit archive_source(std::unique_ptr<wire::archive_reader> archive) : archive_(std::move(archive)) {}

  std::unique_ptr<wire::archive_reader> archive_;
  std::mutex mutex_;  // the reader is for one thread
};

}  // namespace obsync::client
