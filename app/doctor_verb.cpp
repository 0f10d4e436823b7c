#include "app/doctor_verb.hpp"

#include <algorithm>
#include <array>
#include <iostream>

#include "app/finding.hpp"
#include "app/machine_findings.hpp"
#include "app/server_findings.hpp"
#include "app/verb_flags.hpp"
#include "app/volume_findings.hpp"
#include "app/with_settings.hpp"
#include "core/disk.hpp"
#include "store/posture.hpp"
#include "wire/json_writer.hpp"

namespace obsync::app {

namespace {

constexpr int in_order = 0;
constexpr int something_wrong = 1;
constexpr int bad_usage = 2;
constexpr std::array<const char*, 3> grades{"ok", "warning", "wrong"};

const char* name_of(finding::grade grade) {
  return grades[static_cast<std::size_t>(grade)];
}

// Without the word it begins with, which is this finding's own.
std::string text_of(const store::posture_finding& one) {
  const std::string text = to_text(one);
  return text.substr(text.find(' ') + 1);
}

findings look_at_owners(const config::settings& settings) {
  findings out;
  for (const store::posture_finding& one :
       store::look_at_posture({settings.store.journal_dir, settings.store.blobs_dir}, false))
    out.push_back({"posture", one.is_fine() ? finding::grade::good : finding::grade::wrong, text_of(one)});
  return out;
}

void append(findings& to, findings more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

void print(const findings& all) {
  for (const finding& one : all) {
    std::cout << name_of(one.is) << " " << one.about << ": " << one.text << "\n";
    if (!one.advice.empty()) std::cout << "  -> " << one.advice << "\n";
  }
}

void print_json(const findings& all, bool ok) {
  wire::json_writer out;
  out.begin_object().key("findings").begin_array();
  for (const finding& one : all) {
    out.begin_object().key("about").string(one.about).key("grade").string(name_of(one.is));
    out.key("text").string(one.text).key("advice").string(one.advice).end_object();
  }
  out.end_array().key("result").string(ok ? "ok" : "wrong").end_object();
  std::cout << out.take() << "\n";
}

int examine(const config::settings& settings, bool json) {
  const auto files = make_posix_disk();
  findings all = look_at_owners(settings);
  append(all, look_at_volumes(*files, settings));
  append(all, look_at_machine(*files, settings));
  append(all, look_at_server(settings));
  const bool ok = std::none_of(all.begin(), all.end(),
                               [](const finding& one) { return one.is == finding::grade::wrong; });
  if (json) {
    print_json(all, ok);
  } else {
    print(all);
  }
  return ok ? in_order : something_wrong;
}

}  // namespace

int run_doctor_verb(const std::vector<std::string>& words) {
  const auto parsed = parse_flags(words, {"--json"});
  if (!parsed) {
    std::cerr << "obsyncd: usage: obsyncd doctor [--json] [--config FILE]\n";
    return bad_usage;
  }
  return with_settings(parsed->options, [&](const config::loaded& from) {
    return examine(from.values, parsed->has("--json"));
  });
}

}  // namespace obsync::app
