// Memory that requests share: whoever finds none left waits in line, so that a flood waits and does not grow.
// Any thread.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace obsync::http {

class byte_budget {
 public:
  // Gives its bytes back when it goes.
  class lease {
   public:
    lease() = default;
    lease(std::shared_ptr<byte_budget> from, std::uint64_t bytes) : from_(std::move(from)), bytes_(bytes) {}
    lease(lease&& other) noexcept : from_(std::move(other.from_)), bytes_(other.bytes_) {
      other.from_ = nullptr;
    }
    lease& operator=(lease&& other) noexcept {
      if (this != &other) {
        release();
        from_ = std::move(other.from_);
        bytes_ = other.bytes_;
        other.from_ = nullptr;
      }
      return *this;
    }
    ~lease() { release(); }
    void release();

   private:
    std::shared_ptr<byte_budget> from_;
    std::uint64_t bytes_ = 0;
  };

  static std::shared_ptr<byte_budget> make(std::uint64_t bytes_max) {
    return std::shared_ptr<byte_budget>(new byte_budget(bytes_max));
  }

  // Takes `bytes` now, or not at all: false.
  static bool try_take(const std::shared_ptr<byte_budget>& from, std::uint64_t bytes, lease& into);
  // Calls `granted` with the lease, at once or later from whoever gives bytes back, first come first served.
  // More than the whole budget is granted as the whole budget.
  static void take(const std::shared_ptr<byte_budget>& from, std::uint64_t bytes,
                   std::function<void(lease)> granted);

  std::uint64_t in_use() const;

 private:
  explicit byte_budget(std::uint64_t bytes_max) : bytes_max_(bytes_max) {}
  void give_back(const std::shared_ptr<byte_budget>& self, std::uint64_t bytes);

  struct waiter {
    std::uint64_t bytes;
    std::function<void(lease)> granted;
  };

  const std::uint64_t bytes_max_;
  mutable std::mutex mutex_;
  std::uint64_t used_ = 0;
  std::deque<waiter> waiting_;
};

}  // namespace obsync::http
