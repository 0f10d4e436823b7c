// The order in which a scrub meets what is stored: small chunks by account and name, then the folders of
// files, then the references of all versions. Can be left and taken up again at the same place. Blocks in the
// readers it was given; one thread.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/ids.hpp"
#include "core/result.hpp"
#include "store/blob_store.hpp"
#include "store/small_store.hpp"
#include "store/upkeep_reader.hpp"

namespace obsync::actors {

class scrub_walk {
 public:
  enum class kind { small, file, reference };
  struct item {
    kind what = kind::small;
    account_id account;
    chunk_sid sid;
  };

  scrub_walk(store::upkeep_reader& catalog, store::small_reader& small, store::blob_store& blobs)
      : catalog_(catalog), small_(small), blobs_(blobs) {}

  // From the beginning, or from where place() was asked; a place nobody can make sense of is the beginning.
  status begin(const std::optional<std::string>& place);
  // Nothing at the end. What came since a page was read is met in the next pass.
  result<std::optional<item>> next();
  // Where to go on after a restart: what was met since the last page is met again.
  std::string place() const;

 private:
  // `small 3`, `file 200`, `reference 0`: the kind and how many accounts or folders of it lie behind.
  status load();
  status load_small(const account_id& account);
  status load_folder();
  status load_references(const account_id& account);
  bool step_over(std::size_t count);

  store::upkeep_reader& catalog_;
  store::small_reader& small_;
  store::blob_store& blobs_;
  std::vector<account_id> accounts_;
  kind what_ = kind::small;
  std::size_t behind_ = 0;
  bool over_ = false;
  std::optional<chunk_sid> after_;  // within an account
  sequence upto_ = 0;               // within an account
  std::deque<item> page_;
};

}  // namespace obsync::actors
