// What a plan asks for: each act names all it needs and what it expects to find, so that whoever carries it
// out can refuse when the world has moved on. Lists are in the order they are to be done.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "client/engine/views.hpp"

namespace obsync::client {

// A version as the base remembers it.
struct agreed_version {
  version_id id;
  std::int64_t ts_ms = 0;
};

// Nothing to move: both sides are the same, remember it.
struct agree {
  base_item item;
};

// Renames a local file that no version covers out of the way.
struct set_aside {
  std::string from;
  std::string to;
  file_mark expected;
};

// Applies a rename on this device.
struct move_here {
  file_id id;
  std::string from;
  std::string to;
  file_mark expected;
  std::optional<agreed_version> then = {};  // what is agreed once it is done; nothing: more is to come
};

// Removes a file that was deleted elsewhere.
struct remove_here {
  file_id id;
  std::string path;
  file_mark expected;
  agreed_version then;
};

// Brings a head's content to `path`.
struct pull {
  file_id id;
  remote_head head;
  std::string path;
  std::optional<file_mark> expected = {};   // the file to be replaced; nothing: the name must be free
  std::optional<std::string> keep_as = {};  // where the replaced file goes when no version holds its text
};

struct make_folder {
  file_id id;
  std::string path;
  std::optional<agreed_version> then = {};
};

struct drop_folder {
  file_id id;
  std::string path;
  agreed_version then;
};

// Publishes a version: a new file, new content, a new path, or the end of a fork.
struct push {
  enum class source {
    local,   // the file at `path`, with mark `expected`
    head,    // the chunks of head `known`, nothing is read
    agreed,  // the chunks of the agreed version
  };
  struct copy {  // a head that loses a fork and lives on under its own name
    remote_head loser;
    std::string path;
  };
  item_kind kind = item_kind::file;
  std::optional<file_id> id = {};  // nothing: a new file
  std::string path;
  source from = source::local;
  file_mark expected = {};
  version_id known = {};
  std::vector<version_id> parents = {};
  std::vector<copy> copies = {};  // to be stored before the fork is closed
};

struct push_gone {
  item_kind kind = item_kind::file;
  file_id id;
  std::string path;
  std::vector<version_id> parents;
  std::optional<file_id> keeper = {};  // the file that holds the same name and text
};

// Something that cannot or must not be done now. `waits`: it will solve itself in a later round.
struct hold {
  std::string path;
  std::string code;
  bool waits = false;
  // Where the file was agreed to be, if it is elsewhere now: who looks again has to look there as well, or
  // takes it for a new file.
  std::string agreed_path = {};
};

struct plan {
  std::vector<agree> agreed;
  std::vector<set_aside> aside;
  std::vector<remove_here> removals;
  std::vector<move_here> moves;
  std::vector<drop_folder> folders_gone;  // deepest first
  std::vector<move_here> late_moves;      // to names that the acts above set free
  std::vector<make_folder> folders_here;
  std::vector<pull> pulls;
  std::vector<push> pushes;     // folders before what they hold
  std::vector<push_gone> gone;  // files, then folders, deepest first
  std::vector<hold> holds;
  bool names_wait = false;  // two files claim one name and it was not yet time to decide

  bool empty() const {
    return agreed.empty() && folders_here.empty() && aside.empty() && removals.empty() && moves.empty() &&
           late_moves.empty() && pulls.empty() && pushes.empty() && gone.empty() && folders_gone.empty();
  }
};

}  // namespace obsync::client
