// Short ways to write down the engine's three views in a test.
#pragma once

#include <string>
#include <vector>

#include "client/engine/plan.hpp"

namespace obsync::client::testing {

// Ids and contents out of small numbers; equal numbers, equal ids.
template <class Id>
Id id_of(std::uint8_t number) {
  Id id;
  id.raw.back() = number;
  return id;
}
inline file_id file(std::uint8_t number) {
  return id_of<file_id>(number);
}
inline version_id version(std::uint8_t number) {
  return id_of<version_id>(number);
}
inline content_id text(std::uint8_t number) {
  return id_of<content_id>(number);
}

inline file_mark mark_of(std::uint64_t inode, std::uint8_t content) {
  return {10, content, content, 1, inode};
}

class number_namer final : public copy_namer {
 public:
  std::string name(std::string_view path, std::optional<device_id> author, std::int64_t,
                   int number) const override {
    return std::string(path) + " copy" + (author ? " of " + std::to_string(author->raw.back()) : "") +
           (number > 1 ? " " + std::to_string(number) : "");
  }
};

class plan_world {
 public:
  // File `id` was agreed as `path` with `content`, version = id, inode = id.
  base_item& agreed(std::uint8_t id, const std::string& path, std::uint8_t content) {
    base.push_back(
        {file(id), item_kind::file, false, path, version(id), 100, text(content), mark_of(id, content)});
    return base.back();
  }
  base_item& agreed_folder(std::uint8_t id, const std::string& path) {
    base.push_back({file(id), item_kind::folder, false, path, version(id), 100, {}, mark_of(id, 0)});
    return base.back();
  }
  local_item& here(const std::string& path, std::uint8_t content, std::uint64_t inode) {
    return local.items[path] = {item_kind::file, path, mark_of(inode, content), text(content), false};
  }
  local_item& folder_here(const std::string& path, std::uint64_t inode) {
    return local.items[path] = {item_kind::folder, path, mark_of(inode, 0), std::nullopt, false};
  }
  // A head of file `id`; a second one makes a fork.
  remote_head& there(std::uint8_t id, std::uint8_t head, const std::string& path, std::uint8_t content) {
    remote_head one{version(head), item_kind::file, false, path, 10, 0, text(content), 200 + head, {}};
    one.author = id_of<device_id>(head);
    return add(id, one);
  }
  remote_head& gone_there(std::uint8_t id, std::uint8_t head, const std::string& path) {
    return add(id, {version(head), item_kind::file, true, path, 0, 0, {}, 200 + head, {}});
  }
  remote_head& folder_there(std::uint8_t id, std::uint8_t head, const std::string& path,
                            bool deleted = false) {
    return add(id, {version(head), item_kind::folder, deleted, path, 0, 0, {}, 200 + head, {}});
  }
  remote_file& news_of(std::uint8_t id) {
    for (remote_file& one : remote) {
      if (one.id == file(id)) return one;
    }
    remote.push_back({file(id), {}, "", false});
    return remote.back();
  }

  plan make(bool decide_now = true) const {
    const naming rules{namer, [](const std::string&) { return false; }, 1000, decide_now};
    return make_plan(base, local, remote, rules);
  }

  std::vector<base_item> base;
  local_view local;
  std::vector<remote_file> remote;
  number_namer namer;

 private:
  remote_head& add(std::uint8_t id, const remote_head& head) {
    auto& heads = news_of(id).heads;
    heads.push_back(head);
    return heads.back();
  }
};

}  // namespace obsync::client::testing
