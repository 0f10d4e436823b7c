#include "actors/reader.hpp"

#include <algorithm>
#include <charconv>

#include "actors/account_view.hpp"
#include "actors/messages.hpp"
#include "actors/query.hpp"
#include "actors/spawn.hpp"
#include "wire/account.hpp"
#include "wire/chunk.hpp"
#include "wire/device.hpp"
#include "wire/limits.hpp"
#include "wire/version.hpp"

namespace obsync::actors {

namespace {

struct reader_state {
  static inline const char* name = "reader";

  reader_limits limits;
  reader_deps deps;

  reply answer(const read_call& task);
  reply account(const account_id& account);
  reply devices(const account_id& account);
  reply exists(const account_id& account, const request& req);
  reply chunk(const account_id& account, const request& req);
  reply chunks(const account_id& account, const request& req);
  reply files(const account_id& account, const request& req);
  reply file(const account_id& account, const request& req);
  reply version(const account_id& account, const request& req);
  reply changes(const account_id& account, const request& req);
  result<chunk_part> part(const account_id& account, const chunk_sid& sid, std::uint64_t size);
};

reply reader_state::answer(const read_call& task) {
  const request& req = task.call->req;
  switch (req.where) {
    case route::account:
      return account(task.account);
    case route::devices:
      return devices(task.account);
    case route::chunks_exists:
      return exists(task.account, req);
    case route::chunk_get:
      return chunk(task.account, req);
    case route::chunks_get:
      return chunks(task.account, req);
    case route::files:
      return files(task.account, req);
    case route::file:
      return file(task.account, req);
    case route::version:
      return version(task.account, req);
    case route::changes:
      return changes(task.account, req);
    default:
      return refuse(wire::refusal::not_found, "no such route");
  }
}

reply reader_state::account(const account_id& id) {
  auto info = view_account(*deps.catalog, *deps.space, id);
  if (!info) return store_failed(info.error());
  if (!*info) return refuse(wire::refusal::not_set_up, "there is no account yet");
  return ok(wire::to_json(**info));
}

reply reader_state::devices(const account_id& id) {
  auto listed = deps.catalog->devices_of(id);
  if (!listed) return store_failed(listed.error());
  return ok(wire::to_json(wire::device_list{std::move(*listed)}));
}

reply reader_state::exists(const account_id& id, const request& req) {
  auto asked = wire::from_json<wire::exists_request>(req.body);
  if (!asked) return refuse(asked.error());
  auto missing = deps.chunks->missing(id, asked->sids);
  if (!missing) return store_failed(missing.error());
  return ok(wire::to_json(wire::exists_answer{std::move(*missing)}));
}

reply reader_state::chunk(const account_id& id, const request& req) {
  const auto sid = chunk_sid::parse(req.params[0]);
  if (!sid) return refuse(wire::refusal::bad_request, "a chunk is named by 64 lowercase hex digits");
  auto opened = deps.chunks->open(id, *sid);
  if (!opened) return store_failed(opened.error());
  if (!*opened) return refuse(wire::refusal::unknown_chunk, "no such chunk");
  store::open_chunk& found = **opened;
  reply out;
  chunk_body body;
  body.size = found.size;
  if (auto* small = std::get_if<bytes>(&found.body)) {
    body.source = std::move(*small);
  } else {
    body.source = std::shared_ptr<disk_file>(std::move(std::get<std::unique_ptr<disk_file>>(found.body)));
  }
  out.body = std::move(body);
  return out;
}

reply reader_state::chunks(const account_id& id, const request& req) {
  auto asked = wire::from_json<wire::get_request>(req.body);
  if (!asked) return refuse(asked.error());
  std::vector<std::optional<std::uint64_t>> sizes;
  std::uint64_t total = 0;
  for (const chunk_sid& sid : asked->sids) {
    auto size = deps.chunks->size_of(id, sid);
    if (!size) return store_failed(size.error());
    total += size->value_or(0);
    sizes.push_back(*size);
  }
  if (total > wire::batch_answer_bytes_max)
    return refuse(wire::refusal::batch_too_large, "these chunks are more than 32 MiB together");
  parts_body body;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!sizes[i]) {
      body.parts.push_back({asked->sids[i], true, 0, {}, {}});
      continue;
    }
    auto made = part(id, asked->sids[i], *sizes[i]);
    if (!made) return store_failed(made.error());
    body.parts.push_back(std::move(*made));
  }
  reply out;
  out.body = std::move(body);
  return out;
}

