// The repository's own files, read once: what a rule looks at.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace obsync::tidy {

struct source_file {
  std::string path;                // from the root, with forward slashes
  std::vector<std::string> lines;  // without line ends

  // `client/engine/plan.cpp` is in `client` and in `client/engine`.
  bool in(std::string_view folder) const;
  bool is_code() const;  // .hpp or .cpp
  // `.cpp`; empty where the name has no dot, or only a leading one.
  std::string extension() const;
};

// What a rule found wrong. Reads `core/a.cpp:12: [includes] ...`.
struct breach {
  std::string path;
  std::size_t line = 0;  // 0: the file as a whole
  std::string rule;
  std::string advice;
  std::string text() const;
};

using breaches = std::vector<breach>;

// Splits text as a file's content is split. For rules under test.
source_file make_source(std::string path, std::string_view content);

// Every file below `root` except what building and running leave behind.
std::vector<source_file> read_tree(const std::string& root);

}  // namespace obsync::tidy
