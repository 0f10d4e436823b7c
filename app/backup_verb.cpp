#include "app/backup_verb.hpp"

#include <charconv>
#include <filesystem>
#include <functional>
#include <iostream>

#include "app/progress_line.hpp"
#include "app/store_places.hpp"
#include "app/with_settings.hpp"
#include "core/clock.hpp"
#include "core/size_text.hpp"
#include "store/backup.hpp"
#include "store/folder_lock.hpp"
#include "wire/json_writer.hpp"

namespace obsync::app {

const char* const backup_help =
    R"(backups, each in a folder DIR of their own (each takes --json)
  backup create DIR
                 one more snapshot of the store, beside the running server; what DIR has already is not copied
  backup list DIR
  backup verify DIR [--snapshot NAME]
                 read everything a snapshot needs, the newest one's by default: it can be restored when this says ok
  backup prune DIR --keep N
                 remove all but the newest N snapshots, and the chunks only they needed
  backup restore DIR [--snapshot NAME] [--replace]
                 make the store anew from a snapshot; the server must not run. With --replace the catalog that is
                 there is moved aside first
)";

namespace {

constexpr int done = 0;
constexpr int failed = 1;
constexpr int bad_usage = 2;

struct backup_words {
  std::string act;
  std::string folder;
  std::optional<std::string> snapshot = {};
  std::int64_t keep = 0;
  bool replace = false;
  bool json = false;
  std::vector<std::string> options = {};
};

std::optional<backup_words> parse(const std::vector<std::string>& words) {
  backup_words out;
  std::vector<std::string> plain;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at];
    const bool more = at + 1 < words.size();
    if (word == "--json") {
      out.json = true;
    } else if (word == "--replace") {
      out.replace = true;
    } else if (word == "--snapshot" && more) {
      out.snapshot = words[++at];
    } else if (word == "--keep" && more) {
      const std::string& number = words[++at];
      const auto [end, wrong] = std::from_chars(number.data(), number.data() + number.size(), out.keep);
      if (wrong != std::errc() || end != number.data() + number.size() || out.keep < 1) return std::nullopt;
    } else if (word == "--config" && more) {
      out.options.insert(out.options.end(), {word, words[++at]});
    } else if (word.starts_with("--")) {
      if (word.find('.') == std::string::npos) return std::nullopt;
      out.options.push_back(word);
    } else {
      plain.push_back(word);
    }
  }
  if (plain.size() != 2) return std::nullopt;
  out.act = plain[0];
  std::error_code ignored;
  out.folder = std::filesystem::absolute(plain[1], ignored).lexically_normal();
  while (out.folder.size() > 1 && out.folder.back() == '/') out.folder.pop_back();
  return out;
}

int complain(const error& reason) {
  std::cerr << "obsyncd: " << reason.detail << "\n";
  return failed;
}

std::string counts_of(const store::copy_report& report) {
  return std::to_string(report.copied) + " chunks copied (" + rounded_size_text(report.bytes) + "), " +
         std::to_string(report.kept) + " were there";
}

int print_copy(const backup_words& words, const std::string& name, const store::copy_report& report) {
  if (words.json) {
    wire::json_writer out;
    out.begin_object().key("snapshot").string(name).key("versions").integer(report.versions);
    out.key("chunks_copied").integer(report.copied).key("bytes_copied").integer(report.bytes);
    out.key("chunks_kept").integer(report.kept).key("chunks_lacking").integer(report.lacking).end_object();
    std::cout << out.take() << "\n";
  } else {
    std::cout << name << ": " << report.versions << " versions, " << counts_of(report) << "\n";
  }
  if (report.lacking == 0) return done;
  std::cerr
      << "obsyncd: " << report.lacking
      << " chunks that versions name are not whole where they were to be copied from; `obsyncd check --deep` "
         "names them\n";
  return failed;
}

int create(disk& on, const config::settings& settings, const backup_words& words) {
  const auto report = [&] {
    progress_line line;
    return store::create_backup(on, places_of(settings), words.folder, system_clock().now_ms(),
                                [&](const store::copy_report& at) { line.say(counts_of(at)); });
  }();
  if (!report) return complain(report.error());
  return print_copy(words, report->name, report->chunks);
}

// The snapshot asked for, or the newest.
result<std::string> chosen(disk& on, const backup_words& words) {
  const auto names = store::list_backups(on, words.folder);
  if (!names) return names.error();
  if (names->empty()) return error{errc::not_found, words.folder + " holds no snapshot yet"};
  if (!words.snapshot) return names->back();
  for (const std::string& one : *names)
    if (one == *words.snapshot) return one;
  return error{errc::not_found, "there is no snapshot " + *words.snapshot + " in " + words.folder};
}

int list(disk& on, const config::settings&, const backup_words& words) {
  const auto names = store::list_backups(on, words.folder);
  if (!names) return complain(names.error());
  wire::json_writer json;
  json.begin_array();
  for (const std::string& one : *names) {
    json.string(one);
    if (!words.json) std::cout << one << "\n";
  }
  json.end_array();
  if (words.json) std::cout << json.take() << "\n";
  return done;
}

