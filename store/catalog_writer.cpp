// The writer: one transaction for each batch.
#include <utility>

#include "store/catalog.hpp"
#include "store/catalog_accounts.hpp"
#include "store/catalog_audit.hpp"
#include "store/catalog_operator.hpp"
#include "store/catalog_posts.hpp"
#include "store/catalog_schema.hpp"
#include "store/catalog_upkeep.hpp"
#include "store/database.hpp"

namespace obsync::store {

namespace {

class sqlite_catalog_writer final : public catalog_writer {
 public:
  sqlite_catalog_writer(std::unique_ptr<sql::connection> on, chunk_presence& presence)
      : on_(std::move(on)),
        audit_(*on_),
        accounts_(*on_, audit_),
        operator_(*on_, audit_),
        upkeep_(*on_),
        posts_(*on_, presence) {}

  result<std::vector<commit_outcome>> commit(std::span<const operation> batch) override {
    if (broken_) return *broken_;
    const std::int64_t changes_before = on_->changes();
    begin_.run();
    std::vector<commit_outcome> outcomes;
    outcomes.reserve(batch.size());
    for (const operation& asked : batch) {
      outcomes.push_back(run(asked));
      if (on_->failed()) break;
    }
    commit_.run();
    if (on_->failed()) return give_up();
    if (on_->changes() != changes_before) ++flushes_;
    return outcomes;
  }

  std::uint64_t flush_count() const override { return flushes_; }

 private:
  commit_outcome run(const operation& asked) {
    return std::visit(
        [this](const auto& one) -> commit_outcome {
          if constexpr (requires { posts_.run(one); }) {
            return posts_.run(one);
          } else if constexpr (requires { operator_.run(one); }) {
            return operator_.run(one);
          } else if constexpr (requires { upkeep_.run(one); }) {
            return upkeep_.run(one);
          } else {
            return accounts_.run(one);
          }
        },
        asked);
  }

  // Only a full volume is known to have left nothing behind. After a failed flush the batch may or may not be
  // on the medium, and asking the kernel again would be answered with a lie.
  error give_up() {
    on_->roll_back();
    error failure = on_->take_failure();
    if (failure.code != errc::no_space) broken_ = failure;
    return failure;
  }

  std::unique_ptr<sql::connection> on_;
  sql::statement begin_{*on_, "BEGIN IMMEDIATE"};
  sql::statement commit_{*on_, "COMMIT"};
  audit_pen audit_;
  account_operations accounts_;
  operator_operations operator_;
  upkeep_operations upkeep_;
  post_operations posts_;
  std::uint64_t flushes_ = 0;
  std::optional<error> broken_;
};

}  // namespace

result<std::unique_ptr<catalog_writer>> open_catalog_writer(const catalog_options& options,
                                                            chunk_presence& presence) {
  auto on = open_for_writing({options.folder, catalog_file_name, options.cache_bytes, options.files},
                             catalog_schema);
  if (!on.ok()) return on.error();
  return std::unique_ptr<catalog_writer>(std::make_unique<sqlite_catalog_writer>(std::move(*on), presence));
}

}  // namespace obsync::store
