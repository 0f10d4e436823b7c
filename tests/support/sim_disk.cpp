#include "tests/support/sim_disk.hpp"

#include <algorithm>
#include <utility>

namespace obsync::test {

namespace {

struct pending_write {
  std::uint64_t offset = 0;
  bytes data;
  bool truncates = false;  // to `offset` bytes
};

void apply(bytes& to, std::uint64_t offset, byte_view data) {
  if (to.size() < offset + data.size()) to.resize(offset + data.size());
  std::copy(data.begin(), data.end(), to.begin() + static_cast<std::ptrdiff_t>(offset));
}

}  // namespace

struct sim_disk::node {
  disk_kind kind = disk_kind::file;
  // Of a file.
  bytes content;
  bytes durable_content;
  std::vector<pending_write> pending;
  std::int64_t modified_ms = 0;
  // Of a folder.
  std::map<std::string, std::shared_ptr<node>> entries;
  std::map<std::string, std::shared_ptr<node>> durable_entries;
};

class sim_file final : public sim_file_base {
 public:
  sim_file(sim_disk& on, std::shared_ptr<sim_disk::node> node)
      : on_(on), node_(std::move(node)), generation_(on.generation_) {}

  status write_at(std::uint64_t offset, byte_view data) override {
    const std::lock_guard lock(on_.mutex_);
    if (auto gone = lost()) return *gone;
    const auto failed = on_.fault("write_at");
    if (!failed && on_.full_ && offset + data.size() > node_->content.size()) return on_.no_room();
    if (failed) data = data.first(data.size() / 2);
    apply(node_->content, offset, data);
    node_->modified_ms = on_.now_ms_;
    node_->pending.push_back({offset, bytes(data.begin(), data.end()), false});
    if (failed) return *failed;
    return {};
  }

  result<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> out) override {
    const std::lock_guard lock(on_.mutex_);
    if (auto gone = lost()) return *gone;
    if (auto failed = on_.fault("read_at")) return *failed;
    const bytes& content = node_->content;
    if (offset >= content.size()) return std::size_t{0};
    const std::size_t count = std::min<std::size_t>(out.size(), content.size() - offset);
    std::copy_n(content.begin() + static_cast<std::ptrdiff_t>(offset), count, out.begin());
    return count;
  }

  status sync() override {
    const std::lock_guard lock(on_.mutex_);
    if (auto gone = lost()) return *gone;
    const auto failed = on_.fault("sync");
    if (!failed) {
      for (const pending_write& write : node_->pending) {
        if (write.truncates) {
          node_->durable_content.resize(write.offset);
        } else {
          apply(node_->durable_content, write.offset, write.data);
        }
      }
      ++on_.syncs_;
    }
    node_->pending.clear();
    if (failed) return *failed;
    return {};
  }

  status truncate(std::uint64_t size) override {
    const std::lock_guard lock(on_.mutex_);
    if (auto gone = lost()) return *gone;
    if (auto failed = on_.fault("truncate")) return *failed;
    node_->content.resize(size);
    node_->pending.push_back({size, {}, true});
    return {};
  }

  result<std::uint64_t> size() override {
    const std::lock_guard lock(on_.mutex_);
    if (auto gone = lost()) return *gone;
    if (auto failed = on_.fault("size")) return *failed;
    return std::uint64_t{node_->content.size()};
  }

  int native_handle() const override { return -1; }

 private:
  std::optional<error> lost() const {
    if (generation_ == on_.generation_) return std::nullopt;
    return error{errc::io_failed, "the power was cut while this file was open"};
  }

  sim_disk& on_;
  std::shared_ptr<sim_disk::node> node_;
  std::uint64_t generation_;
};

sim_disk::sim_disk(std::uint64_t seed, disk_room has_room)
    : random_(seed), room_(has_room), root_(std::make_shared<node>()) {
  root_->kind = disk_kind::folder;
}

sim_disk::~sim_disk() = default;

