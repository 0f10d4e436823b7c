// Chunks between this device and the server.
#pragma once

#include <functional>
#include <set>

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
  digest sha256;  // of the whole content
  content_id content;
};

// Sends what the server does not have of the open file, chunk by chunk. `known`: chunks it certainly has;
// `lacking`: chunks it said it lacks, sent without asking.
transfer_result<sent_file> send_chunks(sync_session& session, vault_reader& reader, std::uint64_t size,
                                       const std::set<chunk_sid>& known, const std::set<chunk_sid>& lacking);

// Fills the staged file with the content of `chunks`, going on where an earlier attempt ended. Pieces that
// `old` already has, as `old_chunks` lists them, are taken from there.
transfer_result<content_id> fetch_chunks(sync_session& session, const chunk_list& chunks, staged_file& staged,
                                         vault_reader* old, const chunk_list& old_chunks);

}  // namespace obsync::client
