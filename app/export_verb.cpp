#include "app/export_verb.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

#include "actors/census.hpp"
#include "app/progress_line.hpp"
#include "app/store_places.hpp"
#include "app/with_settings.hpp"
#include "core/size_text.hpp"
#include "store/catalog.hpp"
#include "store/export_archive.hpp"
#include "wire/json_writer.hpp"

namespace obsync::app {

const char* const export_help =
    R"(one account's sealed files in one file (beside the running server, too)
  export --account ACCOUNT --out FILE [--domain DOMAIN] [--history] [--json]
                 its newest versions and their chunks; --history takes every version that is kept. Only a device
                 of the account can open it
)";

namespace {

constexpr int done = 0;
constexpr int failed = 1;
constexpr int bad_usage = 2;

struct export_words {
  std::string account;
  std::string out;
  std::string domain;
  bool history = false;
  bool json = false;
  std::vector<std::string> options;  // of the configuration
};

int complain(const std::string& text) {
  std::cerr << "obsyncd: " << text << "\n";
  return failed;
}

std::optional<export_words> parse(const std::vector<std::string>& words) {
  export_words out;
  std::string file;
  CLI::App line;
  line.allow_extras();
  line.add_option("--account", out.account)->required();
  line.add_option("--out", out.out)->required();
  line.add_option("--domain", out.domain);
  line.add_option("--config", file);
  line.add_flag("--history", out.history);
  line.add_flag("--json", out.json);
  try {
    line.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& wrong) {
    std::cerr << "obsyncd: " << wrong.what() << "\n" << export_help;
    return std::nullopt;
  }
  out.options = line.remaining();
  if (!file.empty()) out.options.insert(out.options.end(), {"--config", file});
  std::error_code ignored;
  out.out = std::filesystem::absolute(out.out, ignored).lexically_normal();
  return out;
}

// As an operator names it elsewhere.
result<account_id> find_account(const std::string& journal_folder, const std::string& asked) {
  const auto catalog = store::open_catalog_reader({journal_folder});
  if (!catalog) return catalog.error();
  auto accounts = (*catalog)->accounts();
  if (!accounts) return accounts.error();
  const actors::census all{std::move(*accounts), {}};
  const auto found = actors::named_account(all, asked);
  if (!found) return error{errc::not_found, found.error().detail};
  return (*found)->id;
}

void print(const export_words& words, const store::export_report& report) {
  if (words.json) {
    wire::json_writer out;
    out.begin_object().key("out").string(words.out).key("files").integer(report.files);
    out.key("versions").integer(report.versions).key("chunks").integer(report.chunks);
    out.key("bytes").integer(report.bytes).end_object();
    std::cout << out.take() << "\n";
    return;
  }
  std::cout << words.out << ": " << report.files << " files, " << report.versions << " versions, "
            << report.chunks << " chunks (" << rounded_size_text(report.bytes) << ")\n";
}

int run(const config::settings& settings, const export_words& asked) {
  const store::check_places live = places_of(settings);
  store::export_wish wish;
  wish.history = asked.history;
  if (!asked.domain.empty()) {
    wish.domain = domain_id::parse(asked.domain);
    if (!wish.domain) return complain("--domain takes the 32 digits of a domain's id");
  }
  const auto account = find_account(live.journal_folder, asked.account);
  if (!account) return complain(account.error().detail);
  wish.account = *account;
  const auto files = make_posix_disk();
  const auto report = [&] {
    progress_line line;
    return store::export_account(*files, live, wish, asked.out, [&](const store::export_report& at) {
      line.say("exporting: " + std::to_string(at.files) + " files, " + std::to_string(at.chunks) + " chunks");
    });
  }();
  if (!report) return complain("nothing was exported: " + report.error().detail);
  print(asked, *report);
  return done;
}

}  // namespace

int run_export_verb(const std::vector<std::string>& words) {
  const auto parsed = parse(words);
  if (!parsed) return bad_usage;
  return with_settings(parsed->options,
                       [&](const config::loaded& from) { return run(from.values, *parsed); });
}

}  // namespace obsync::app
