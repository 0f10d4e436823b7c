#include "client/command/moment.hpp"

#include <chrono>
#include <ctime>
#include <optional>

namespace obsync::client {

namespace {

// Reads from the front of a text; any failure sticks.
class text_reader {
 public:
  explicit text_reader(std::string_view text) : left_(text) {}

  int number(std::size_t digits) {
    int out = 0;
    for (std::size_t i = 0; i < digits; ++i) {
      if (left_.empty() || left_[0] < '0' || left_[0] > '9') return fail();
      out = out * 10 + (left_[0] - '0');
      left_.remove_prefix(1);
    }
    return out;
  }
  bool skip(std::string_view one_of) {
    if (left_.empty() || one_of.find(left_[0]) == std::string_view::npos) return false;
    left_.remove_prefix(1);
    return true;
  }
  void expect(std::string_view one_of) {
    if (!skip(one_of)) fail();
  }
  // Of a second, in ms; digits beyond are dropped.
  int fraction() {
    int out = number(1) * 100;
    for (int weight = 10; !left_.empty() && left_[0] >= '0' && left_[0] <= '9'; weight /= 10)
      out += number(1) * weight;
    return out;
  }
  bool done() const { return !failed_ && left_.empty(); }
  bool at_end() const { return left_.empty(); }
  int fail() {
    failed_ = true;
    return 0;
  }

 private:
  std::string_view left_;
  bool failed_ = false;
};

struct local_time {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  int milli = 0;
  std::optional<int> offset_minutes = {};  // nothing: this machine's
};

// Minutes east of UTC.
int read_offset(text_reader& in) {
  if (in.skip("Zz")) return 0;
  const bool west = in.skip("-");
  if (!west) in.expect("+");
  const int hours = in.number(2);
  in.expect(":");
  const int minutes = in.number(2);
  if (hours > 23 || minutes > 59) in.fail();
  return (west ? -1 : 1) * (60 * hours + minutes);
}

std::optional<local_time> read(std::string_view text) {
  text_reader in(text);
  local_time out;
  out.year = in.number(4);
  in.expect("-");
  out.month = static_cast<unsigned>(in.number(2));
  in.expect("-");
  out.day = static_cast<unsigned>(in.number(2));
  if (in.done()) return out;
  in.expect("Tt ");
  out.hour = in.number(2);
  in.expect(":");
  out.minute = in.number(2);
  if (in.done()) return out;
  in.expect(":");
  out.second = in.number(2);
  if (in.skip(".")) out.milli = in.fraction();
  out.offset_minutes = read_offset(in);
  return in.done() ? std::optional(out) : std::nullopt;
}

}  // namespace

result<std::int64_t> parse_moment(std::string_view text) {
  using namespace std::chrono;
  const error wrong{errc::invalid,
                    "a time is written 2026-11-30, 2026-11-30 18:00 or 2026-11-30T18:00:00+01:00"};
  const auto at = read(text);
  if (!at) return wrong;
  const year_month_day date{year(at->year), month(at->month), day(at->day)};
  if (!date.ok() || at->hour > 23 || at->minute > 59 || at->second > 59) return wrong;
  if (at->offset_minutes) {
    const auto since = sys_days(date).time_since_epoch() + hours(at->hour) +
                       minutes(at->minute - *at->offset_minutes) + seconds(at->second);
    return duration_cast<milliseconds>(since).count() + at->milli;
  }
  std::tm here{};
  here.tm_year = at->year - 1900;
  here.tm_mon = static_cast<int>(at->month) - 1;
  here.tm_mday = static_cast<int>(at->day);
  here.tm_hour = at->hour;
  here.tm_min = at->minute;
  here.tm_isdst = -1;
  return std::int64_t{std::mktime(&here)} * 1000;
}

}  // namespace obsync::client
