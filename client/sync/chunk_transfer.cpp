#include "client/sync/chunk_transfer.hpp"

#include <algorithm>
#include <deque>
#include <future>
#include <map>

#include "client/format/chunk_seal.hpp"
#include "client/format/chunker.hpp"
#include "client/sync/file_chunks.hpp"
#include "crypto/digest.hpp"

namespace obsync::client {

namespace {

// Up to this size asking whether the server has it costs about as much as sending it.
constexpr std::size_t unasked_bytes_max = 1u << 20;
// Of chunks asked for before they are written: what a client that is killed fetches again.
constexpr std::int64_t ahead_bytes_max = chunk_bytes_max;

transfer_error local_fault(const error& why) {
  return {{}, why};
}
transfer_error remote_fault(const remote_error& why) {
  return {why, {}};
}
transfer_error stopped() {
  return remote_fault({remote_error::kind::stopped, {}, "stopped", {}});
}

// Bytes at `offset` of `from` when they are the chunk named.
template <class Source>
std::optional<bytes> read_chunk(Source& from, std::uint64_t offset, const wire::manifest_chunk& chunk,
                                const domain_keys& keys) {
  bytes data(static_cast<std::size_t>(chunk.len));
  const auto got = from.read_at(offset, data);
  if (!got || *got != data.size() || identify_chunk(keys, data) != chunk.cid) return std::nullopt;
  return data;
}

class fetching {
 public:
  fetching(sync_session& session, staged_file& staged, vault_reader* old, const chunk_list& old_chunks)
      : session_(session), staged_(staged), old_(old) {
    std::uint64_t offset = 0;
    if (old_ == nullptr) return;
    for (const wire::manifest_chunk& chunk : old_chunks) {
      old_at_.emplace(chunk.cid, offset);
      offset += static_cast<std::uint64_t>(chunk.len);
    }
  }

  transfer_result<content_id> run(const chunk_list& chunks) {
    const auto had = staged_.size();
    if (!had) return local_fault(had.error());
    std::uint64_t offset = 0;
    bool resuming = *had > 0;
    for (std::size_t at = 0; at < chunks.size(); ++at) {
      const wire::manifest_chunk& chunk = chunks[at];
      if (session_.must_stop()) return stopped();
      resuming = resuming && read_chunk(staged_, offset, chunk, *session_.domain).has_value();
      if (!resuming) {
        ask_ahead(chunks, at);
        const auto data = obtain(chunk, at);
        if (!data) return data.error();
        if (auto written = staged_.write_at(offset, *data); !written) return local_fault(written.error());
      }
      offset += static_cast<std::uint64_t>(chunk.len);
      session_.progress->moved(static_cast<std::uint64_t>(chunk.len));
    }
    if (auto cut = staged_.truncate(offset); !cut) return local_fault(cut.error());
    return content_of(chunks);
  }

 private:
  // Has the chunks from `at` on asked for, as far as they fit into what may be under way.
  void ask_ahead(const chunk_list& chunks, std::size_t at) {
    next_asked_ = std::max(next_asked_, at);
    for (; next_asked_ < chunks.size(); ++next_asked_) {
      const wire::manifest_chunk& chunk = chunks[next_asked_];
      if (old_at_.contains(chunk.cid)) continue;  // most likely at hand
      if (!asked_.empty() && asked_bytes_ + chunk.len > ahead_bytes_max) return;
      asked_bytes_ += chunk.len;
      asked_.emplace_back(next_asked_, std::async(std::launch::async, [this, &chunk] { return get(chunk); }));
    }
  }

  transfer_result<bytes> obtain(const wire::manifest_chunk& chunk, std::size_t number) {
    if (const auto at = old_at_.find(chunk.cid); at != old_at_.end()) {
      if (auto data = read_chunk(*old_, at->second, chunk, *session_.domain)) return std::move(*data);
    }
    if (asked_.empty() || asked_.front().first != number) return get(chunk);
    auto data = asked_.front().second.get();
    asked_.pop_front();
    asked_bytes_ -= chunk.len;
    return data;
  }

  // Any thread.
  transfer_result<bytes> get(const wire::manifest_chunk& chunk) {
    const auto sealed = session_.server.get_chunk(chunk.sid);
    if (!sealed) return remote_fault(sealed.error());
    auto data = open_chunk(*session_.domain, chunk.sid, chunk.cid, *sealed);
    if (!data) return local_fault(data.error());
    if (data->size() != static_cast<std::size_t>(chunk.len)) {
      return local_fault({errc::corrupt, "a chunk has another length than its manifest says"});
    }
    return std::move(*data);
  }

  sync_session& session_;
  staged_file& staged_;
  vault_reader* old_;
  std::map<chunk_cid, std::uint64_t> old_at_;
  std::size_t next_asked_ = 0;  // the first chunk that was not asked for
  std::int64_t asked_bytes_ = 0;
  std::deque<std::pair<std::size_t, std::future<transfer_result<bytes>>>>
      asked_;  // by number, in order; last member
};

}  // namespace

remote_result<void> send_chunk(sync_session& session, const sealed_chunk& sealed,
                               const chunk_knowledge& there) {
  if (!there.lacking.contains(sealed.sid) && sealed.ciphertext.size() > unasked_bytes_max) {
    const auto missing = session.server.missing({sealed.sid});
    if (!missing) return missing.error();
    if (missing->empty()) return {};
  }
  return session.server.put_chunk(sealed.sid, sealed.ciphertext);
}

transfer_result<sent_file> seal_chunks(sync_session& session, vault_reader& reader, std::uint64_t size,
                                       const chunk_knowledge& there, const chunk_sink& sink) {
  sent_file out;
  file_chunks source(reader, size);
  for (;;) {
    if (session.must_stop()) return stopped();
    const auto chunk = source.next();
    if (!chunk) return local_fault(chunk.error());
    if (!*chunk) break;
    if (size <= whole_file_bytes_max) out.sha256 = crypto::sha256(**chunk);
    sealed_chunk sealed = seal_chunk(*session.domain, **chunk);
    const auto length = static_cast<std::int64_t>((*chunk)->size());
    out.chunks.push_back({sealed.sid, sealed.cid, length});
    if (there.lacking.empty() ? !there.known.contains(sealed.sid) : there.lacking.contains(sealed.sid)) {
      const auto taken = sink(std::move(sealed));
      if (!taken) return remote_fault(taken.error());
    }
    session.progress->moved(static_cast<std::uint64_t>(length));
  }
  out.content = content_of(out.chunks);
  return out;
}

transfer_result<content_id> fetch_chunks(sync_session& session, const chunk_list& chunks, staged_file& staged,
                                         vault_reader* old, const chunk_list& old_chunks) {
  return fetching(session, staged, old, old_chunks).run(chunks);
}

}  // namespace obsync::client
