// Hands a C library's own handle back to it: std::unique_ptr<BIO, freed_by<BIO_free>>.
#pragma once

namespace obsync {

template <auto Free>
struct freed_by {
  template <class T>
  void operator()(T* handle) const {
    Free(handle);
  }
};

}  // namespace obsync
