#include "client/restore/archive_source.hpp"

#include "client/format/archive_proof.hpp"
#include "crypto/digest.hpp"

namespace obsync::client {

namespace {

// An archive lists the newest version of a file first.
class turner final : public wire::archive_visitor {
 public:
  explicit turner(const std::function<status(const wire::change&)>& take) : take_(take) {}

  status begin_file(const wire::archived_file& file) override {
    file_ = file;
    versions_.clear();
    return {};
  }
  status version(const wire::version_record& version) override {
    versions_.push_back(version);
    return {};
  }
  status end_file() override {
    for (auto one = versions_.rbegin(); one != versions_.rend(); ++one)
      if (const status taken = take_({0, file_.id, file_.domain, std::move(*one), file_.heads}); !taken)
        return taken;
    return {};
  }

 private:
  const std::function<status(const wire::change&)>& take_;
  wire::archived_file file_;
  std::vector<wire::version_record> versions_;
};

}  // namespace

result<std::unique_ptr<archive_source>> archive_source::open(disk_file& file,
                                                             const crypto::secret32& vault_root_key,
                                                             const std::function<void(std::uint64_t)>& told) {
  auto archive = wire::archive_reader::open(file, told);
  if (!archive) return archive.error();
  const digest& proof = (*archive)->proof();
  if (proof != digest{} && !crypto::equal_constant_time(
                               proof.view(), archive_proof(vault_root_key, (*archive)->index_hash()).view()))
    return error{errc::corrupt, "a device of another vault made this archive, or somebody changed it"};
  return std::unique_ptr<archive_source>(new archive_source(std::move(*archive)));
}

status archive_source::visit(const std::function<status(const wire::change&)>& take) {
  turner in_order(take);
  return archive_->visit(in_order);
}

result<sealed_chunks> archive_source::chunks(const std::vector<chunk_sid>& sids) {
  const std::lock_guard lock(mutex_);
  sealed_chunks out;
  for (const chunk_sid& sid : sids) {
    auto one = archive_->chunk(sid);
    if (!one) return one.error();
    out.push_back(std::move(*one));
  }
  return out;
}

}  // namespace obsync::client