void sim_disk::fail_at(std::uint64_t n, errc code) {
  const std::lock_guard lock(mutex_);
  operations_ = 0;
  fail_at_ = n;
  fail_code_ = code;
  dies_ = false;
}

void sim_disk::die_at(std::uint64_t n) {
  fail_at(n, errc::io_failed);
  const std::lock_guard lock(mutex_);
  dies_ = true;
}

std::uint64_t sim_disk::operations() const {
  const std::lock_guard lock(mutex_);
  return operations_;
}

bool sim_disk::fault_was_reached() const {
  const std::lock_guard lock(mutex_);
  return fail_at_ && operations_ > *fail_at_;
}

std::uint64_t sim_disk::sync_count() const {
  const std::lock_guard lock(mutex_);
  return syncs_;
}

std::optional<error> sim_disk::fault(const char* verb) {
  const std::uint64_t number = operations_++;
  if (!fail_at_ || (dies_ ? number < *fail_at_ : number != *fail_at_)) return std::nullopt;
  return error{fail_code_, std::string("simulated fault of ") + verb};
}

std::shared_ptr<sim_disk::node> sim_disk::find(const std::string& path) const {
  std::shared_ptr<node> at = root_;
  for (std::size_t from = 0; from < path.size();) {
    const std::size_t slash = std::min(path.find('/', from), path.size());
    if (slash > from) {
      if (at->kind != disk_kind::folder) return nullptr;
      const auto next = at->entries.find(path.substr(from, slash - from));
      if (next == at->entries.end()) return nullptr;
      at = next->second;
    }
    from = slash + 1;
  }
  return at;
}

result<sim_disk::place> sim_disk::split(const std::string& path) const {
  const std::size_t slash = path.rfind('/');
  auto folder = find(path.substr(0, slash));
  if (!folder || folder->kind != disk_kind::folder) return error{errc::not_found, "no such folder"};
  return place{std::move(folder), path.substr(slash + 1)};
}

result<std::unique_ptr<disk_file>> sim_disk::create(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (auto failed = fault("create")) return *failed;
  if (full_) return no_room();
  const auto at = split(path);
  if (!at.ok()) return at.error();
  auto made = std::make_shared<node>();
  if (!at->folder->entries.emplace(at->name, made).second) return error{errc::exists, "the name is taken"};
  return std::unique_ptr<disk_file>(std::make_unique<sim_file>(*this, std::move(made)));
}

result<std::unique_ptr<disk_file>> sim_disk::open(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (auto failed = fault("open")) return *failed;
  auto found = find(path);
  if (!found) return error{errc::not_found, "no such file"};
  if (found->kind != disk_kind::file) return error{errc::invalid, "not a regular file"};
  return std::unique_ptr<disk_file>(std::make_unique<sim_file>(*this, std::move(found)));
}

result<std::uint64_t> sim_disk::size_of(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (auto failed = fault("size_of")) return *failed;
  const auto found = find(path);
  if (!found) return error{errc::not_found, "no such file"};
  return std::uint64_t{found->content.size()};
}

result<std::int64_t> sim_disk::modified_ms(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (auto failed = fault("modified_ms")) return *failed;
  const auto found = find(path);
  if (!found) return error{errc::not_found, "no such file"};
  return found->modified_ms;
}

status sim_disk::touch(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (auto failed = fault("touch")) return *failed;
  const auto found = find(path);
  if (!found) return error{errc::not_found, "no such file"};
  found->modified_ms = now_ms_;
  return {};
}

void sim_disk::set_time(std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  now_ms_ = now_ms;
}

status sim_disk::rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  if (auto failed = fault("rename")) return *failed;
  const auto source = split(from);
  if (!source.ok()) return source.error();
  const auto target = split(to);
  if (!target.ok()) return target.error();
  const auto found = source->folder->entries.find(source->name);
  if (found == source->folder->entries.end()) return error{errc::not_found, "no such file"};
  const auto moved = found->second;
  source->folder->entries.erase(found);
  target->folder->entries[target->name] = moved;
  return {};
}

