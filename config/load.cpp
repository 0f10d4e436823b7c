#include "config/load.hpp"

#include <fstream>
#include <iterator>

#include "config/checks.hpp"
#include "config/file_reader.hpp"
#include "config/option.hpp"

namespace obsync::config {

namespace {

constexpr std::string_view prefix = "OBSYNC_";
// The client's own variable. A person who uses both programs exports it for both.
constexpr std::string_view client_variable = "OBSYNC_HOME";

std::string hint(std::string_view nearest) {
  return nearest.empty() ? std::string() : "; did you mean " + std::string(nearest) + "?";
}

// A value as a message may show it: short, and without anything a terminal would obey.
std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string out = "\"";
  for (const char c : text.substr(0, longest)) out.push_back(c >= 0x20 && c != 0x7F ? c : '?');
  return out + (text.size() > longest ? "...\"" : "\"");
}

class loader {
 public:
  loader() { loaded_.origins.assign(options().size(), source::builtin); }

  void file(const file_text& from) {
    for (const assignment& each : read_file_text(from.text, from.path, wrong_)) apply(each);
  }

  void environment(const std::string& entry) {
    const std::size_t equals = entry.find('=');
    const std::string name = entry.substr(0, equals);
    if (!name.starts_with(prefix) || name == client_variable) return;
    const std::string place = "environment " + name;
    const option* known = find_variable(name);
    if (known == nullptr) {
      wrong_.push_back({place, "unknown variable" + hint(nearest_variable(name))});
      return;
    }
    const std::string text = equals == std::string::npos ? std::string() : entry.substr(equals + 1);
    set(*known, {source::environment, name, text, place});
  }

  void command_line(const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const std::string& word = arguments[i];
      if (!word.starts_with("--") || word.size() == 2) {
        // The word itself may be a secret that lost its option; it is not repeated.
        wrong_.push_back({"command line", "argument " + std::to_string(i + 1) + " is not an option"});
        continue;
      }
      const std::size_t equals = word.find('=');
      assignment given{source::command_line, word.substr(2, equals == word.npos ? equals : equals - 2), "",
                       "command line"};
      if (equals != std::string::npos) {
        given.text = word.substr(equals + 1);
      } else if (i + 1 < arguments.size() && !arguments[i + 1].starts_with("--")) {
        given.text = arguments[++i];
      } else {
        wrong_.push_back({given.place, "option " + shown(given.name) + " needs a value"});
        continue;
      }
      apply(given);
    }
  }

  result<loaded, problems> finish() && {
    check_together(loaded_.values, wrong_);
    if (!wrong_.empty()) return std::move(wrong_);
    return std::move(loaded_);
  }

 private:
  void apply(const assignment& given) {
    const option* known = find_option(given.name);
    if (known == nullptr) {
      wrong_.push_back(
          {given.place, "unknown option " + shown(given.name) + hint(nearest_option(given.name))});
      return;
    }
    set(*known, given);
  }

  void set(const option& known, const assignment& given) {
    if (!known.assign(loaded_.values, given.text)) {
      const std::string value = known.secret ? std::string("this value") : shown(given.text);
      wrong_.push_back(
          {given.place, std::string(known.name) + " cannot be " + value + ": expected " + known.expected});
      return;
    }
    loaded_.origins[static_cast<std::size_t>(&known - options().data())] = given.from;
  }

  loaded loaded_;
  problems wrong_;
};

std::optional<file_text> read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  file_text out{path, std::string(std::istreambuf_iterator<char>(in), {})};
  if (in.bad()) return std::nullopt;
  return out;
}

// Removes `--config` and its value from the arguments. Empty when it was not given.
std::optional<std::string> take_config_path(std::vector<std::string>& arguments) {
  std::optional<std::string> path;
  for (std::size_t i = 0; i < arguments.size();) {
    const auto at = arguments.begin() + static_cast<std::ptrdiff_t>(i);
    if (arguments[i].starts_with("--config=")) {
      path = arguments[i].substr(9);
      arguments.erase(at);
    } else if (arguments[i] == "--config" && i + 1 < arguments.size()) {
      path = arguments[i + 1];
      arguments.erase(at, at + 2);
    } else {
      ++i;
    }
  }
  return path;
}

}  // namespace

result<loaded, problems> load(const inputs& from) {
  loader work;
  if (from.file) work.file(*from.file);
  for (const std::string& entry : from.environment) work.environment(entry);
  work.command_line(from.arguments);
  return std::move(work).finish();
}

result<loaded, problems> load_from_system(std::vector<std::string> arguments, const char* const* environment,
                                          std::string_view fallback_file) {
  inputs from;
  const auto asked = take_config_path(arguments);
  from.file = read_file(asked ? *asked : std::string(fallback_file));
  from.arguments = std::move(arguments);
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    from.environment.emplace_back(*environment);
  }
  auto out = load(from);
  if (!asked || from.file) return out;
  problems wrong{{*asked, "cannot be read"}};
  if (!out) wrong.insert(wrong.end(), out.error().begin(), out.error().end());
  return wrong;
}

}  // namespace obsync::config
