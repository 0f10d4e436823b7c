#include "tests/tidy/shape_rules.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace obsync::tidy {

namespace {

const std::set<std::string> extensions{".cpp",  ".hpp",  ".md",  ".json", ".conf", ".service",
                                       ".supp", ".html", ".css", ".js",   ".svg",  ".sql"};
const std::set<std::string> bare_names{"CMakeLists.txt", "sanitizer_ignore.txt", "LICENSE",     "Caddyfile",
                                       "Dockerfile",     ".clang-format",        ".clang-tidy", ".gitignore"};
// Folders whose files need no extension: scripts are named like commands, seeds by what they hold.
constexpr std::array extensionless_folders{"scripts", ".ci", "tests/fuzz/corpus", "perf"};
const std::set<std::string> data_extensions{".txt", ".bin"};

const std::vector<std::string> code_folders{"core",   "crypto", "wire",   "store", "actors", "http",
                                            "config", "app",    "client", "perf",  "tests"};

struct banned_word {
  std::string_view word;
  std::string_view instead;
};

constexpr std::array banned{
    banned_word{"system_clock::now", "an obsync::clock given to the constructor (core/clock.hpp)"},
    banned_word{"gettimeofday(", "an obsync::clock given to the constructor (core/clock.hpp)"},
    banned_word{"clock_gettime(", "an obsync::clock given to the constructor (core/clock.hpp)"},
    banned_word{"std::time(", "an obsync::clock given to the constructor (core/clock.hpp)"},
    banned_word{"random_device", "an obsync::random_source given to the constructor (core/random.hpp)"},
    banned_word{"getrandom(", "an obsync::random_source given to the constructor (core/random.hpp)"},
    banned_word{"std::rand(", "an obsync::random_source given to the constructor (core/random.hpp)"},
};

// Where checkouts and home folders tend to live. A text that names one speaks of somebody's machine.
constexpr std::array private_roots{"/root/", "/Users/", "/workspace/", "/builds/", "/home/runner/"};

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool contains_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word_character(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !is_word_character(text[end]))) return true;
  }
  return false;
}

// What a brace opens, told from the text since the last `;`, `{` or `}`.
enum class brace { scope, function, other };

brace kind_of(std::string_view before) {
  const bool calls = before.find('(') != std::string_view::npos;
  if (contains_word(before, "namespace") || before.find("extern \"") != std::string_view::npos)
    return brace::scope;
  for (const std::string_view word : {"class", "struct", "union"}) {
    if (contains_word(before, word) && !calls) return brace::scope;
  }
  if (!calls || contains_word(before, "enum")) return brace::other;
  const std::size_t equals = before.find(" = ");
  return equals != std::string_view::npos && equals < before.find('(') ? brace::other : brace::function;
}

std::string name_before_parenthesis(std::string_view text) {
  std::size_t end = text.find('(');
  const bool is_macro = text.find("TEST") != std::string_view::npos;
  if (is_macro) {
    const std::size_t close = text.find(')', end);
    return std::string(text.substr(end + 1, close - end - 1));
  }
  while (end > 0 && text[end - 1] == ' ') --end;
  std::size_t begun = end;
  while (begun > 0 &&
         (is_word_character(text[begun - 1]) || text[begun - 1] == ':' || text[begun - 1] == '~')) {
    --begun;
  }
  return std::string(text.substr(begun, end - begun));
}

// Walks the characters that are code: comments, strings and preprocessor lines are skipped.
class scanner {
 public:
  explicit scanner(const source_file& file) : file_(file) {}

  std::vector<function_span> run() {
    for (line_ = 0; line_ < file_.lines.size(); ++line_) scan_line(file_.lines[line_]);
    return std::move(found_);
  }

 private:
  struct open_brace {
    brace kind;
    std::string name;
    std::size_t line;
  };

