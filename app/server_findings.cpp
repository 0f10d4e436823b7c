#include "app/server_findings.hpp"

#include "app/certificate_check.hpp"
#include "app/control_client.hpp"
#include "app/control_socket.hpp"
#include "app/file_text.hpp"
#include "app/healthcheck.hpp"
#include "app/operator_report.hpp"
#include "core/clock.hpp"
#include "crypto/certificate.hpp"
#include "http/probe.hpp"
#include "wire/control.hpp"
#include "wire/upkeep.hpp"

namespace obsync::app {

namespace {

using grade = finding::grade;

constexpr std::int64_t day_s = 86'400;
constexpr std::int64_t renewal_days = 21;
constexpr std::int64_t scrub_days_max = 45;

bool is_loopback(const std::string& host) {
  return host.starts_with("127.") || host == "::1" || host == "localhost";
}

finding look_at_listener(const config::settings& settings) {
  const config::endpoint& listen = settings.server.listen;
  const std::string where = listen.host + ":" + std::to_string(listen.port);
  const bool tls = !settings.tls.certificate.empty();
  const auto answer = http::probe({loopback_of(listen.host), listen.port, tls}, "/readyz");
  if (!answer)
    return {"server", grade::wrong, "nobody answers at " + where + ": " + answer.error().detail,
            "start it: `systemctl start obsyncd`, or `obsyncd serve`; its log says why it stopped"};
  if (answer->status != 200)
    return {"server", grade::wrong, "not ready at " + where + ": " + answer->body,
            "the server's log names what failed"};
  return {"server", grade::good, "ready at " + where};
}

finding look_at_public_url(const config::settings& settings) {
  const std::string& url = settings.server.public_url;
  if (url.empty()) {
    if (!is_loopback(settings.server.listen.host))
      return {"reachability", grade::good, "devices reach it directly; server.public_url is not set"};
    return {
        "reachability", grade::warning, "only this machine reaches it, as far as the configuration says",
        "put a proxy with TLS in front and set server.public_url, or set server.listen and tls.certificate"};
  }
  auto at = http::probe_target_of(url);
  if (!at) return {"reachability", grade::wrong, "server.public_url cannot be read", "write https://HOST"};
  at->verified = true;
  auto answer = http::probe(*at, "/livez");
  if (!answer && answer.error().code == errc::denied) {
    at->verified = false;
    if (http::probe(*at, "/livez"))
      return {"reachability", grade::warning, url + " answers with a certificate this machine does not trust",
              "right for an authority of your own, whose certificate each device must know; else renew it"};
  }
  if (!answer)
    return {"reachability", grade::wrong, url + " cannot be reached: " + answer.error().detail,
            "check the name's address, the proxy, and the router's port; from inside some home networks an "
            "outside address does not answer, then try from a phone"};
  if (answer->status != 200)
    return {"reachability", grade::wrong,
            url + " answers " + std::to_string(answer->status) + " where obsync says 200",
            "the proxy leads elsewhere, or asks for something first; see docs/operating.md"};
  if (!at->tls && !is_loopback(at->host))
    return {"reachability", grade::warning, url + " answers without TLS",
            "names and contents stay sealed, but anybody on the way sees who syncs and when; use https"};
  return {"reachability", grade::good, url + " answers"};
}

finding look_at_certificate(const config::settings& settings) {
  if (settings.tls.certificate.empty()) return {"certificate", grade::good, "none of its own: plain HTTP"};
  if (const status usable = check_certificate(settings); !usable)
    return {"certificate", grade::wrong, usable.error().detail, "see `obsyncd tls self-signed`"};
  const auto text = file_text(settings.tls.certificate);
  const std::int64_t days = (crypto::expiry_of(text ? *text : "") - system_clock().now_s()) / day_s;
  const std::string said = "good for " + std::to_string(days) + " more days";
  if (days < 0)
    return {"certificate", grade::wrong, "expired " + std::to_string(-days) + " days ago", "renew it"};
  if (days < renewal_days)
    return {"certificate", grade::warning, said, "renew it; the server takes the new one by itself"};
  return {"certificate", grade::good, said};
}

std::optional<wire::scrub_view> scrub_of(const config::settings& settings) {
  wire::control_request wish;
  wish.verb = wire::control_verb::scrub_status;
  const auto answer = ask_running_server(control_path(settings.store.journal_dir), wire::to_json(wish));
  if (!answer) return std::nullopt;
  const auto read = wire::from_json<wire::scrub_view>(*answer);
  return read ? std::optional(*read) : std::nullopt;
}

void look_at_scrub(const config::settings& settings, findings& out) {
  const auto view = scrub_of(settings);
  if (!view)
    return out.push_back({"scrub", grade::warning, "not known: the server does not answer its operator",
                          "run this as the server's user or root, while it runs"});
  for (const wire::mirror_health& one : view->mirrors)
    if (one.state != "whole")
      out.push_back(
          {"mirror", grade::wrong, one.label + " is " + one.state,
           "see that its volume is mounted and has room; `obsyncd scrub run` brings it up to date"});
  if (!view->last)
    return out.push_back({"scrub", view->running ? grade::good : grade::warning,
                          view->running ? "the first pass is under way" : "no pass was completed yet",
                          view->running ? "" : "ask for one: `obsyncd scrub run`"});
  const wire::scrub_summary& last = *view->last;
  const std::string text = "last pass " + time_text(last.ts_ms) + " UTC, " +
                           std::to_string(last.chunks_verified) + " chunks, " +
                           std::to_string(last.mismatches) + " wrong copies";
  if (last.quarantined > 0)
    return out.push_back(
        {"scrub", grade::wrong, text + ", " + std::to_string(last.quarantined) + " lost here",
         "replace the drive; devices that have these files send them again: `obsync sync --verify`"});
  if (last.mismatches > 0)
    return out.push_back({"scrub", grade::warning, text + ", all repaired", "watch this drive; it forgets"});
  if (system_clock().now_s() - last.ts_ms / 1000 > scrub_days_max * day_s)
    return out.push_back({"scrub", grade::warning, text, "ask for one: `obsyncd scrub run`"});
  out.push_back({"scrub", grade::good, text});
}

}  // namespace

findings look_at_server(const config::settings& settings) {
  findings out{look_at_listener(settings), look_at_public_url(settings), look_at_certificate(settings)};
  look_at_scrub(settings, out);
  return out;
}

}  // namespace obsync::app
