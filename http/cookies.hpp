// The Cookie header of a browser. Pure.
#pragma once

#include <optional>
#include <string_view>

namespace obsync::http {

// The value of the cookie `name` in a Cookie header, as sent; the first where the name occurs twice, nothing
// where it does not. Quotes are part of a value. Whatever the header holds, this reads it once, in order.
std::optional<std::string_view> cookie_value(std::string_view header, std::string_view name);

}  // namespace obsync::http
