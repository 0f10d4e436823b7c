// Requests about chunks.
#pragma once

#include <string>
#include <vector>

#include "core/ids.hpp"
#include "wire/failure.hpp"

namespace obsync::wire {

struct exists_request {
  std::vector<chunk_sid> sids;  // at most 4096
};

struct exists_answer {
  std::vector<chunk_sid> missing;  // in the order asked, duplicates repeated
};

struct get_request {
  std::vector<chunk_sid> sids;  // at most 64
};

struct put_answer {
  chunk_sid sid;
};

std::string to_json(const exists_request& value);
std::string to_json(const exists_answer& value);
std::string to_json(const get_request& value);
std::string to_json(const put_answer& value);
template <>
outcome<exists_request> from_json(std::string_view text);
template <>
outcome<exists_answer> from_json(std::string_view text);
template <>
outcome<get_request> from_json(std::string_view text);
template <>
outcome<put_answer> from_json(std::string_view text);

}  // namespace obsync::wire
