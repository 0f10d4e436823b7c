#include "wire/json_document.hpp"

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <charconv>
#include <vector>

#include "core/utf8.hpp"
#include "wire/limits.hpp"

namespace obsync::wire {

namespace {

// Stands between the parser and the tree and stops what the parser itself lets pass.
class strict_handler {
 public:
  using Ch = char;
  using size = rapidjson::SizeType;

  explicit strict_handler(rapidjson::Document& tree) : tree_(tree) {}

  bool Null() { return tree_.Null(); }
  bool Bool(bool value) { return tree_.Bool(value); }
  // Numbers come as text (kParseNumbersAsStringsFlag): the parser's own exact conversion shifts by the
  // leading zeros of nothing when it meets "0e1", and would turn "-0" into an integer.
  bool Int(int) { return false; }
  bool Uint(unsigned) { return false; }
  bool Int64(std::int64_t) { return false; }
  bool Uint64(std::uint64_t) { return false; }
  bool Double(double) { return false; }
  bool RawNumber(const char* text, size length, bool) { return number({text, length}); }
  // Checked after unescaping, which is where a lone surrogate comes to light.
  bool String(const char* text, size length, bool copy) {
    return is_utf8({text, length}) && tree_.String(text, length, copy);
  }
  bool Key(const char* text, size length, bool copy) {
    return is_utf8({text, length}) && tree_.Key(text, length, copy);
  }
  bool StartObject() { return deeper() && tree_.StartObject(); }
  bool StartArray() { return deeper() && tree_.StartArray(); }
  bool EndObject(size members) {
    --depth_;
    return tree_.EndObject(members);
  }
  bool EndArray(size elements) {
    --depth_;
    return tree_.EndArray(elements);
  }

 private:
  template <class Number>
  static bool converts(std::string_view text, Number& out) {
    const auto end = std::from_chars(text.data(), text.data() + text.size(), out);
    return end.ec == std::errc() && end.ptr == text.data() + text.size();
  }

  bool number(std::string_view text) {
    std::uint64_t natural = 0;
    if (converts(text, natural)) return tree_.Uint64(natural);
    std::int64_t negative = 0;
    if (converts(text, negative) && negative < 0) return tree_.Int64(negative);
    double real = 0;
    return converts(text, real) && tree_.Double(real);
  }

  bool deeper() { return ++depth_ <= json_depth_max; }

  rapidjson::Document& tree_;
  std::size_t depth_ = 0;
};

// What Document::Populate calls to be filled.
class generator {
 public:
  explicit generator(std::string_view text) : text_(text) {}

  bool operator()(rapidjson::Document& tree) {
    rapidjson::MemoryStream stream(text_.data(), text_.size());
    rapidjson::Reader reader;
    strict_handler handler(tree);
    constexpr unsigned flags = rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag;
    whole_ = !reader.Parse<flags>(stream, handler).IsError();
    return whole_;
  }

  bool whole() const { return whole_; }

 private:
  std::string_view text_;
  bool whole_ = false;
};

bool repeats_a_name(const json_value& object) {
  constexpr std::size_t few = 12;
  if (object.MemberCount() <= few) {
    for (auto one = object.MemberBegin(); one != object.MemberEnd(); ++one) {
      for (auto other = object.MemberBegin(); other != one; ++other) {
        if (text_of(one->name) == text_of(other->name)) return true;
      }
    }
    return false;
  }
  std::vector<std::string_view> names;
  names.reserve(object.MemberCount());
  for (const auto& member : object.GetObject()) names.push_back(text_of(member.name));
  std::sort(names.begin(), names.end());
  return std::adjacent_find(names.begin(), names.end()) != names.end();
}

// Recursion no deeper than the nesting the parser let through.
bool repeats_a_name_anywhere(const json_value& value) {
  if (value.IsArray()) {
    return std::any_of(value.Begin(), value.End(), repeats_a_name_anywhere);
  }
  if (!value.IsObject()) return false;
  return repeats_a_name(value) || std::any_of(value.MemberBegin(), value.MemberEnd(), [](const auto& member) {
           return repeats_a_name_anywhere(member.value);
         });
}

}  // namespace

outcome<rapidjson::Document> parse_json(std::string_view text) {
  // The parser reads NUL as the end of the text and would not see what follows.
  if (text.find('\0') != std::string_view::npos)
    return failure{refusal::bad_json, "the text holds a NUL byte"};
  generator fill(text);
  rapidjson::Document tree;
  tree.Populate(fill);
  if (!fill.whole()) return failure{refusal::bad_json, "the text is not acceptable JSON"};
  if (repeats_a_name_anywhere(tree)) return failure{refusal::bad_json, "a member name repeats"};
  return tree;
}

}  // namespace obsync::wire
