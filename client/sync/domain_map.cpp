#include "client/sync/domain_map.hpp"

#include "client/format/domain_map_record.hpp"

namespace obsync::client {

namespace {

constexpr const char* fact_name = "domain";

class domain_reading {
 public:
  explicit domain_reading(sync_session& session)
      : session_(session), place_(place_of_domain_map(session.keys)) {}

  // `remembered`: what an earlier round found; a server that was set back to before the map gets the same
  // again.
  std::optional<domain_id> run(const std::optional<domain_id>& remembered) {
    const auto record = session_.server.file(place_.file);
    if (record) return read(*record);
    if (record.error().refusal != wire::refusal::unknown_file) return fail(record.error());
    const auto chosen = remembered ? *remembered : random_id<domain_id>(session_.random);
    const auto post = seal_domain_map(session_.keys, single_domain_map(chosen), {});
    const auto answer = session_.server.post_version(place_.file, post);
    if (!answer) return fail(answer.error());
    if (answer->heads == std::vector{post.id}) return chosen;
    const auto both = session_.server.file(place_.file);
    if (!both) return fail(both.error());
    return read(*both);
  }

 private:
  std::optional<domain_id> read(wire::file_record record) {
    const std::vector<version_id> heads = record.heads;
    if (heads.empty()) return fail(error{errc::corrupt, "the vault's domain map has no head"});
    // Devices that began the vault at the same moment each wrote a map. The one the server had first counts,
    // and whoever sees several says so. It need not be the first head: who says so may not have seen them
    // all.
    if (record.versions.empty()) return fail(error{errc::corrupt, "the vault's domain map has no version"});
    record.heads = {record.versions.back().id};
    const auto map = open_domain_map(session_.keys, record);
    if (!map) return fail(map.error());
    if (map->domains.size() != 1) return fail(error{errc::unsupported, "this vault has several domains"});
    if (heads.size() > 1) {
      const auto closed =
          session_.server.post_version(place_.file, seal_domain_map(session_.keys, *map, heads));
      if (!closed) return fail(closed.error());
    }
    return map->domains.front().id;
  }

  template <class Error>
  std::nullopt_t fail(const Error& why) {
    session_.log->end(why);
    return std::nullopt;
  }

  sync_session& session_;
  domain_map_place place_;
};

}  // namespace

bool ensure_domain(sync_session& session) {
  if (session.domain != nullptr) return true;
  const auto known = session.state->fact(fact_name);
  if (!known) return session.log->end(known.error()), false;
  const auto remembered = *known ? domain_id::parse(**known) : std::nullopt;
  const auto domain = domain_reading(session).run(remembered);
  if (!domain) return false;
  if (remembered && *remembered != *domain) {
    return session.log->end(error{errc::exists, "this folder was kept in step with another vault"}), false;
  }
  if (auto kept = session.state->set_fact(fact_name, domain->hex()); !kept) {
    return session.log->end(kept.error()), false;
  }
  session.domain = &session.keys.domain(*domain);
  return true;
}

}  // namespace obsync::client
