// Chunks between this device and the server.
#pragma once

#include <functional>
#include <set>

#include "client/format/chunk_seal.hpp"
#include "client/sync/session.hpp"

namespace obsync::client {

// A fault of either side.
struct transfer_error {
  std::optional<remote_error> remote = {};
  std::optional<error> local = {};
};

template <class T>
using transfer_result = result<T, transfer_error>;

struct sent_file {
  chunk_list chunks;
  std::optional<digest> sha256 = {};  // of the content, where it is one chunk
  content_id content;
};

// What a server has and has not, as far as this device knows.
struct chunk_knowledge {
  std::set<chunk_sid> known;    // certainly there: of a version that is still a head
  std::set<chunk_sid> lacking;  // the server said that it lacks them: sent without asking
};

// Takes a sealed chunk that the server may lack.
using chunk_sink = std::function<remote_result<void>(sealed_chunk&&)>;

// Reads the open file chunk by chunk and gives `sink` what the server may lack.
transfer_result<sent_file> seal_chunks(sync_session& session, vault_reader& reader, std::uint64_t size,
                                       const chunk_knowledge& there, const chunk_sink& sink);

// Sends one chunk; a large one only after the server said that it lacks it.
remote_result<void> send_chunk(sync_session& session, const sealed_chunk& sealed,
                               const chunk_knowledge& there);

// Fills the staged file with the content of `chunks`, going on where an earlier attempt ended. Pieces that
// `old` already has, as `old_chunks` lists them, are taken from there.
transfer_result<content_id> fetch_chunks(sync_session& session, const chunk_list& chunks, staged_file& staged,
                                         vault_reader* old, const chunk_list& old_chunks);

}  // namespace obsync::client
