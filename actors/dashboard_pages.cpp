#include "actors/dashboard_pages.hpp"

namespace obsync::actors {

namespace {

// Nothing but the server's own files, no inline script or style, no frame around it.
constexpr const char* content_policy =
    "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; "
    "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";

std::string type_of(std::string_view name) {
  if (name.ends_with(".css")) return "text/css; charset=utf-8";
  if (name.ends_with(".js")) return "text/javascript; charset=utf-8";
  return "text/html; charset=utf-8";
}

}  // namespace

reply dashboard_pages::answer(std::string_view name) const {
  const auto found = files_.find(name);
  if (found == files_.end())
    return refuse(wire::refusal::dashboard_unavailable, "this server has no dashboard installed");
  reply out;
  out.body = text_body{type_of(name), found->second};
  out.headers = {{reply_header::content_security_policy, content_policy},
                 {reply_header::cross_origin_opener_policy, "same-origin"},
                 {reply_header::cross_origin_resource_policy, "same-origin"}};
  return out;
}

}  // namespace obsync::actors