result<chunk_part> reader_state::part(const account_id& id, const chunk_sid& sid, std::uint64_t size) {
  chunk_part made{sid, false, size, {}, {}};
  if (size <= limits.inline_chunk_bytes_max) {
    auto opened = deps.chunks->open(id, sid);
    if (!opened) return opened.error();
    if (!*opened) return chunk_part{sid, true, 0, {}, {}};
    if (auto* small = std::get_if<bytes>(&(*opened)->body)) {
      made.small = std::move(*small);
      return made;
    }
  }
  made.open_large = [blobs = deps.blobs, id, sid] { return blobs->open(id, sid); };
  return made;
}

reply reader_state::files(const account_id& id, const request& req) {
  std::optional<file_id> after;
  if (const auto text = req.query_value("after")) {
    after = file_id::parse(*text);
    if (!after) return refuse(wire::refusal::bad_request, "after is a file id");
  }
  const auto limit = number_of(req, "limit", wire::page_items_max);
  if (!limit) return refuse(wire::refusal::bad_request, "limit is a number");
  auto page = deps.catalog->files(id, after, std::clamp<std::int64_t>(*limit, 1, wire::page_items_max));
  if (!page) return store_failed(page.error());
  return ok(wire::to_json(*page));
}

reply reader_state::file(const account_id& id, const request& req) {
  const auto file = file_id::parse(req.params[0]);
  if (!file) return refuse(wire::refusal::bad_request, "a file is named by 32 lowercase hex digits");
  auto record = deps.catalog->file(id, *file, limits.file_record_versions_max, wire::file_record_bytes_max);
  if (!record) return store_failed(record.error());
  if (!*record) return refuse(wire::refusal::unknown_file, "no such file");
  return ok(wire::to_json(**record));
}

reply reader_state::version(const account_id& id, const request& req) {
  const auto file = file_id::parse(req.params[0]);
  if (!file) return refuse(wire::refusal::bad_request, "a file is named by 32 lowercase hex digits");
  const auto version = version_id::parse(req.params[1]);
  if (!version) return refuse(wire::refusal::bad_request, "a version is named by 64 lowercase hex digits");
  auto found = deps.catalog->version(id, *file, *version);
  if (!found) return store_failed(found.error());
  if (!*found) return refuse(found->error());
  return ok(wire::to_json(**found));
}

reply reader_state::changes(const account_id& id, const request& req) {
  const auto since = number_of(req, "since", 0);
  const auto limit = number_of(req, "limit", wire::page_items_max);
  if (!since || !limit) return refuse(wire::refusal::bad_request, "since, wait and limit are numbers");
  auto page = deps.catalog->changes(id, *since, std::clamp<std::int64_t>(*limit, 1, wire::page_items_max),
                                    wire::changes_page_bytes_max);
  if (!page) return store_failed(page.error());
  if (page->head_seq < *since)
    return refuse(wire::refusal::seq_ahead,
                  "since is beyond the head: the server was restored from an older copy");
  return ok(wire::to_json(*page));
}

caf::behavior reader(timed<reader_state>* self, const reader_limits& limits, const reader_deps& deps) {
  self->state.limits = limits;
  self->state.deps = deps;
  log_unexpected(self, reader_state::name);
  return {
      [self](const read_call& task) {
        guarded(reader_state::name, task.call, [&] { task.call->answer(self->state.answer(task)); });
      },
      [self](const admin_view_call& task) {
        guarded(reader_state::name, task.call, [&] {
          const reader_deps& with = self->state.deps;
          task.call->answer(answer_admin_view(*with.facts, *with.catalog, *with.space,
                                              {task.account, task.is_owner, task.recovery},
                                              task.call->req.where));
        });
      },
      [self](census_lookup) -> caf::result<census_ptr> {
        auto accounts = self->state.deps.catalog->accounts();
        auto devices = self->state.deps.catalog->devices();
        if (!accounts || !devices) return caf::sec::runtime_error;
        return std::make_shared<const census>(census{std::move(*accounts), std::move(*devices)});
      },
      [self](const audit_lookup& ask) -> caf::result<audit_found> {
        auto rows = self->state.deps.catalog->audit(ask.account, ask.limit);
        if (!rows) return caf::sec::runtime_error;
        return audit_found{std::move(*rows)};
      },
      [self](const account_lookup& ask) -> caf::result<account_found> {
        auto row = self->state.deps.catalog->account(ask.account);
        if (!row) return caf::sec::runtime_error;
        return account_found{std::move(*row)};
      },
  };
}

}  // namespace

caf::actor spawn_reader(caf::actor_system& system, placement where, const reader_limits& limits,
                        reader_deps deps) {
  return spawn_placed(system, where, reader, limits, std::move(deps));
}

}  // namespace obsync::actors
