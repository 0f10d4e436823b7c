#include "app/operator_words.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "core/duration_text.hpp"
#include "core/size_text.hpp"

namespace obsync::app {

namespace {

using wire::control_verb;

struct shape {
  std::string_view group;
  std::string_view word;  // empty: the group is the whole verb
  control_verb verb;
  std::size_t arguments;
  std::vector<std::string_view> flags;
  std::string_view usage;
};

const std::vector<shape>& shapes() {
  static const std::vector<shape> all{
      {"account",
       "invite",
       control_verb::account_invite,
       0,
       {"name", "quota", "expires"},
       "account invite --name NAME [--quota SIZE] [--expires 7d]"},
      {"account", "list", control_verb::account_list, 0, {}, "account list"},
      {"account", "quota", control_verb::account_quota, 2, {}, "account quota ACCOUNT SIZE|none"},
      {"account", "rename", control_verb::account_rename, 2, {}, "account rename ACCOUNT NAME"},
      {"account", "disable", control_verb::account_disable, 1, {}, "account disable ACCOUNT"},
      {"account", "enable", control_verb::account_enable, 1, {}, "account enable ACCOUNT"},
      {"account", "delete", control_verb::account_delete, 1, {"yes"}, "account delete ACCOUNT [--yes]"},
      {"device", "list", control_verb::device_list, 0, {"account"}, "device list [--account ACCOUNT]"},
      {"device",
       "revoke",
       control_verb::device_revoke,
       1,
       {"account", "force"},
       "device revoke DEVICE [--account ACCOUNT] [--force]"},
      {"device",
       "role",
       control_verb::device_role,
       2,
       {"account"},
       "device role DEVICE ro|rw [--account ACCOUNT]"},
      {"audit", "", control_verb::audit, 0, {"account", "limit"}, "audit [--account ACCOUNT] [--limit N]"},
      {"gc", "run", control_verb::gc_run, 0, {}, "gc run"},
      {"gc", "status", control_verb::gc_status, 0, {}, "gc status"},
      {"scrub", "run", control_verb::scrub_run, 0, {}, "scrub run"},
      {"scrub", "status", control_verb::scrub_status, 0, {}, "scrub status"}};
  return all;
}

bool is_switch(std::string_view name) {
  return name == "json" || name == "yes" || name == "force";
}

class reader {
 public:
  explicit reader(const shape& of) : shape_(of) { out_.wish.verb = of.verb; }

  result<operator_words> read(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size() && !wrong_; ++i) {
      if (!words[i].starts_with("--")) {
        arguments_.push_back(words[i]);
        continue;
      }
      const std::size_t equals = words[i].find('=');
      const std::string name = words[i].substr(2, equals == std::string::npos ? equals : equals - 2);
      if (is_switch(name) && equals == std::string::npos) {
        set_switch(name);
        continue;
      }
      std::optional<std::string> value;
      if (equals != std::string::npos) {
        value = words[i].substr(equals + 1);
      } else if (i + 1 < words.size()) {
        value = words[++i];
      }
      set(name, value);
    }
    if (!wrong_ && arguments_.size() != shape_.arguments) wrong_ = "these are not the words it takes";
    if (!wrong_) take_arguments();
    if (!wrong_ && shape_.verb == control_verb::account_invite && !out_.wish.name)
      wrong_ = "--name is missing";
    if (wrong_) return error{errc::invalid, *wrong_ + "; usage: obsyncd " + std::string(shape_.usage)};
    return std::move(out_);
  }

 private:
  bool takes(std::string_view flag) const {
    return std::find(shape_.flags.begin(), shape_.flags.end(), flag) != shape_.flags.end();
  }

  void set_switch(const std::string& name) {
    if (name == "json") {
      out_.json = true;
    } else if (!takes(name)) {
      wrong_ = "--" + name + " does not belong here";
    } else if (name == "yes") {
      out_.yes = true;
    } else {
      out_.wish.force = true;
    }
  }

  void set(const std::string& name, const std::optional<std::string>& value) {
    if (!value) {
      wrong_ = "--" + name + " needs a value";
    } else if (name == "config" || name.find('.') != std::string::npos) {
      out_.options.push_back("--" + name + "=" + *value);
    } else if (!takes(name)) {
      wrong_ = "--" + name + " does not belong here";
    } else if (name == "name") {
      out_.wish.name = *value;
    } else if (name == "account") {
      out_.wish.account = *value;
    } else if (name == "quota") {
      take_quota(*value);
    } else if (name == "expires") {
      take_expiry(*value);
    } else {
      take_limit(*value);
    }
  }

  void take_quota(const std::string& text) {
    if (text == "none") return;
    out_.wish.quota_bytes = parse_size(text);
    if (!out_.wish.quota_bytes) wrong_ = "'" + text + "' is no size; write for example 20GiB, or none";
  }

  void take_expiry(const std::string& text) {
    const auto span = parse_duration(text);
    if (!span || span->count() == 0) {
      wrong_ = "'" + text + "' is no span of time; write for example 7d or 12h";
      return;
    }
    out_.wish.expires_in_ms = span->count();
  }

  void take_limit(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = failed == std::errc() && end == text.data() + text.size();
    if (!whole || number < 1 || number > wire::audit_rows_max) {
      wrong_ = "--limit takes a number from 1 to " + std::to_string(wire::audit_rows_max);
      return;
    }
    out_.wish.limit = number;
  }

  void take_arguments() {
    if (arguments_.empty()) return;
    if (shape_.group == "device") {
      out_.wish.device = arguments_[0];
    } else {
      out_.wish.account = arguments_[0];
    }
    if (shape_.verb == control_verb::account_quota) take_quota(arguments_[1]);
    if (shape_.verb == control_verb::account_rename) out_.wish.name = arguments_[1];
    if (shape_.verb != control_verb::device_role) return;
    out_.wish.read_only = arguments_[1] == "ro";
    if (arguments_[1] != "ro" && arguments_[1] != "rw") wrong_ = "a role is ro or rw";
  }

  const shape& shape_;
  operator_words out_;
  std::vector<std::string> arguments_;
  std::optional<std::string> wrong_;
};

}  // namespace

bool is_operator_group(const std::string& group) {
  return std::any_of(shapes().begin(), shapes().end(), [&](const shape& one) { return one.group == group; });
}

result<operator_words> parse_operator_words(const std::string& group, const std::vector<std::string>& words) {
  std::string known;
  for (const shape& one : shapes()) {
    if (one.group != group) continue;
    if (one.word.empty()) return reader(one).read(words);
    if (!words.empty() && words.front() == one.word)
      return reader(one).read({words.begin() + 1, words.end()});
    known += "\n  obsyncd " + std::string(one.usage);
  }
  return error{errc::invalid, "`" + group + "` takes one of" + known};
}

}  // namespace obsync::app