  void scan_line(const std::string& line) {
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != std::string::npos && line[first] == '#' && !in_comment_ && raw_end_.empty()) return;
    for (std::size_t i = 0; i < line.size(); ++i) i = scan_character(line, i);
    before_ += ' ';
  }

  // Answers the index of the last character it took.
  std::size_t scan_character(const std::string& line, std::size_t i) {
    if (in_comment_) {
      const std::size_t end = line.find("*/", i);
      in_comment_ = end == std::string::npos;
      return in_comment_ ? line.size() : end + 1;
    }
    if (!raw_end_.empty()) {
      const std::size_t end = line.find(raw_end_, i);
      if (end == std::string::npos) return line.size();
      const std::size_t last = end + raw_end_.size() - 1;
      raw_end_.clear();
      return last;
    }
    if (line.compare(i, 2, "//") == 0) return line.size();
    if (line.compare(i, 2, "/*") == 0) {
      in_comment_ = true;
      return i + 1;
    }
    if (line.compare(i, 2, "R\"") == 0) {
      const std::size_t open = line.find('(', i);
      if (open != std::string::npos) {
        raw_end_ = ")" + line.substr(i + 2, open - i - 2) + "\"";
        return open;
      }
    }
    const char c = line[i];
    // A quote between digits separates thousands.
    if (c == '"' || (c == '\'' && (i == 0 || !is_word_character(line[i - 1])))) return end_of_quote(line, i);
    take(c);
    return i;
  }

  std::size_t end_of_quote(const std::string& line, std::size_t i) {
    const char quote = line[i];
    before_ += "\"";
    for (++i; i < line.size() && line[i] != quote; ++i) {
      if (line[i] == '\\') ++i;
    }
    return i;
  }

  void take(char c) {
    if (c == '{') {
      const bool outermost = std::all_of(open_.begin(), open_.end(),
                                         [](const open_brace& each) { return each.kind == brace::scope; });
      brace kind = outermost ? kind_of(before_) : brace::other;
      // Inside a parenthesis a brace is an argument, never a body.
      if (parentheses_ > 0) kind = brace::other;
      open_.push_back({kind, kind == brace::function ? name_before_parenthesis(before_) : "", line_});
      before_.clear();
    } else if (c == '}') {
      close();
      before_.clear();
    } else if (c == ';') {
      before_.clear();
    } else {
      if (c == '(') ++parentheses_;
      if (c == ')' && parentheses_ > 0) --parentheses_;
      before_ += c;
    }
  }

  void close() {
    if (open_.empty()) return;
    const open_brace last = open_.back();
    open_.pop_back();
    if (last.kind == brace::function) found_.push_back({last.name, last.line + 1, line_ - last.line + 1});
  }

  const source_file& file_;
  std::size_t line_ = 0;
  bool in_comment_ = false;
  std::string raw_end_;  // what closes the raw string we are in
  int parentheses_ = 0;
  std::string before_;
  std::vector<open_brace> open_;
  std::vector<function_span> found_;
};

bool in_extensionless_folder(const source_file& file) {
  return std::any_of(extensionless_folders.begin(), extensionless_folders.end(),
                     [&](std::string_view folder) { return file.in(folder); });
}

// Words such as `docs/format.md` in a line.
std::vector<std::string> documents_in(const std::string& line) {
  std::vector<std::string> out;
  for (std::size_t at = line.find(".md"); at != std::string::npos; at = line.find(".md", at + 1)) {
    if (at + 3 < line.size() && is_word_character(line[at + 3])) continue;
    std::size_t begun = at;
    while (begun > 0 && (is_word_character(line[begun - 1]) || line[begun - 1] == '/' ||
                         line[begun - 1] == '-' || line[begun - 1] == '.')) {
      --begun;
    }
    if (begun < at) out.push_back(line.substr(begun, at + 3 - begun));
  }
  return out;
}

// As a heading of its own, or as the bold beginning of a paragraph.
bool has_heading(const source_file& readme, std::string_view heading) {
  return std::any_of(readme.lines.begin(), readme.lines.end(), [&](const std::string& line) {
    return line == "## " + std::string(heading) || line.starts_with("**" + std::string(heading) + "**");
  });
}

bool names_a_file(const std::string& named, const std::vector<source_file>& tree) {
  const std::string base = named.substr(named.rfind('/') + 1);
  return std::any_of(tree.begin(), tree.end(), [&](const source_file& each) {
    return each.path == base || each.path.ends_with("/" + base);
  });
}

}  // namespace

