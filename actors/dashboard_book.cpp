#include "actors/dashboard_book.hpp"

#include <algorithm>

#include "crypto/digest.hpp"

namespace obsync::actors {

namespace {

// Nothing for a text that is no token: such a text fits nobody.
std::optional<digest> hash_of(std::string_view token) {
  const auto raw = crypto::secret32::parse(token);
  if (!raw) return std::nullopt;
  return crypto::sha256(raw->view());
}

bool same(const digest& a, const digest& b) {
  return crypto::equal_constant_time(a.view(), b.view());
}

}  // namespace

crypto::secret32 dashboard_book::make_link(const account_id& account, const device_id& device,
                                           std::int64_t now_s) {
  drop_expired(now_s);
  const auto is_of_account = [&](const link& one) { return one.account == account; };
  const auto count = std::count_if(links_.begin(), links_.end(), is_of_account);
  if (static_cast<std::size_t>(count) >= limits_.links_per_account_max)
    links_.erase(std::find_if(links_.begin(), links_.end(), is_of_account));
  crypto::secret32 token;
  random_.fill(token.raw);
  links_.push_back({crypto::sha256(token.view()), account, device, now_s + limits_.link_s_max});
  return token;
}

std::optional<dashboard_visitor> dashboard_book::spend_link(std::string_view token, std::int64_t now_s) {
  drop_expired(now_s);
  const auto hash = hash_of(token);
  if (!hash) return std::nullopt;
  const auto found =
      std::find_if(links_.begin(), links_.end(), [&](const link& one) { return same(one.token, *hash); });
  if (found == links_.end()) return std::nullopt;
  const dashboard_visitor who{found->account, found->device, false};
  links_.erase(found);
  return who;
}

dashboard_tokens dashboard_book::open(const dashboard_visitor& who, std::int64_t now_s) {
  drop_expired(now_s);
  make_room_for_session(who.account);
  dashboard_tokens tokens;
  random_.fill(tokens.session.raw);
  random_.fill(tokens.csrf.raw);
  sessions_.push_back(
      {crypto::sha256(tokens.session.view()), crypto::sha256(tokens.csrf.view()), who, now_s, now_s});
  return tokens;
}

dashboard_session* dashboard_book::find(std::string_view token, std::int64_t now_s) {
  const auto hash = hash_of(token);
  if (!hash) return nullptr;
  for (dashboard_session& one : sessions_)
    if (same(one.token, *hash)) return is_over(one, now_s) ? nullptr : &one;
  return nullptr;
}

bool dashboard_book::csrf_fits(const dashboard_session& session, const std::optional<std::string>& header,
                               const std::optional<std::string>& cookie) {
  if (!header || !cookie) return false;
  const auto from_header = hash_of(*header);
  const auto from_cookie = hash_of(*cookie);
  return from_header && from_cookie && same(*from_header, session.csrf) && same(*from_cookie, session.csrf);
}

void dashboard_book::close(const dashboard_session& session) {
  sessions_.remove_if([&session](const dashboard_session& one) { return &one == &session; });
}

std::size_t dashboard_book::close_all(const std::optional<account_id>& account) {
  links_.remove_if([&](const link& one) { return one.account == account; });
  return sessions_.remove_if([&](const dashboard_session& one) { return one.who.account == account; });
}

std::size_t dashboard_book::close_device(const device_id& device) {
  links_.remove_if([&](const link& one) { return one.device == device; });
  return sessions_.remove_if([&](const dashboard_session& one) { return one.who.device == device; });
}

void dashboard_book::adopt(const account_id& owner) {
  for (dashboard_session& one : sessions_)
    if (!one.who.account) one.who.account = owner;
}

void dashboard_book::drop_expired(std::int64_t now_s) {
  links_.remove_if([&](const link& one) { return now_s >= one.expires_s; });
  sessions_.remove_if([&](const dashboard_session& one) { return is_over(one, now_s); });
}

void dashboard_book::make_room_for_session(const std::optional<account_id>& account) {
  auto oldest = sessions_.end();
  std::size_t count = 0;
  for (auto at = sessions_.begin(); at != sessions_.end(); ++at) {
    if (at->who.account != account) continue;
    ++count;
    if (oldest == sessions_.end() || at->used_s < oldest->used_s) oldest = at;
  }
  if (count >= limits_.sessions_per_account_max) sessions_.erase(oldest);
}

bool dashboard_book::is_over(const dashboard_session& one, std::int64_t now_s) const {
  return now_s - one.opened_s >= limits_.session_s_max || now_s - one.used_s >= limits_.idle_s_max;
}

}  // namespace obsync::actors
