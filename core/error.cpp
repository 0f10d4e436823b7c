#include "core/error.hpp"

namespace obsync {

std::string_view name(errc code) {
  switch (code) {
    case errc::invalid:
      return "invalid";
    case errc::not_found:
      return "not_found";
    case errc::exists:
      return "exists";
    case errc::denied:
      return "denied";
    case errc::no_space:
      return "no_space";
    case errc::io_failed:
      return "io_failed";
    case errc::corrupt:
      return "corrupt";
    case errc::unavailable:
      return "unavailable";
    case errc::overloaded:
      return "overloaded";
    case errc::timed_out:
      return "timed_out";
    case errc::shutting_down:
      return "shutting_down";
    case errc::unsupported:
      return "unsupported";
  }
  return "unknown";
}

}  // namespace obsync
