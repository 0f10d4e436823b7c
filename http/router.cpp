#include "http/router.hpp"

#include <algorithm>
#include <iterator>

#include "wire/limits.hpp"

namespace obsync::http {

namespace {

using actors::route;

constexpr std::uint64_t json = wire::json_body_bytes_max;
constexpr std::uint64_t small_json = wire::small_json_body_bytes_max;
constexpr std::uint64_t chunk = wire::chunk_sealed_bytes_max;

std::vector<std::string_view> split(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find('/'), path.size());
    if (end > 0) segments.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return segments;
}

// A parameter with a closed set of values: any other is an unknown path.
constexpr std::string_view dashboard_file_segment = "{dashboard_file}";
constexpr std::string_view dashboard_files[] = {"index.html", "app.css", "app.js", "lib.js"};

bool may_stand_for(std::string_view parameter, std::string_view value) {
  return parameter != dashboard_file_segment ||
         std::find(std::begin(dashboard_files), std::end(dashboard_files), value) !=
             std::end(dashboard_files);
}

struct compiled {
  route_entry entry;
  std::vector<std::string_view> segments;
};

const std::vector<compiled>& table() {
  static const std::vector<compiled> routes = [] {
    std::vector<compiled> made;
    for (const route_entry& entry : all_routes()) made.push_back({entry, split(entry.path)});
    return made;
  }();
  return routes;
}

bool fits(const compiled& candidate, const std::vector<std::string>& segments,
          std::vector<std::string>& params) {
  if (candidate.segments.size() != segments.size()) return false;
  params.clear();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (candidate.segments[i].front() == '{') {
      if (!may_stand_for(candidate.segments[i], segments[i])) return false;
      params.push_back(segments[i]);
    } else if (candidate.segments[i] != segments[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

const std::vector<route_entry>& all_routes() {
  static const std::vector<route_entry> routes = {
      {route::livez, "GET", "/livez", json, proof::none},
      {route::readyz, "GET", "/readyz", json, proof::none},
      {route::setup, "POST", "/v1/setup", small_json, proof::setup_token},
      {route::plugin_manifest, "GET", "/v1/plugin/manifest", json, proof::none},
      {route::account, "GET", "/v1/account", json},
      {route::register_recovery, "POST", "/v1/account/recovery", json},
      {route::create_pairing, "POST", "/v1/pairing", json},
      {route::pairing_status, "GET", "/v1/pairing/{id}", json},
      {route::claim, "POST", "/v1/pairing/{id}/claim", small_json, proof::pairing_token},
      {route::reveal, "POST", "/v1/pairing/{id}/reveal", json},
      {route::approve, "POST", "/v1/pairing/{id}/approve", json},
      {route::reject, "POST", "/v1/pairing/{id}/reject", json},
      {route::envelope, "GET", "/v1/pairing/{id}/envelope", json},
      {route::devices, "GET", "/v1/devices", json},
      {route::heartbeat, "POST", "/v1/devices/heartbeat", json},
      {route::patch_device, "PATCH", "/v1/devices/{id}", json},
      {route::revoke_device, "POST", "/v1/devices/{id}/revoke", json},
      {route::archive_device, "POST", "/v1/devices/{id}/archive", json},
      {route::chunks_exists, "POST", "/v1/chunks/exists", json},
      {route::chunks_get, "POST", "/v1/chunks/get", json},
      {route::chunk_get, "GET", "/v1/chunks/{sid}", json},
      {route::chunk_put, "PUT", "/v1/chunks/{sid}", chunk},
      {route::files, "GET", "/v1/files", json},
      {route::file, "GET", "/v1/files/{id}", json},
      {route::post_version, "POST", "/v1/files/{id}/versions", json},
      {route::version, "GET", "/v1/files/{id}/versions/{vid}", json},
      {route::changes, "GET", "/v1/changes", json},
      {route::batch, "POST", "/v1/batch", wire::batch_body_bytes_max},
      {route::capabilities, "GET", "/v1/capabilities", json},
      {route::login, "GET", "/login", json, proof::login_token},
      {route::login_link, "POST", "/v1/dashboard/login-link", json},
      {route::dashboard_index, "GET", "/", json, proof::none},
      {route::dashboard_file, "GET", "/{dashboard_file}", json, proof::none},
      {route::admin_logout, "POST", "/v1/admin/logout", json, proof::session},
      {route::admin_logout_all, "POST", "/v1/admin/logout-all", json, proof::session},
      {route::admin_overview, "GET", "/v1/admin/overview", json, proof::session},
      {route::admin_devices, "GET", "/v1/admin/devices", json, proof::session},
      {route::admin_revoke, "POST", "/v1/admin/devices/{id}/revoke", json, proof::session},
      {route::admin_archive, "POST", "/v1/admin/devices/{id}/archive", json, proof::session},
      {route::admin_storage, "GET", "/v1/admin/storage", json, proof::session},
      {route::admin_gc_run, "POST", "/v1/admin/gc/run", json, proof::session},
      {route::admin_scrub_run, "POST", "/v1/admin/scrub/run", json, proof::session},
      {route::admin_logs, "GET", "/v1/admin/logs", json, proof::session},
  };
  return routes;
}

std::optional<route_match> match_route(std::string_view method, const std::vector<std::string>& segments) {
  route_match match;
  for (const compiled& candidate : table()) {
    if (candidate.entry.method != method || !fits(candidate, segments, match.params)) continue;
    match.entry = &candidate.entry;
    return match;
  }
  return std::nullopt;
}

}  // namespace obsync::http
