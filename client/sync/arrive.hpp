// The acts of a plan that bring content from the server into the folder. Any thread.
#pragma once

#include <span>

#include "client/engine/action.hpp"
#include "client/sync/session.hpp"

namespace obsync::client {

// Marks that earlier acts of the same plan gave to files: a rename changes them.
using fresh_marks = std::unordered_map<file_id, file_mark>;

// Splits pulls into groups: each is one request for several small files, or one file of its own.
std::vector<std::vector<const pull*>> group_pulls(const std::vector<pull>& pulls);

void arrive(sync_session& session, std::span<const pull* const> group, const fresh_marks& marks);

// The name under which the download of a version is staged.
std::string staging_key(const version_id& version);

}  // namespace obsync::client
