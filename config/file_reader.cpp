#include "config/file_reader.hpp"

#include <map>
#include <optional>

namespace obsync::config {

namespace {

constexpr std::size_t file_bytes_max = 1u << 20;
constexpr std::size_t whole_digits_max = 18;  // what TOML promises for an integer, near enough

bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

bool is_control(char c) {
  const auto code = static_cast<unsigned char>(c);
  return (code < 0x20 && c != '\t') || code == 0x7F;
}

// One pass over the text. Every read_ function leaves the cursor behind what it took, and on failure sets
// `fault_` to what was expected.
class reader {
 public:
  reader(std::string_view text, const std::string& path, problems& wrong)
      : text_(text), path_(path), wrong_(wrong) {}

  std::vector<assignment> run() {
    while (at_ < text_.size()) {
      const std::size_t begun = line_;
      if (!read_line()) {
        wrong_.push_back({place(begun), fault_});
        skip_line();
      }
    }
    return std::move(out_);
  }

 private:
  std::string place(std::size_t line) const { return path_ + ":" + std::to_string(line); }

  bool fail(std::string_view expected) {
    fault_ = expected;
    return false;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\n'; }

  bool take(char wanted) {
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  void skip_line() {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
    if (take('\n')) ++line_;
  }

  // Blanks, an optional comment, and the end of the line.
  bool read_end() {
    skip_blanks();
    if (peek() == '#') {
      skip_line();
      return true;
    }
    take('\r');
    if (at_ == text_.size()) return true;
    if (!take('\n')) return fail("something follows where the line should end");
    ++line_;
    return true;
  }

  bool read_line() {
    skip_blanks();
    if (peek() == '[') return read_section();
    if (is_name_character(peek())) return read_assignment();
    if (peek() == '\n' || peek() == '\r' || peek() == '#') return read_end();
    return fail("expected [section], name = value, or a comment that begins with #");
  }

  std::string read_name() {
    const std::size_t begun = at_;
    while (at_ < text_.size() && (is_name_character(text_[at_]) || text_[at_] == '.')) ++at_;
    return std::string(text_.substr(begun, at_ - begun));
  }

  bool read_section() {
    section_.clear();
    take('[');
    skip_blanks();
    const std::string name = read_name();
    skip_blanks();
    if (name.empty() || !take(']')) return fail("expected a section such as [server]");
    if (const auto [first, fresh] = sections_.emplace(name, line_); !fresh) {
      return fail("section [" + name + "] began in line " + std::to_string(first->second) + " already");
    }
    section_ = name + ".";
    return read_end();
  }

  bool read_assignment() {
    const std::size_t begun = line_;
    const std::string name = section_ + read_name();
    skip_blanks();
    if (!take('=')) return fail("expected name = value");
    skip_blanks();
    auto value = read_value();
    if (!value || !read_end()) return false;
    if (name.find('.') == std::string::npos) return fail(name + " stands outside a section such as [server]");
    if (const auto [first, fresh] = names_.emplace(name, begun); !fresh) {
      return fail(name + " was set in line " + std::to_string(first->second) + " already");
    }
    out_.push_back({source::file, name, std::move(*value), place(begun)});
    return true;
  }

  std::optional<std::string> read_value() {
    const char first = peek();
    if (first == '"' || first == '\'') return read_text();
    if (first == '[') return read_list();
    const std::size_t begun = at_;
    while (is_name_character(peek())) ++at_;
    const std::string_view word = text_.substr(begun, at_ - begun);
    const bool whole = !word.empty() && word.size() <= whole_digits_max &&
                       word.find_first_not_of("0123456789") == std::string_view::npos;
    if (whole || word == "true" || word == "false") return std::string(word);
    fail("expected text in double quotes, a whole number, or a list in brackets");
    return std::nullopt;
  }

  std::optional<std::string> read_text() {
    const char quote = text_[at_++];
    std::string out;
    for (;;) {
      const char c = peek();
      if (is_control(c)) {
        fail("a text in quotes must end in the line where it begins");
        return std::nullopt;
      }
      ++at_;
      if (c == quote) return out;
      if (c == '\\' && quote == '"') {
        const char escaped = peek();
        if (escaped != '"' && escaped != '\\') {
          fail("in double quotes a backslash may only stand before \" or another backslash");
          return std::nullopt;
        }
        ++at_;
        out.push_back(escaped);
      } else {
        out.push_back(c);
      }
    }
  }

  // Blanks, comments and line ends between the items of a list. False at the end of the text.
  bool skip_between() {
    for (;;) {
      skip_blanks();
      take('\r');
      if (at_ >= text_.size()) return false;
      if (text_[at_] != '#' && text_[at_] != '\n') return true;
      skip_line();
    }
  }

  std::optional<std::string> read_list() {
    take('[');
    std::string out;
    for (bool first = true;; first = false) {
      if (skip_between() && take(']')) return out;
      if (peek() != '"' && peek() != '\'') break;
      const auto item = read_text();
      if (!item) return std::nullopt;
      // A comma inside an item would fall apart later, and an empty item would vanish.
      if (item->empty() || item->find(',') != std::string::npos) break;
      out += (first ? "" : ",") + *item;
      if (!skip_between()) break;
      if (take(',')) continue;
      if (take(']')) return out;
      break;
    }
    fail("expected a list of texts such as [\"one\", \"two\"], without commas inside a text");
    return std::nullopt;
  }

  std::string_view text_;
  const std::string& path_;
  problems& wrong_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::string section_;  // with its dot; empty before the first section
  std::string fault_;
  std::map<std::string, std::size_t> sections_;  // name to the line that began it
  std::map<std::string, std::size_t> names_;     // the same for options
  std::vector<assignment> out_;
};

}  // namespace

std::vector<assignment> read_file_text(std::string_view text, const std::string& path, problems& wrong) {
  if (text.size() > file_bytes_max) {
    wrong.push_back({path, "larger than 1MiB: this is not a configuration file"});
    return {};
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return reader(text, path, wrong).run();
}

}  // namespace obsync::config
