// A small file of ours as text: a title line, then one `name value` per line. Values may hold any byte;
// control characters, `%` and 0x7F travel as %XX. Chosen over JSON because a person can read and mend it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"

namespace obsync::client {

class record {
 public:
  explicit record(std::string title) : title_(std::move(title)) {}

  void set(const std::string& name, std::string value) { values_[name] = std::move(value); }
  // errc::corrupt naming what is absent.
  result<std::string> get(const std::string& name) const;
  std::optional<std::string> find(const std::string& name) const;

  std::string text() const;
  // errc::corrupt for another title, a name twice, or anything malformed.
  static result<record> parse(std::string_view title, std::string_view text);

 private:
  std::string title_;
  std::map<std::string, std::string> values_;
};

}  // namespace obsync::client
