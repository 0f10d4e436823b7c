// The members of a version post, for the two requests that carry one. Included by wire's .cpp files only.
#pragma once

#include "wire/json_fields.hpp"
#include "wire/json_writer.hpp"
#include "wire/version.hpp"

namespace obsync::wire {

// Into an object that is open already.
void write_post(json_writer& out, const version_post& value);
void read_post(json_fields& in, version_post& out);
void write_answer(json_writer& out, const version_answer& value);
void read_answer(json_fields& in, version_answer& out);
// What a post takes as text at most, for reserving.
std::size_t written_size(const version_post& value);

}  // namespace obsync::wire
