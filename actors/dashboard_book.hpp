// Who is logged in to the dashboard, and the links that let somebody in. Plain data in memory: tokens are
// kept as hashes only, and nothing survives a restart. One thread; time comes in with every call, in Unix
// seconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string_view>

#include "core/ids.hpp"
#include "core/random.hpp"
#include "crypto/secret.hpp"
#include "wire/dashboard.hpp"

namespace obsync::actors {

struct dashboard_limits {
  std::size_t sessions_per_account_max = 64;  // past it the one longest unused goes
  std::size_t links_per_account_max = 64;     // past it the oldest goes
  std::int64_t session_s_max = wire::dashboard_session_s_max;
  std::int64_t idle_s_max = wire::dashboard_session_idle_s_max;
  std::int64_t link_s_max = wire::login_link_s_max;
};

// Who came in, and how.
struct dashboard_visitor {
  std::optional<account_id> account = {};  // nothing: by the setup token, before there is an account
  std::optional<device_id> device = {};    // by a link this device asked for
  bool recovery = false;                   // by the setup token
};

struct dashboard_session {
  digest token;  // hashes of what the browser holds
  digest csrf;
  dashboard_visitor who;
  std::int64_t opened_s = 0;
  std::int64_t used_s = 0;
};

// What the browser is told, once.
struct dashboard_tokens {
  crypto::secret32 session;
  crypto::secret32 csrf;
};

class dashboard_book {
 public:
  dashboard_book(const dashboard_limits& limits, random_source& random) : limits_(limits), random_(random) {}

  // A link for that device's account; past its bound the oldest of the account goes.
  crypto::secret32 make_link(const account_id& account, const device_id& device, std::int64_t now_s);
  // Uses up the link; nothing for an unknown, spent or expired one.
  std::optional<dashboard_visitor> spend_link(std::string_view token, std::int64_t now_s);

  dashboard_tokens open(const dashboard_visitor& who, std::int64_t now_s);
  // Nothing for an unknown, closed, expired or idle one. Valid until the next call that changes the book.
  dashboard_session* find(std::string_view token, std::int64_t now_s);
  // The header and the cookie both hold the session's value.
  static bool csrf_fits(const dashboard_session& session, const std::optional<std::string>& header,
                        const std::optional<std::string>& cookie);

  void close(const dashboard_session& session);
  // Sessions and unspent links. The count is of sessions.
  std::size_t close_all(const std::optional<account_id>& account);
  std::size_t close_device(const device_id& device);
  // Whoever came by the setup token before there was an account belongs to this one from now on.
  void adopt(const account_id& owner);

  std::size_t session_count() const { return sessions_.size(); }
  std::size_t link_count() const { return links_.size(); }

 private:
  struct link {
    digest token;
    account_id account;
    device_id device;
    std::int64_t expires_s = 0;
  };

  void drop_expired(std::int64_t now_s);
  void make_room_for_session(const std::optional<account_id>& account);
  bool is_over(const dashboard_session& one, std::int64_t now_s) const;

  dashboard_limits limits_;
  random_source& random_;
  std::list<dashboard_session> sessions_;
  std::list<link> links_;  // oldest first
};

}  // namespace obsync::actors
