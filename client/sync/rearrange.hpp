// The acts of a plan that only move names inside the folder. One thread.
#pragma once

#include "client/sync/arrive.hpp"

namespace obsync::client {

void settle_agreed(sync_session& session, const std::vector<agree>& acts);
void set_files_aside(sync_session& session, const std::vector<set_aside>& acts);
void remove_files(sync_session& session, const std::vector<remove_here>& acts);
// Renames wait for each other until their target is free; those that go round in a ring are exchanged. A mark
// that an earlier call gave a file counts instead of the expected one.
void move_files(sync_session& session, std::vector<move_here> acts, fresh_marks& marks);
void make_folders(sync_session& session, const std::vector<make_folder>& acts);
void drop_folders(sync_session& session, const std::vector<drop_folder>& acts);

}  // namespace obsync::client
