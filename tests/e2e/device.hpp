// A device as its user has it: a home, a folder, and the verbs of the real obsync between them. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/support/process.hpp"

namespace obsync::test {

// Every path below a folder with what is in it; paths of folders end in a slash and hold nothing.
using file_tree = std::map<std::string, std::string>;

class device {
 public:
  // Lives in SCRATCH/NAME (its folder) and SCRATCH/NAME.home; its processes' output goes beside them.
  device(std::string scratch, std::string name);

  finished run(std::vector<std::string> words, const std::string& input = {}) const;
  process start(std::vector<std::string> words) const;

  // From now on believes this authority, and no other, when it enrols.
  void trust(const std::string& ca_file) { enrolment_ = {"--ca", ca_file}; }
  // First device of a fresh server.
  finished init(const std::string& url, const std::string& token) const;
  // Lets `other` in, which will speak to `url`. A failure is a failure of the running test.
  void pair(const device& other, const std::string& url) const;
  // One round, which must end with everything up to date; what it said.
  std::string sync() const;
  // A number of `status --json`, for example bytes_sent, which counts for the last sync or watch.
  std::int64_t status_number(const std::string& name) const;

  void write(const std::string& path, const std::string& text) const;
  file_tree everything() const;
  // The same but for what obsync has staged, which is under no real name yet.
  file_tree tree() const;

  const std::string& home() const { return home_; }
  const std::string& root() const { return root_; }

 private:
  std::string next_log() const;

  std::string scratch_;
  std::string name_;
  std::string home_;
  std::string root_;
  std::vector<std::string> enrolment_;  // further words of init and join
  mutable int runs_ = 0;
};

// Empty when they are equal, else the first few paths that are not and why.
std::string difference(const file_tree& one, const file_tree& other);

}  // namespace obsync::test
