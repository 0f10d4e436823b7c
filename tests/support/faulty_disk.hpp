// The machine's file system, whose operation number n fails: once, with io_failed, half done where it is a
// write. Reading and looking are operations too.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/disk.hpp"

namespace obsync::test {

class faulty_disk final : public disk {
 public:
  faulty_disk(disk& under, std::uint64_t n) : under_(under), n_(n) {}

  bool fault_was_reached() const { return count_ > n_; }

  result<std::unique_ptr<disk_file>> create(const std::string& path) override {
    if (fails()) return failure();
    return wrap(under_.create(path));
  }
  result<std::unique_ptr<disk_file>> open(const std::string& path) override {
    if (fails()) return failure();
    return wrap(under_.open(path));
  }
  result<std::uint64_t> size_of(const std::string& path) override {
    if (fails()) return failure();
    return under_.size_of(path);
  }
  result<std::int64_t> modified_ms(const std::string& path) override {
    if (fails()) return failure();
    return under_.modified_ms(path);
  }
  status touch(const std::string& path) override { return fails() ? failure() : under_.touch(path); }
  status rename(const std::string& from, const std::string& to) override {
    return fails() ? failure() : under_.rename(from, to);
  }
  status remove(const std::string& path) override { return fails() ? failure() : under_.remove(path); }
  status remove_folder(const std::string& path) override {
    return fails() ? failure() : under_.remove_folder(path);
  }
  status make_folder(const std::string& path) override {
    return fails() ? failure() : under_.make_folder(path);
  }
  status sync_folder(const std::string& path) override {
    return fails() ? failure() : under_.sync_folder(path);
  }
  result<std::vector<disk_entry>> list(const std::string& path) override {
    if (fails()) return failure();
    return under_.list(path);
  }
  result<disk_room> room(const std::string& path) override {
    if (fails()) return failure();
    return under_.room(path);
  }

 private:
  class file final : public disk_file {
   public:
    file(faulty_disk& on, std::unique_ptr<disk_file> under) : on_(on), under_(std::move(under)) {}
    status write_at(std::uint64_t offset, byte_view data) override {
      if (!on_.fails()) return under_->write_at(offset, data);
      static_cast<void>(under_->write_at(offset, data.first(data.size() / 2)));
      return failure();
    }
    result<std::size_t> read_at(std::uint64_t offset, std::span<std::uint8_t> out) override {
      if (on_.fails()) return failure();
      return under_->read_at(offset, out);
    }
    status sync() override { return on_.fails() ? failure() : under_->sync(); }
    result<std::uint64_t> size() override {
      if (on_.fails()) return failure();
      return under_->size();
    }
    int native_handle() const override { return under_->native_handle(); }

   private:
    faulty_disk& on_;
    std::unique_ptr<disk_file> under_;
  };

  bool fails() { return count_++ == n_; }
  static error failure() { return {errc::io_failed, "the test's fault"}; }
  result<std::unique_ptr<disk_file>> wrap(result<std::unique_ptr<disk_file>> opened) {
    if (!opened.ok()) return opened;
    return std::unique_ptr<disk_file>(std::make_unique<file>(*this, std::move(*opened)));
  }

  disk& under_;
  std::uint64_t n_;
  std::atomic<std::uint64_t> count_ = 0;
};

}  // namespace obsync::test
