#include "tests/support/memory_vault.hpp"

#include <algorithm>

#include "client/vault/name_rule.hpp"

namespace obsync::client::testing {

namespace {

using guard = std::lock_guard<std::recursive_mutex>;

error touched() {
  return {errc::unavailable, "touched meanwhile"};
}

std::size_t copy_out(const bytes& data, std::uint64_t offset, std::span<std::uint8_t> out) {
  if (offset >= data.size()) return 0;
  const std::size_t count = std::min<std::size_t>(out.size(), data.size() - offset);
  std::copy_n(data.begin() + static_cast<std::ptrdiff_t>(offset), count, out.begin());
  return count;
}

class memory_reader final : public vault_reader {
 public:
  explicit memory_reader(memory_folder::node node) : node_(std::move(node)) {}
  result<file_mark> mark() override { return node_.mark; }
  result<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> out) override {
    return copy_out(node_.data, offset, out);
  }

 private:
  memory_folder::node node_;
};

class memory_staged final : public staged_file {
 public:
  memory_staged(memory_folder& folder, std::string name) : path(std::move(name)), folder_(folder) {}

  const std::string path;

  result<std::uint64_t> size() override {
    const guard lock(folder_.mutex);
    return std::uint64_t{data().size()};
  }
  result<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> out) override {
    const guard lock(folder_.mutex);
    return copy_out(data(), offset, out);
  }
  status write_at(std::uint64_t offset, byte_view from) override {
    const guard lock(folder_.mutex);
    if (data().size() < offset + from.size()) data().resize(offset + from.size());
    std::copy(from.begin(), from.end(), data().begin() + static_cast<std::ptrdiff_t>(offset));
    return {};
  }
  status truncate(std::uint64_t size) override {
    const guard lock(folder_.mutex);
    data().resize(size);
    return {};
  }

 private:
  bytes& data() { return folder_.nodes[path].data; }
  memory_folder& folder_;
};

class memory_vault final : public vault {
 public:
  memory_vault(memory_folder& folder, std::function<std::optional<error>(const std::string&)> before)
      : folder_(folder), before_(std::move(before)) {}

  result<root_mark> open_root() override { return root_mark{1, 1}; }
  bool root_in_place() override { return true; }

  result<scan_result> scan(const scan_scope& scope) override {
    const guard lock(folder_.mutex);
    scan_result out;
    out.view.scope = scope;
    for (const auto& [path, node] : folder_.nodes) {
      const auto slash = path.rfind('/');
      const std::string name = slash == std::string::npos ? path : path.substr(slash + 1);
      if (!out.view.looked_at(path)) continue;
      if (name.starts_with(staged_prefix)) out.staged.push_back(path);
      if (!is_synced_path(path)) continue;
      const item_kind kind = node.is_folder ? item_kind::folder : item_kind::file;
      out.view.items[path] = {kind, path, node.mark, std::nullopt, false};
    }
    return out;
  }

  result<std::optional<file_mark>> look(const std::string& path) override {
    const guard lock(folder_.mutex);
    const auto found = folder_.nodes.find(path);
    return found == folder_.nodes.end() ? std::optional<file_mark>() : std::optional(found->second.mark);
  }

  result<std::unique_ptr<vault_reader>> open(const std::string& path) override {
    const guard lock(folder_.mutex);
    const auto found = folder_.nodes.find(path);
    if (found == folder_.nodes.end() || found->second.is_folder) return error{errc::not_found, ""};
    return std::unique_ptr<vault_reader>(std::make_unique<memory_reader>(found->second));
  }

  result<std::unique_ptr<staged_file>> stage(const std::string& path, const std::string& key) override {
    const guard lock(folder_.mutex);
    if (auto wrong = fault("stage")) return *wrong;
    if (auto wrong = blocked_by_file(path)) return *wrong;
    folder_.make_parents(path);
    const std::string parent(parent_of(path));
    std::string staged = (parent.empty() ? "" : parent + "/") + staged_name(key);
    auto [place, fresh] = folder_.nodes.try_emplace(staged);
    if (fresh) place->second.mark = folder_.fresh_mark(0);
    return std::unique_ptr<staged_file>(std::make_unique<memory_staged>(folder_, staged));
  }

  result<file_mark> place(staged_file& staged, const std::string& path,
                          const std::optional<file_mark>& expected, std::int64_t mtime_ms) override {
    const guard lock(folder_.mutex);
    if (auto wrong = fault("place")) return *wrong;
    const auto& part = static_cast<memory_staged&>(staged);
    const auto there = folder_.nodes.find(path);
    if (expected && (there == folder_.nodes.end() || there->second.mark != *expected)) return touched();
    if (!expected && there != folder_.nodes.end()) return error{errc::exists, "taken"};
    memory_folder::node node;
    node.data = folder_.nodes.at(part.path).data;
    node.mark = folder_.fresh_mark(static_cast<std::int64_t>(node.data.size()));
    node.mark.mtime_ns = mtime_ms * 1'000'000;
    folder_.nodes.erase(part.path);
    const file_mark mark = node.mark;
    folder_.nodes[path] = std::move(node);
    if (auto wrong = fault("placed")) return *wrong;
    return mark;
  }

  status drop_staged(const std::string& staged_path) override {
    const guard lock(folder_.mutex);
    folder_.nodes.erase(staged_path);
    return {};
  }

