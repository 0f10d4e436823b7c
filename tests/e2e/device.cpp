#include "tests/e2e/device.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "client/vault/name_rule.hpp"

namespace obsync::test {

namespace {

namespace fs = std::filesystem;

const std::string program = std::string(OBSYNC_BINARY_DIR) + "/obsync";
constexpr std::size_t code_chars = 128;

}  // namespace

device::device(std::string scratch, std::string name)
    : scratch_(std::move(scratch)),
      name_(std::move(name)),
      home_(scratch_ + "/" + name_ + ".home"),
      root_(scratch_ + "/" + name_) {
  fs::create_directories(root_);
}

std::string device::next_log() const {
  return scratch_ + "/" + name_ + "." + std::to_string(++runs_) + ".log";
}

finished device::run(std::vector<std::string> words, const std::string& input) const {
  words.insert(words.begin(), {"--home", home_});
  return run_to_end(program, words, next_log(), input);
}

process device::start(std::vector<std::string> words) const {
  words.insert(words.begin(), {"--home", home_});
  return process(program, words, next_log());
}

finished device::init(const std::string& url, const std::string& token) const {
  std::vector<std::string> words = {"init",
                                    "--server",
                                    url,
                                    "--token",
                                    "-",
                                    "--name",
                                    name_,
                                    "--phrase-file",
                                    scratch_ + "/" + name_ + ".phrase",
                                    root_};
  words.insert(words.end(), enrolment_.begin(), enrolment_.end());
  return run(words, token + "\n");
}

void device::pair(const device& other, const std::string& url) const {
  process offer = start({"pair", "--yes", root_});
  ASSERT_TRUE(offer.wait_for_output("code=")) << offer.output();
  const std::string said = offer.output();
  const std::string code = said.substr(said.find("code=") + 5, code_chars);
  std::vector<std::string> words = {"join", "--server", url,         "--code",
                                    "-",    "--name",   other.name_, other.root_};
  words.insert(words.end(), other.enrolment_.begin(), other.enrolment_.end());
  const finished joined = other.run(words, code + "\n");
  ASSERT_EQ(joined.status, 0) << joined.output;
  ASSERT_EQ(offer.wait(), 0) << offer.output();
}

std::string device::sync() const {
  const finished done = run({"sync", root_});
  EXPECT_EQ(done.status, 0) << name_ << ": " << done.output;
  return done.output;
}

std::int64_t device::status_number(const std::string& name) const {
  const finished said = run({"status", "--json", root_});
  const std::string sign = "\"" + name + "\":";
  const auto at = said.output.find(sign);
  EXPECT_NE(at, std::string::npos) << said.output;
  return at == std::string::npos ? -1 : std::stoll(said.output.substr(at + sign.size()));
}

void device::write(const std::string& path, const std::string& text) const {
  const fs::path whole = root_ + "/" + path;
  fs::create_directories(whole.parent_path());
  std::ofstream(whole, std::ios::binary) << text;
}

file_tree device::everything() const {
  file_tree out;
  // Entries may come and go under the walk while an obsync runs.
  std::error_code gone;
  for (fs::recursive_directory_iterator entry(root_, gone), end; entry != end; entry.increment(gone)) {
    if (gone) break;
    const std::string path = entry->path().lexically_relative(root_);
    if (entry->is_directory(gone)) {
      out[path + "/"] = "";
      continue;
    }
    std::ifstream in(entry->path(), std::ios::binary);
    if (in) out[path] = {std::istreambuf_iterator<char>(in), {}};
  }
  return out;
}

file_tree device::tree() const {
  file_tree out = everything();
  std::erase_if(out, [](const auto& entry) {
    return fs::path(entry.first).filename().string().starts_with(client::staged_prefix);
  });
  return out;
}

std::string difference(const file_tree& one, const file_tree& other) {
  constexpr int shown_max = 10;
  std::string out;
  int shown = 0;
  const auto tell = [&](const std::string& path, const char* why) {
    if (++shown <= shown_max) out += path + " " + why + "\n";
  };
  for (const auto& [path, text] : one) {
    const auto found = other.find(path);
    if (found == other.end()) {
      tell(path, "is only in the first");
    } else if (found->second != text) {
      tell(path, "differs");
    }
  }
  for (const auto& [path, text] : other) {
    if (!one.contains(path)) tell(path, "is only in the second");
  }
  if (shown > shown_max) out += "and " + std::to_string(shown - shown_max) + " more\n";
  return out;
}

}  // namespace obsync::test
