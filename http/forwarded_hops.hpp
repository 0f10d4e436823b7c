// The hops that forwarding headers name, from the client's side to ours. Written by whoever was on the way:
// a hop that cannot be read stands in the list as nothing. Pure.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "http/ip_address.hpp"

namespace obsync::http {

using hop_list = std::vector<std::optional<ip_address>>;

// `192.0.2.1, [2001:db8::1]:443`: X-Forwarded-For. Empty elements count for nothing.
hop_list read_x_forwarded_for(std::string_view list);

// `for=192.0.2.1;proto=https, for="[2001:db8::1]:443"`: Forwarded, RFC 7239. An element without `for`, with
// two of them, or with an obfuscated name is a hop that cannot be read, and so is everything in a list whose
// quotes do not close, because nobody can say which part the last proxy wrote.
hop_list read_forwarded(std::string_view list);

}  // namespace obsync::http