  result<file_mark> move(const std::string& from, const std::string& to, const file_mark& expected) override {
    const guard lock(folder_.mutex);
    if (auto wrong = fault("move")) return *wrong;
    if (auto wrong = blocked_by_file(to)) return *wrong;
    const auto there = folder_.nodes.find(from);
    if (there == folder_.nodes.end() || there->second.mark != expected) return touched();
    if (folder_.nodes.contains(to)) return error{errc::exists, "taken"};
    folder_.rename(from, to);
    if (auto wrong = fault("moved")) return *wrong;
    return folder_.nodes.at(to).mark;
  }

  status exchange(const std::string& one, const std::string& other) override {
    const guard lock(folder_.mutex);
    if (auto wrong = fault("exchange")) return *wrong;
    std::swap(folder_.nodes.at(one), folder_.nodes.at(other));
    folder_.nodes.at(one).mark.ctime_ns = ++folder_.now_ns;
    folder_.nodes.at(other).mark.ctime_ns = ++folder_.now_ns;
    if (auto wrong = fault("exchanged")) return *wrong;
    return {};
  }

  status remove(const std::string& path, const file_mark& expected) override {
    const guard lock(folder_.mutex);
    if (auto wrong = fault("remove")) return *wrong;
    const auto there = folder_.nodes.find(path);
    if (there == folder_.nodes.end() || there->second.mark != expected) return touched();
    folder_.nodes.erase(there);
    return {};
  }

  result<file_mark> make_folder(const std::string& path) override {
    const guard lock(folder_.mutex);
    if (auto wrong = fault("make_folder")) return *wrong;
    if (auto wrong = blocked_by_file(path)) return *wrong;
    const auto there = folder_.nodes.find(path);
    if (there != folder_.nodes.end() && !there->second.is_folder) return error{errc::exists, "a file"};
    folder_.make_folder(path);
    return folder_.nodes.at(path).mark;
  }

  status remove_folder(const std::string& path) override {
    const guard lock(folder_.mutex);
    if (auto wrong = fault("remove_folder")) return *wrong;
    for (const auto& [other, node] : folder_.nodes) {
      if (is_below(other, path)) return error{errc::exists, "not empty"};
    }
    folder_.nodes.erase(path);
    return {};
  }

 private:
  std::optional<error> fault(const char* call) { return before_ ? before_(call) : std::nullopt; }

  std::optional<error> blocked_by_file(const std::string& path) const {
    for (std::string_view at = parent_of(path); !at.empty(); at = parent_of(at)) {
      const auto found = folder_.nodes.find(std::string(at));
      if (found != folder_.nodes.end() && !found->second.is_folder)
        return error{errc::exists, "a file in the way"};
    }
    return std::nullopt;
  }

  memory_folder& folder_;
  std::function<std::optional<error>(const std::string&)> before_;
};

}  // namespace

file_mark memory_folder::fresh_mark(std::int64_t size) {
  now_ns += 1'000'000;
  return {size, now_ns, now_ns, now_ns, next_inode++};
}

void memory_folder::make_parents(const std::string& path) {
  const std::string parent(parent_of(path));
  if (!parent.empty()) make_folder(parent);
}

void memory_folder::write(const std::string& path, std::string_view text) {
  const guard lock(mutex);
  make_parents(path);
  auto [place, fresh] = nodes.try_emplace(path);
  node& one = place->second;
  if (fresh) one.mark = fresh_mark(0);
  one.data.assign(text.begin(), text.end());
  one.mark.size = static_cast<std::int64_t>(text.size());
  one.mark.mtime_ns = one.mark.ctime_ns = (now_ns += 1'000'000);
}

void memory_folder::rename(const std::string& from, const std::string& to) {
  const guard lock(mutex);
  make_parents(to);
  std::map<std::string, node> moved;
  for (auto it = nodes.begin(); it != nodes.end();) {
    if (it->first == from || is_below(it->first, from)) {
      moved[to + it->first.substr(from.size())] = std::move(it->second);
      it = nodes.erase(it);
    } else {
      ++it;
    }
  }
  if (const auto top = moved.find(to); top != moved.end() && !top->second.is_folder) {
    top->second.mark.ctime_ns = (now_ns += 1'000'000);
  }
  nodes.merge(moved);
}

void memory_folder::remove(const std::string& path) {
  const guard lock(mutex);
  std::erase_if(nodes, [&](const auto& one) { return one.first == path || is_below(one.first, path); });
}

void memory_folder::make_folder(const std::string& path) {
  const guard lock(mutex);
  make_parents(path);
  auto [place, fresh] = nodes.try_emplace(path);
  if (!fresh) return;
  place->second.is_folder = true;
  now_ns += 1'000'000;
  place->second.mark = {0, 0, 0, now_ns, next_inode++};
}

std::map<std::string, std::string> memory_folder::texts() const {
  const guard lock(mutex);
  std::map<std::string, std::string> out;
  for (const auto& [path, one] : nodes) {
    if (!one.is_folder && is_synced_path(path)) out[path] = std::string(as_text(one.data));
  }
  return out;
}

std::vector<std::string> memory_folder::folders() const {
  const guard lock(mutex);
  std::vector<std::string> out;
  for (const auto& [path, one] : nodes) {
    if (one.is_folder) out.push_back(path);
  }
  return out;
}

std::unique_ptr<vault> make_memory_vault(
    memory_folder& folder, std::function<std::optional<error>(const std::string& call)> before) {
  return std::make_unique<memory_vault>(folder, std::move(before));
}

}  // namespace obsync::client::testing
