// Just enough JSON to print a status for scripts: flat objects, in the order given.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace obsync::client {

class json_object {
 public:
  json_object& add(std::string_view name, std::string_view value);  // bytes that are no UTF-8 become U+FFFD
  json_object& add(std::string_view name, const char* value) { return add(name, std::string_view(value)); }
  json_object& add(std::string_view name, std::int64_t value) { return add_raw(name, std::to_string(value)); }
  json_object& add(std::string_view name, std::uint64_t value) {
    return add_raw(name, std::to_string(value));
  }
  json_object& add(std::string_view name, bool value) { return add_raw(name, value ? "true" : "false"); }
  json_object& add_null(std::string_view name) { return add_raw(name, "null"); }
  json_object& add_raw(std::string_view name, std::string_view json);
  std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

}  // namespace obsync::client
