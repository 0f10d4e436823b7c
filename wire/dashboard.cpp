#include "wire/dashboard.hpp"

#include "wire/device_fields.hpp"
#include "wire/json_fields.hpp"
#include "wire/json_writer.hpp"

namespace obsync::wire {

namespace {

// The prefix __Host- makes a browser insist on Secure, on this path and on no domain. Only the second cookie
// is for scripts to read.
std::string cookie(std::string_view name, std::string_view value, std::int64_t life_s, bool for_scripts) {
  std::string out(name);
  out += '=';
  out += value;
  out += "; Path=/; Max-Age=" + std::to_string(life_s) + "; Secure";
  if (!for_scripts) out += "; HttpOnly";
  return out + "; SameSite=Strict";
}

void write_sighting(json_writer& out, const device_sighting& value) {
  out.begin_object();
  out.key("ts").integer(value.ts_ms);
  out.key("event").plain(name(value.kind));
  out.key("address").string_or_null(value.address);
  out.key("country").string_or_null(value.country);
  out.end_object();
}

void write_volumes(json_writer& out, const std::vector<volume_view>& volumes) {
  out.key("volumes").begin_array();
  for (const volume_view& one : volumes) {
    out.begin_object();
    out.key("role").plain(one.role);
    out.key("path_class").string(one.path_class);
    out.key("bytes_total").integer(one.bytes_total);
    out.key("bytes_used").integer(one.bytes_used);
    out.key("bytes_free").integer(one.bytes_free);
    out.key("watermark_bytes").integer(one.watermark_bytes);
    out.key("usage_unverified").boolean(one.usage_unverified);
    if (!one.state.empty()) out.key("state").plain(one.state);
    out.end_object();
  }
  out.end_array();
}

void write_activity(json_writer& out, const dashboard_overview& value) {
  out.key("activity").begin_object().key("versions_per_hour").begin_array();
  for (const hour_count& one : value.activity) {
    out.begin_object();
    out.key("hour").integer(one.hour_ms);
    out.key("count").integer(one.count);
    out.end_object();
  }
  out.end_array().end_object();
}

}  // namespace

std::string session_cookie(std::string_view token) {
  return cookie(cookie_session, token, dashboard_session_s_max, false);
}

std::string csrf_cookie(std::string_view token) {
  return cookie(cookie_csrf, token, dashboard_session_s_max, true);
}

std::string cleared_session_cookie() {
  return cookie(cookie_session, {}, 0, false);
}

std::string cleared_csrf_cookie() {
  return cookie(cookie_csrf, {}, 0, true);
}

template <>
outcome<login_link> from_json(std::string_view text) {
  return read_json<login_link>(text, [](json_fields& in, login_link& out) {
    in.text("url", login_link_chars_max, out.url);
    in.integer("expires", out.expires_s);
  });
}

std::string_view name(sighting_kind value) {
  switch (value) {
    case sighting_kind::sign_in:
      return "sign_in";
    case sighting_kind::edit:
      return "edit";
    case sighting_kind::heartbeat:
      return "heartbeat";
  }
  return "unknown";
}

std::string to_json(const login_link& value) {
  json_writer out;
  out.begin_object();
  out.key("url").string(value.url);
  out.key("expires").integer(value.expires_s);
  return out.end_object().take();
}

std::string to_json(const watched_device_list& value) {
  json_writer out(32 + value.devices.size() * 4096);
  out.begin_object().key("devices").begin_array();
  for (const watched_device& device : value.devices) {
    out.begin_object();
    write_device_members(out, device.info);
    out.key("history").begin_array();
    for (const device_sighting& one : device.history) write_sighting(out, one);
    out.end_array().end_object();
  }
  return out.end_array().end_object().take();
}

std::string to_json(const dashboard_overview& value) {
  json_writer out(2048);
  out.begin_object();
  if (value.account) {
    out.key("account").raw(to_json(*value.account));
  } else {
    out.key("account").null();
  }
  out.key("edge").plain(value.edge);
  out.key("public_url").string_or_null(value.public_url);
  write_volumes(out, value.volumes);
  out.key("versions").begin_object();
  out.key("total").integer(value.versions);
  out.key("files").integer(value.files);
  out.end_object();
  write_activity(out, value);
  out.key("last_gc");
  if (value.last_collection) {
    out.raw(to_json(*value.last_collection));
  } else {
    out.null();
  }
  out.key("last_scrub");
  if (value.last_scrub) {
    out.raw(to_json(*value.last_scrub));
  } else {
    out.null();
  }
  out.key("session").begin_object().key("recovery").boolean(value.recovery).end_object();
  return out.end_object().take();
}

std::string to_json(const dashboard_storage& value) {
  json_writer out(1024);
  out.begin_object();
  write_volumes(out, value.volumes);
  out.key("retention").begin_object();
  out.key("days").integer(value.retention_days);
  out.key("versions").integer(value.retention_versions);
  out.end_object();
  out.key("watermark").begin_object().key("spec").string(value.watermark_spec).end_object();
  out.key("gc").raw(to_json(value.collection));
  out.key("scrub").begin_object().key("state").plain(value.scrub.running ? "running" : "idle");
  out.key("rate_bytes_per_sec").integer(value.scrub_bytes_per_second);
  out.key("last");
  if (value.scrub.last) {
    out.raw(to_json(*value.scrub.last));
  } else {
    out.null();
  }
  out.end_object();
  out.key("quarantine").begin_array();
  for (const quarantined_chunk& one : value.quarantine) {
    out.begin_object();
    out.key("sid").id(one.sid);
    out.key("ts").integer(one.ts_ms);
    out.key("bytes").integer(0);
    out.key("reason").plain("sid_mismatch");
    out.end_object();
  }
  out.end_array();
  return out.end_object().take();
}

std::string to_json(const std::vector<request_line>& lines) {
  json_writer out(32 + lines.size() * 192);
  out.begin_object().key("lines").begin_array();
  for (const request_line& line : lines) {
    out.begin_object();
    out.key("ts").integer(line.ts_ms);
    out.key("method").string(line.method);
    out.key("path_class").string(line.path_class);
    if (line.device.empty()) {
      out.key("device").null();
    } else {
      out.key("device").string(line.device);
    }
    out.key("status").integer(line.status);
    out.key("bytes").integer(line.bytes);
    out.key("duration_ms").integer(line.duration_ms);
    out.key("decision").string(line.decision);
    out.end_object();
  }
  return out.end_array().end_object().take();
}

}  // namespace obsync::wire
