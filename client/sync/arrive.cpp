#include "client/sync/arrive.hpp"

#include "client/format/chunk_seal.hpp"
#include "client/sync/chunk_transfer.hpp"
#include "client/sync/file_chunks.hpp"
#include "wire/limits.hpp"

namespace obsync::client {

namespace {

// Files up to this size travel together; larger ones are staged chunk by chunk and can be resumed.
constexpr std::int64_t grouped_bytes_max = 1 << 20;
constexpr std::int64_t group_bytes_max = 4 << 20;

class arriving {
 public:
  arriving(sync_session& session, const pull& act, const fresh_marks& marks) : session_(session), act_(act) {
    expected_ = act.expected;
    if (const auto moved = marks.find(act.id); expected_ && moved != marks.end()) expected_ = moved->second;
  }

  // One file of its own, resumable.
  void alone() {
    if (!read_state()) return;
    const auto staged = session_.folder->stage(act_.path, staging_key(act_.head.id));
    if (!staged) return fault(staged.error());
    std::unique_ptr<vault_reader> old;
    if (expected_ && !old_chunks_.empty()) {
      if (auto reader = session_.folder->open(act_.path)) old = std::move(*reader);
    }
    const auto fetched = fetch_chunks(session_, head_.listed.chunks, **staged, old.get(), old_chunks_);
    if (!fetched && fetched.error().remote) return session_.log->fault(act_.path, *fetched.error().remote);
    if (!fetched) return fault(*fetched.error().local);
    put(**staged);
  }

  bool read_state() {
    const auto head = session_.state->head(act_.id, act_.head.id);
    if (!head) return fault(head.error()), false;
    if (!*head) return fault({errc::not_found, "the head is gone"}), false;
    head_ = **head;
    const auto base = session_.state->base_of(act_.id);
    if (!base) return fault(base.error()), false;
    if (*base) old_chunks_ = (*base)->listed.chunks;
    if (*base) base_ = (*base)->item;
    return true;
  }

  const chunk_sid& only_sid() const { return head_.listed.chunks.front().sid; }

  // A file of one chunk that came with others.
  void from_chunk(const std::optional<bytes>& sealed) {
    if (!sealed)
      return session_.log->trouble(act_.path, "unknown_chunk", "the server has lost this file's content");
    const auto data = open_chunk(*session_.domain, only_sid(), head_.listed.chunks.front().cid, *sealed);
    if (!data) return fault(data.error());
    const auto staged = session_.folder->stage(act_.path, staging_key(act_.head.id));
    if (!staged) return fault(staged.error());
    if (auto cut = (*staged)->truncate(0); !cut) return fault(cut.error());
    if (auto written = (*staged)->write_at(0, *data); !written) return fault(written.error());
    session_.progress->moved(data->size());
    put(**staged);
  }

  void fault(const error& why) { session_.log->fault(act_.path, why); }

 private:
  void put(staged_file& staged) {
    if (act_.keep_as && !keep()) return;
    const auto& expected = act_.keep_as ? std::optional<file_mark>() : expected_;
    const auto mark = session_.folder->place(staged, act_.path, expected, act_.head.mtime_ms);
    if (!mark) return fault(mark.error());
    base_record record;
    record.item = {act_.id,         item_kind::file,   false, act_.head.path, act_.head.id,
                   act_.head.ts_ms, act_.head.content, *mark};
    record.listed = head_.listed;
    status done = session_.state->put_base(record);
    if (done) done = forget_when_only();
    if (!done) return session_.log->end(done.error());
    session_.log->count(&round_report::pulled);
    session_.progress->finished_file(act_.path);
  }

  // A fork stays pending until it is closed.
  status forget_when_only() {
    const auto pending = session_.state->pending_of(act_.id);
    if (!pending) return pending.error();
    if (!*pending || (*pending)->heads != std::vector{act_.head.id}) return {};
    return session_.state->forget_pending(act_.id);
  }

  // The local text goes to its own name. Its inode is forgotten first, so that a crash here cannot make it
  // look like a rename of the file that takes its place.
  bool keep() {
    if (base_ && base_->mark.inode != 0) {
      base_->mark.inode = 0;
      if (auto done = session_.state->update_base(*base_); !done)
        return session_.log->end(done.error()), false;
    }
    if (!expected_) return true;
    const auto moved = session_.folder->move(act_.path, *act_.keep_as, *expected_);
    if (!moved) return fault(moved.error()), false;
    session_.log->touch(*act_.keep_as);
    session_.log->count(&round_report::conflicts);
    session_.progress->note("two versions of " + act_.path + ": yours is kept as " + *act_.keep_as);
    return true;
  }

  sync_session& session_;
  const pull& act_;
  std::optional<file_mark> expected_;
  std::optional<base_item> base_;
  chunk_list old_chunks_;
  pending_head head_;
};

}  // namespace

std::string staging_key(const version_id& version) {
  return version.hex().substr(0, 32);
}

std::vector<std::vector<const pull*>> group_pulls(const std::vector<pull>& pulls) {
  std::vector<std::vector<const pull*>> out;
  std::vector<const pull*> group;
  std::int64_t group_bytes = 0;
  const auto flush = [&] {
    if (!group.empty()) out.push_back(std::exchange(group, {}));
    group_bytes = 0;
  };
  for (const pull& one : pulls) {
    if (one.head.size > grouped_bytes_max) continue;
    if (group.size() == wire::get_sids_max || group_bytes + one.head.size > group_bytes_max) flush();
    group.push_back(&one);
    group_bytes += one.head.size;
  }
  flush();
  for (const pull& one : pulls) {
    if (one.head.size > grouped_bytes_max) out.push_back({&one});
  }
  return out;
}

void arrive(sync_session& session, std::span<const pull* const> group, const fresh_marks& marks) {
  if (group.front()->head.size > grouped_bytes_max) return arriving(session, *group.front(), marks).alone();
  std::vector<arriving> files;
  std::vector<chunk_sid> sids;
  for (const pull* one : group) {
    arriving file(session, *one, marks);
    if (!file.read_state()) continue;
    sids.push_back(file.only_sid());
    files.push_back(std::move(file));
  }
  if (files.empty()) return;
  const auto chunks = session.server.get_chunks(sids);
  if (!chunks) return session.log->end(chunks.error());
  for (std::size_t i = 0; i < files.size() && !session.must_stop(); ++i) files[i].from_chunk((*chunks)[i]);
}

}  // namespace obsync::client
