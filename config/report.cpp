#include "config/report.hpp"

#include "config/option.hpp"

namespace obsync::config {

namespace {

std::string_view origin_text(source from) {
  switch (from) {
    case source::builtin:
      return "default";
    case source::file:
      return "file";
    case source::environment:
      return "environment";
    case source::command_line:
      return "command line";
  }
  return "";
}

std::string shown_value(const option& each, const settings& values) {
  const std::string text = each.print(values);
  if (each.secret) return text.empty() ? "(not set)" : "(set, hidden)";
  return "\"" + text + "\"";
}

// Whole numbers and truth values stand bare, all else in quotes. No printed value needs an escape.
std::string toml_value(const std::string& text) {
  const bool number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  const bool bare = number || text == "true" || text == "false";
  return bare ? text : "\"" + text + "\"";
}

}  // namespace

std::string show_text(const loaded& from) {
  std::string out;
  for (std::size_t i = 0; i < options().size(); ++i) {
    const option& each = options()[i];
    out += std::string(each.name) + " = " + shown_value(each, from.values) + "  # " +
           std::string(origin_text(from.origins[i])) + "\n";
  }
  return out;
}

std::string problems_text(const problems& wrong) {
  std::string out;
  for (const problem& each : wrong) out += each.text() + "\n";
  return out;
}

std::string sample_text() {
  std::string out =
      "# obsyncd.conf: every option at its default. Take away the # before an option to change it.\n"
      "#\n"
      "# The language is TOML. An OBSYNC_ variable overrides it, and --section.name=value on the command "
      "line "
      "overrides\n"
      "# both. Sizes are whole numbers with B, KiB, MiB, GiB or TiB; times carry ms, s, min, h or d; lists "
      "are\n"
      "# separated by commas. `obsyncd config check` says what is wrong with a file, `obsyncd config show` "
      "what holds.\n";
  const settings defaults;
  std::string_view section;
  for (const option& each : options()) {
    const std::size_t dot = each.name.find('.');
    if (each.name.substr(0, dot) != section) {
      section = each.name.substr(0, dot);
      out += "\n[" + std::string(section) + "]\n";
    }
    out += "\n# " + std::string(each.effect) + "\n";
    out += "# Value: " + each.expected + " (" + std::string(each.unit) +
           "). Variable: " + std::string(each.environment) + ".\n";
    out += "#" + std::string(each.name.substr(dot + 1)) + " = " + toml_value(each.print(defaults)) + "\n";
  }
  return out;
}

}  // namespace obsync::config