std::vector<function_span> functions_of(const source_file& file) {
  return scanner(file).run();
}

void check_function_lengths(const source_file& file, const std::map<std::string, std::size_t>& ratchet,
                            breaches& out) {
  if (!file.is_code()) return;
  for (const function_span& each : functions_of(file)) {
    const auto known = ratchet.find(file.path + " " + each.name);
    const std::size_t most = known == ratchet.end() ? function_lines_max : known->second;
    if (each.lines <= most) continue;
    out.push_back({file.path, each.first_line, "length",
                   each.name + " has " + std::to_string(each.lines) + " lines of at most " +
                       std::to_string(most) + "; give its parts names"});
  }
}

void check_file_length(const source_file& file, breaches& out) {
  if (!file.is_code() || file.lines.size() <= file_lines_max) return;
  out.push_back({file.path, 0, "length",
                 std::to_string(file.lines.size()) + " lines of at most " + std::to_string(file_lines_max) +
                     "; split it by noun"});
}

void check_file_kind(const source_file& file, breaches& out) {
  const std::string extension = file.extension();
  const std::string name = file.path.substr(file.path.rfind('/') + 1);
  if (extensions.contains(extension) || bare_names.contains(name)) return;
  if (in_extensionless_folder(file)) return;
  if (data_extensions.contains(extension) && (file.in("tests/data") || file.in("client/format"))) return;
  out.push_back(
      {file.path, 0, "files", "no file of this kind is expected; add it to tests/tidy/shape_rules.cpp"});
}

void check_ambient_state(const source_file& file, breaches& out) {
  if (!file.is_code() || file.path == "core/posix.cpp" || file.in("tests") || file.in("perf")) return;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string_view code = std::string_view(file.lines[i]).substr(0, file.lines[i].find("//"));
    for (const banned_word& each : banned) {
      if (code.find(each.word) == std::string_view::npos) continue;
      out.push_back({file.path, i + 1, "ambient",
                     std::string(each.word) + " hides a dependency; use " + std::string(each.instead)});
    }
  }
}

void check_folder_readmes(const std::vector<source_file>& tree, breaches& out) {
  for (const std::string& folder : code_folders) {
    const bool lives = std::any_of(
        tree.begin(), tree.end(), [&](const source_file& each) { return each.in(folder) && each.is_code(); });
    if (!lives) continue;
    const std::string path = folder + "/README.md";
    const auto readme =
        std::find_if(tree.begin(), tree.end(), [&](const source_file& each) { return each.path == path; });
    if (readme == tree.end()) {
      out.push_back(
          {path, 0, "readme", "missing: say what the folder owns, includes, guarantees, how to test it"});
      continue;
    }
    if (readme->lines.size() > readme_lines_max) {
      out.push_back({path, 0, "readme", "longer than twenty lines; the rest belongs under docs/"});
    }
    for (const std::string_view heading : {"Owns", "May include", "Guarantees", "How to test it"}) {
      if (has_heading(*readme, heading)) continue;
      out.push_back({path, 0, "readme", "lacks the heading " + std::string(heading)});
    }
  }
}

void check_mentions(const source_file& file, const std::vector<source_file>& tree, const std::string& root,
                    breaches& out) {
  if (file.in("tests/fuzz/corpus") || file.in("tests/data") || file.in("tests/tidy")) return;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    for (const std::string& named : documents_in(line)) {
      // Outside our documents `.md` is mostly somebody's note; there only the docs folder is meant.
      const bool is_document =
          file.path.ends_with(".md") ? !named.starts_with("var/") : named.starts_with("docs/");
      if (!is_document || names_a_file(named, tree)) continue;
      out.push_back({file.path, i + 1, "mentions", named + " is not in this repository"});
    }
    for (const std::string_view path : private_roots) {
      if (line.find(path) == std::string::npos) continue;
      out.push_back({file.path, i + 1, "mentions", std::string(path) + " is a place on somebody's machine"});
    }
    if (line.find(root) != std::string::npos) {
      out.push_back({file.path, i + 1, "mentions", "this is the path of one checkout"});
    }
  }
}

}  // namespace obsync::tidy