status sim_disk::remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (auto failed = fault("remove")) return *failed;
  const auto at = split(path);
  if (!at.ok()) return at.error();
  const auto found = at->folder->entries.find(at->name);
  if (found == at->folder->entries.end()) return error{errc::not_found, "no such file"};
  if (found->second->kind == disk_kind::folder) return error{errc::io_failed, "is a folder"};
  at->folder->entries.erase(found);
  return {};
}

status sim_disk::remove_folder(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (auto failed = fault("remove_folder")) return *failed;
  const auto at = split(path);
  if (!at.ok()) return at.error();
  const auto found = at->folder->entries.find(at->name);
  if (found == at->folder->entries.end()) return error{errc::not_found, "no such folder"};
  if (found->second->kind != disk_kind::folder || !found->second->entries.empty())
    return error{errc::io_failed, "no empty folder"};
  at->folder->entries.erase(found);
  return {};
}

status sim_disk::make_folder(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (auto failed = fault("make_folder")) return *failed;
  const auto at = split(path);
  if (!at.ok()) return at.error();
  if (full_ && !at->folder->entries.contains(at->name)) return no_room();
  auto made = std::make_shared<node>();
  made->kind = disk_kind::folder;
  const auto [entry, fresh] = at->folder->entries.emplace(at->name, made);
  if (!fresh && entry->second->kind != disk_kind::folder) {
    return error{errc::invalid, "a file is in the way"};
  }
  return {};
}

status sim_disk::sync_folder(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto failed = fault("sync_folder");
  const auto folder = find(path);
  if (!folder || folder->kind != disk_kind::folder) return error{errc::not_found, "no such folder"};
  if (failed) return *failed;
  folder->durable_entries = folder->entries;
  ++syncs_;
  return {};
}

result<std::vector<disk_entry>> sim_disk::list(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (auto failed = fault("list")) return *failed;
  const auto folder = find(path);
  if (!folder || folder->kind != disk_kind::folder) return error{errc::not_found, "no such folder"};
  std::vector<disk_entry> out;
  for (const auto& [name, at] : folder->entries) out.push_back({name, at->kind});
  return out;
}

result<disk_room> sim_disk::room(const std::string&) {
  const std::lock_guard lock(mutex_);
  if (auto failed = fault("room")) return *failed;
  return room_;
}

void sim_disk::set_full(bool full) {
  const std::lock_guard lock(mutex_);
  full_ = full;
}

void sim_disk::power_cut(cut how) {
  const std::lock_guard lock(mutex_);
  ++generation_;
  fail_at_.reset();
  dies_ = false;
  cut_node(*root_, how);
}

std::uint64_t sim_disk::cuts() const {
  const std::lock_guard lock(mutex_);
  return generation_;
}

void sim_disk::cut_node(node& at, cut how) {
  if (at.kind == disk_kind::file) {
    bytes left = at.durable_content;
    for (const pending_write& write : at.pending) {
      if (how == cut::drop || coin()) continue;
      if (write.truncates) {
        left.resize(write.offset);
        continue;
      }
      const std::size_t kept = coin() ? write.data.size() : write.data.size() / 2;
      apply(left, write.offset, bytes(write.data.size()));
      apply(left, write.offset, byte_view(write.data).first(kept));
    }
    at.content = at.durable_content = std::move(left);
    at.pending.clear();
    return;
  }
  auto left = at.durable_entries;
  if (how == cut::tear) {
    for (const auto& [name, now] : at.entries) {
      if (coin()) left[name] = now;
    }
    for (const auto& [name, before] : at.durable_entries) {
      if (!at.entries.contains(name) && coin()) left.erase(name);
    }
  }
  at.entries = at.durable_entries = left;
  for (const auto& [name, child] : left) cut_node(*child, how);
}

}  // namespace obsync::test
