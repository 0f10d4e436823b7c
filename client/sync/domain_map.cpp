#include "client/sync/domain_map.hpp"

#include "client/format/domain_map_record.hpp"

namespace obsync::client {

namespace {

constexpr const char* fact_name = "domain";

bool is_absent(const remote_error& why) {
  return why.refusal == wire::refusal::unknown_file;
}

// Another device may write the map at the same moment: what the server then holds is what counts.
result<domain_id> write_map(sync_session& session, const domain_id& chosen) {
  const auto post = seal_domain_map(session.keys, single_domain_map(chosen), {});
  const auto answer = session.server.post_version(place_of_domain_map(session.keys).file, post);
  if (!answer) {
    session.log->end(answer.error());
    return error{errc::unavailable, ""};
  }
  if (answer->heads != std::vector{post.id}) {
    return error{errc::invalid,
                 "two devices began this vault at the same moment; begin again with one of them"};
  }
  return chosen;
}

}  // namespace

bool ensure_domain(sync_session& session) {
  if (session.domain != nullptr) return true;
  const auto known = session.state->fact(fact_name);
  if (!known) return session.log->end(known.error()), false;
  const auto remembered = *known ? domain_id::parse(**known) : std::nullopt;
  const auto record = session.server.file(place_of_domain_map(session.keys).file);
  result<domain_id> domain = error{errc::invalid, ""};
  if (record) {
    const auto map = open_domain_map(session.keys, *record);
    if (!map) return session.log->end(map.error()), false;
    if (map->domains.size() != 1) {
      return session.log->end(error{errc::unsupported, "this vault has several domains"}), false;
    }
    domain = map->domains.front().id;
  } else if (is_absent(record.error())) {
    // A server that was set back to before the map gets the same one again.
    domain = write_map(session, remembered ? *remembered : random_id<domain_id>(session.random));
  } else {
    return session.log->end(record.error()), false;
  }
  if (!domain) return session.log->end(domain.error()), false;
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
