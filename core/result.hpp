// A value or the reason there is none. clang 14 does not see std::expected, so this is the part of it we use.
#pragma once

#include <utility>
#include <variant>

#include "core/assert.hpp"
#include "core/error.hpp"

namespace obsync {

template <class T, class E = obsync::error>
class [[nodiscard]] result {
 public:
  result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  result(E failure) : state_(std::in_place_index<1>, std::move(failure)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Precondition of the next four: ok(). Of error(): !ok().
  T& value() & { return get(); }
  const T& value() const& { return const_cast<result*>(this)->get(); }
  T&& value() && { return std::move(get()); }
  T& operator*() & { return get(); }
  const T& operator*() const& { return const_cast<result*>(this)->get(); }
  T&& operator*() && { return std::move(get()); }
  T* operator->() { return &get(); }
  const T* operator->() const { return &const_cast<result*>(this)->get(); }

  const E& error() const {
    OBSYNC_ASSERT(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  T& get() {
    OBSYNC_ASSERT(ok());
    return *std::get_if<0>(&state_);
  }

  std::variant<T, E> state_;
};

// An act without a value: success, or the reason it failed.
template <class E>
class [[nodiscard]] result<void, E> {
 public:
  result() = default;
  result(E failure) : state_(std::in_place_index<1>, std::move(failure)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  const E& error() const {
    OBSYNC_ASSERT(!ok());
    return *std::get_if<1>(&state_);
  }

 private:
  std::variant<std::monostate, E> state_;
};

using status = result<void>;

}  // namespace obsync
