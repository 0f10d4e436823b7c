#include "tests/tidy/source_tree.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace obsync::tidy {

namespace {

const std::set<std::string> left_behind{".git", "build", "var", ".cache", ".vscode", ".idea"};

}  // namespace

bool source_file::in(std::string_view folder) const {
  return path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/';
}

bool source_file::is_code() const {
  return path.ends_with(".hpp") || path.ends_with(".cpp");
}

std::string source_file::extension() const {
  const std::string name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  return dot == std::string::npos || dot == 0 ? std::string() : name.substr(dot);
}

std::string breach::text() const {
  return path + (line == 0 ? "" : ":" + std::to_string(line)) + ": [" + rule + "] " + advice;
}

source_file make_source(std::string path, std::string_view content) {
  source_file out{std::move(path), {}};
  while (!content.empty()) {
    const std::size_t end = content.find('\n');
    out.lines.emplace_back(content.substr(0, end));
    content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
  }
  return out;
}

std::vector<source_file> read_tree(const std::string& root) {
  namespace fs = std::filesystem;
  std::vector<source_file> out;
  for (fs::recursive_directory_iterator at(root), end; at != end; ++at) {
    if (at->is_directory() && left_behind.contains(at->path().filename().string())) {
      at.disable_recursion_pending();
      continue;
    }
    if (!at->is_regular_file()) continue;
    std::ifstream in(at->path(), std::ios::binary);
    const std::string content{std::istreambuf_iterator<char>(in), {}};
    out.push_back(make_source(fs::relative(at->path(), root).generic_string(), content));
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return out;
}

}  // namespace obsync::tidy