int verify(disk& on, const config::settings&, const backup_words& words) {
  const auto name = chosen(on, words);
  if (!name) return complain(name.error());
  const auto report = [&] {
    progress_line line;
    return store::verify_backup(on, words.folder, *name, true, [&](const store::check_progress& at) {
      line.say("verifying " + at.stage + ": " + std::to_string(at.done));
    });
  }();
  if (!report) return complain(report.error());
  for (const std::string& one : report->databases) std::cerr << "obsyncd: " << one << "\n";
  for (const store::failed_chunk& one : report->failed)
    std::cerr << "obsyncd: chunk " << one.sid.hex() << ": " << one.reason << "\n";
  if (words.json) {
    wire::json_writer out;
    out.begin_object().key("snapshot").string(*name).key("versions").integer(report->versions);
    out.key("chunks_verified").integer(report->chunks).key("bytes_verified").integer(report->bytes);
    out.key("failed").integer(static_cast<std::int64_t>(report->failed.size() + report->databases.size()));
    out.key("result").string(report->is_clean() ? "ok" : "failed").end_object();
    std::cout << out.take() << "\n";
  } else {
    std::cout << *name << ": " << report->versions << " versions, " << report->chunks << " chunks ("
              << rounded_size_text(report->bytes)
              << ") read\nresult: " << (report->is_clean() ? "ok" : "FAILED") << "\n";
  }
  return report->is_clean() ? done : failed;
}

int prune(disk& on, const config::settings&, const backup_words& words) {
  if (words.keep < 1) {
    std::cerr << "obsyncd: `backup prune` needs --keep N, at least 1\n";
    return bad_usage;
  }
  system_random random;
  const auto report = store::prune_backups(on, words.folder, words.keep, random);
  if (!report) return complain(report.error());
  if (words.json) {
    wire::json_writer out;
    out.begin_object().key("removed").begin_array();
    for (const std::string& one : report->removed) out.string(one);
    out.end_array().key("chunks").integer(report->chunks).key("bytes").integer(report->bytes).end_object();
    std::cout << out.take() << "\n";
  } else {
    std::cout << report->removed.size() << " snapshots and " << report->chunks << " chunks ("
              << rounded_size_text(report->bytes) << ") removed\n";
  }
  return done;
}

// A store that is there is kept beside. The lock outlives the renaming: it shows that no server runs.
status make_way(disk& on, const store::check_places& target, const backup_words& words,
                const std::string& name, std::unique_ptr<store::folder_lock>& lock) {
  if (!on.list(target.journal_folder).ok()) return {};
  if (!words.replace)
    return error{errc::exists, "there is a store in " + target.journal_folder +
                                   "; --replace moves its catalog aside and puts the snapshot in its place"};
  auto taken = store::lock_folder(target.journal_folder);
  if (!taken) return error{errc::exists, "the server runs on this store; stop it first"};
  lock = std::move(*taken);
  const std::string aside = target.journal_folder + ".before-" + name;
  if (const status moved = on.rename(target.journal_folder, aside); !moved) return moved;
  std::cerr << "obsyncd: what was there is kept in " << aside << "\n";
  return {};
}

int restore(disk& on, const config::settings& settings, const backup_words& words) {
  const auto name = chosen(on, words);
  if (!name) return complain(name.error());
  const store::check_places target = places_of(settings);
  for (const std::string& volume : {settings.store.journal_dir, settings.store.blobs_dir}) {
    std::error_code ignored;
    std::filesystem::create_directories(std::filesystem::path(volume).parent_path(), ignored);
    if (const status made = on.make_folder(volume); !made) return complain(made.error());
  }
  std::unique_ptr<store::folder_lock> lock;
  if (const status free = make_way(on, target, words, *name, lock); !free) return complain(free.error());
  system_random random;
  const auto report = [&] {
    progress_line line;
    return store::restore_backup(on, words.folder, *name, target, system_clock().now_s(), random,
                                 [&](const store::copy_report& at) { line.say(counts_of(at)); });
  }();
  if (!report) return complain(report.error());
  const int outcome = print_copy(words, *name, *report);
  std::cerr << "obsyncd: restored. Start the server; devices send again what this store does not have.\n";
  return outcome;
}

using act = int (*)(disk&, const config::settings&, const backup_words&);

act find_act(const std::string& word) {
  if (word == "create") return create;
  if (word == "list") return list;
  if (word == "verify") return verify;
  if (word == "prune") return prune;
  if (word == "restore") return restore;
  return nullptr;
}

}  // namespace

int run_backup_verb(const std::vector<std::string>& words) {
  const auto parsed = parse(words);
  const act chosen_act = parsed ? find_act(parsed->act) : nullptr;
  if (chosen_act == nullptr) {
    std::cerr << "obsyncd: these are not the words it takes\n" << backup_help;
    return bad_usage;
  }
  return with_settings(parsed->options, [&](const config::loaded& from) {
    const auto files = make_posix_disk();
    return chosen_act(*files, from.values, *parsed);
  });
}

}  // namespace obsync::app
