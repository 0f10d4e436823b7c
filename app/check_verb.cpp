#include "app/check_verb.hpp"

#include <iostream>

#include "app/control_client.hpp"
#include "app/control_socket.hpp"
#include "app/progress_line.hpp"
#include "app/repair.hpp"
#include "app/store_places.hpp"
#include "app/verb_flags.hpp"
#include "app/with_settings.hpp"
#include "core/size_text.hpp"
#include "store/posture.hpp"
#include "store/store_check.hpp"
#include "wire/control.hpp"
#include "wire/json_writer.hpp"

namespace obsync::app {

namespace {

constexpr int in_order = 0;
constexpr int failed = 1;
constexpr int bad_usage = 2;

void print(const std::vector<store::posture_finding>& posture, const store::check_report& report, bool deep,
           bool ok) {
  for (const store::posture_finding& one : posture) std::cout << to_text(one) << "\n";
  for (const std::string& one : report.databases) std::cout << "database: " << one << "\n";
  std::cout << "versions: " << report.versions << ", chunks they name: " << report.references << "\n";
  if (deep) std::cout << "chunks verified: " << report.chunks << "\nbytes verified: " << report.bytes << "\n";
  std::cout << "chunks failed: " << report.failed.size() << "\n";
  for (const store::failed_chunk& one : report.failed)
    std::cout << "  " << one.sid.hex() << " of account " << one.account.hex().substr(0, 8) << ": "
              << one.reason << " (" << one.where << ")\n";
  std::cout << "result: " << (ok ? "ok" : "FAILED") << "\n";
}

void print_json(const std::vector<store::posture_finding>& posture, const store::check_report& report,
                bool deep, bool ok) {
  wire::json_writer out;
  out.begin_object().key("posture").begin_array();
  for (const store::posture_finding& one : posture) {
    out.begin_object().key("object").string(one.object).key("ok").boolean(one.is_fine());
    out.key("text").string(to_text(one)).end_object();
  }
  out.end_array().key("databases").begin_array();
  for (const std::string& one : report.databases) out.string(one);
  out.end_array();
  out.key("versions").integer(report.versions).key("references").integer(report.references);
  out.key("deep").boolean(deep);
  out.key("chunks_verified").integer(report.chunks).key("bytes_verified").integer(report.bytes);
  out.key("failed").begin_array();
  for (const store::failed_chunk& one : report.failed) {
    out.begin_object().key("account_id").string(one.account.hex()).key("sid").string(one.sid.hex());
    out.key("where").string(one.where).key("reason").string(one.reason).end_object();
  }
  out.end_array().key("result").string(ok ? "ok" : "failed").end_object();
  std::cout << out.take() << "\n";
}

// Says on standard error what was done. False: it was tried and failed.
bool repair(const config::settings& settings) {
  progress_line line;
  const auto done = repair_store(
      settings, [&](std::int64_t s) { line.say("repairing, for " + std::to_string(s) + " s so far"); });
  if (done) {
    std::cerr << "obsyncd: " << done->chunks_verified << " chunks looked at, " << done->mismatches
              << " copies were wrong; " << done->quarantined
              << " chunks no copy of which was right are set aside\n";
    return true;
  }
  if (done.error().code != errc::exists) {
    std::cerr << "obsyncd: nothing can be repaired: " << done.error().detail << "\n";
    return false;
  }
  wire::control_request wish;
  wish.verb = wire::control_verb::scrub_run;
  const auto asked = ask_running_server(control_path(settings.store.journal_dir), wire::to_json(wish));
  if (!asked) {
    std::cerr << "obsyncd: the store is in use, and its server does not answer: " << asked.error().detail
              << "\n";
    return false;
  }
  std::cerr
      << "obsyncd: the running server was asked to look at every chunk and repair it, at the pace of "
         "scrub.rate;\n`obsyncd scrub status` says what came of it. To have it at once, stop the server "
         "first. What follows is how\nthings are now.\n";
  return true;
}

int check(const config::settings& settings, const verb_flags& flags) {
  if (flags.has("--repair") && !repair(settings)) return failed;
  const bool deep = flags.has("--deep");
  const auto posture = store::look_at_posture({settings.store.journal_dir, settings.store.blobs_dir}, false);
  const auto files = make_posix_disk();
  const auto report = [&] {
    progress_line line;
    return store::check_store(*files, places_of(settings), deep, [&](const store::check_progress& at) {
      line.say("checking " + at.stage + ": " + std::to_string(at.done));
    });
  }();
  if (!report) {
    std::cerr << "obsyncd: the store cannot be looked at: " << report.error().detail << "\n";
    return failed;
  }
  bool ok = report->is_clean();
  for (const store::posture_finding& one : posture) ok = ok && one.is_fine();
  (flags.has("--json") ? print_json : print)(posture, *report, deep, ok);
  return ok ? in_order : failed;
}

}  // namespace

int run_check_verb(const std::vector<std::string>& words) {
  const auto parsed = parse_flags(words, {"--deep", "--json", "--repair"});
  if (!parsed) {
    std::cerr << "obsyncd: usage: obsyncd check [--deep] [--repair] [--json] [--config FILE]\n";
    return bad_usage;
  }
  return with_settings(parsed->options,
                       [&](const config::loaded& from) { return check(from.values, *parsed); });
}

}  // namespace obsync::app
