#include "client/command/help_text.hpp"

#include <array>

namespace obsync::client {

namespace {

struct page {
  const char* word;
  const char* text;
};

constexpr const char* overview =
    R"(obsync keeps a folder in step with an encrypted vault on an obsyncd server.

  obsync [--home DIR] VERB ...

Begin
  init       make a new vault of a folder, on a fresh server
  pair       on a device that has the vault: let another one in
  join       on the other device: enter with the code that pair shows
  recover    come back with the 24 recovery words when every device is lost
Every day
  sync       one full round both ways
  watch      keep in step until stopped
  status     how a folder is doing
In and out
  export     write plain files as they were at any moment, or a sealed archive
  import     copy a plain folder into a synced one
Devices
  devices    who has a key to the vault
  dashboard  a link that logs a browser in to the server's page
  revoke     take a device's access away

`obsync help VERB` tells more; `obsync version` tells the version.
obsync's own files (keys, state) are in --home DIR, else $OBSYNC_HOME, else
$XDG_STATE_HOME/obsync, else ~/.local/state/obsync; never inside a synced folder.
Exit codes: 0 done, 1 not done (the reason is printed), 2 bad usage.
)";

#define SERVER_OPTIONS                                                                            \
  "  --server URL      http://host[:port] or https://host[:port]\n"                               \
  "  --ca FILE         trust only the certificate authorities in this PEM file; a copy is kept\n" \
  "  --name DEVICE     this device's name (default: the machine's)\n"

#define TOKEN_OPTIONS                                                                                     \
  "  --token TOKEN     the server's setup token (`obsyncd setup-token` prints it). Other users of this\n" \
  "                    machine can see command lines: prefer `--token -` (reads standard input),\n"       \
  "                    --token-file FILE, or the environment variable OBSYNC_TOKEN\n"

constexpr std::array pages{
    page{"init",
         "obsync init --server URL --token TOKEN [options] FOLDER\n\n"
         "Makes an account on a fresh server and a new vault of FOLDER. Shows the 24 recovery words\n"
         "once: with them and the setup token a lost vault can be opened again; nobody else has "
         "them.\n\n" SERVER_OPTIONS TOKEN_OPTIONS
         "  --account NAME    the account's name at the server (default: obsync)\n"
         "  --phrase-file F   write the words into a new file only you can read, instead of showing them\n"},
    page{"pair",
         "obsync pair [--yes] FOLDER\n\n"
         "Shows a code, valid for ten minutes, for `obsync join` or the Obsidian plugin on another device;\n"
         "then who asks and a six-digit match code. Approve only when the other device shows the same.\n\n"
         "  --yes             approve without asking (for scripts)\n"},
    page{"join",
         "obsync join --server URL --code CODE [options] FOLDER\n\n"
         "Enters a vault with the code that `obsync pair` shows, and waits for approval "
         "there.\n\n" SERVER_OPTIONS
         "  --code CODE       the code or the link. Prefer `--code -` (standard input), --code-file FILE or\n"
         "                    OBSYNC_CODE where others can see command lines\n"},
    page{
        "recover",
        "obsync recover --server URL --token TOKEN --phrase-file FILE [options] FOLDER\n\n"
        "Comes back to an account with its 24 recovery words and the server's setup token.\n\n" SERVER_OPTIONS
            TOKEN_OPTIONS "  --phrase-file F   the file with the words; `-` reads standard input\n"},
    page{"sync",
         "obsync sync [--verify] FOLDER\n\n"
         "One full round both ways. Exit 0 when everything is up to date; otherwise a line for each file\n"
         "that is not, with the reason, and exit 1.\n\n"
         "  --verify          also ask the server whether it still has all of this folder, and send again\n"
         "                    what it has lost; otherwise this happens once a day, also while watching\n"},
    page{"watch",
         "obsync watch FOLDER\n\n"
         "Sends changes as they settle and receives others' as they come, until Ctrl-C.\n"},
    page{"status",
         "obsync status [--json] FOLDER\n\n"
         "How the folder is doing. With --json: state, reason_code, pending, held, failed, bytes_sent and\n"
         "bytes_received since the watch began, and more.\n"},
    page{
        "export",
        "obsync export [--at TIME] [--archive FILE] FOLDER OUT\n"
        "obsync export --sealed FILE FOLDER\n\n"
        "Writes the vault of FOLDER as plain files into OUT, a new or empty folder outside what is synced, "
        "from the\n"
        "server's versions; nothing of FOLDER changes. Deleted files are left out; where versions conflict, "
        "all are\n"
        "kept, under the usual names. A line for each file that could not be restored, and then exit 1.\n\n"
        "  --at TIME         as it was then, by the server's clock: 2026-11-30 (its first minute), "
        "'2026-11-30 "
        "18:00'\n"
        "                    (this machine's time zone), or 2026-11-30T18:00:00Z. As far back as the server "
        "keeps\n"
        "                    versions; a file deleted longer ago than that is not found\n"
        "  --archive FILE    from what `obsyncd export` or --sealed wrote instead, without a server; --at "
        "needs one\n"
        "                    made with --history\n"
        "  --sealed FILE     write one sealed file instead, which only this vault's keys open and which they "
        "vouch for\n"},
    page{"import",
         "obsync import [--under SUBFOLDER] [--dry-run] SOURCE FOLDER\n\n"
         "Copies the plain folder SOURCE into the synced FOLDER, then syncs once. What is equal already is "
         "left alone;\n"
         "what differs is kept beside, under a copy's name; nothing is replaced. Hidden files are passed "
         "over. "
         "If it is\n"
         "interrupted, run it again.\n\n"
         "  --under SUB       into this folder of the vault instead of its top\n"
         "  --dry-run         only list what would be done\n"},
    page{"devices",
         "obsync devices [--json] [--folder FOLDER]\n\n"
         "The devices of the vault. --folder says whose, when several folders are synced here.\n"},
    page{"dashboard",
         "obsync dashboard [--folder FOLDER]\n\n"
         "Prints a link to the server's dashboard. It logs one browser in, once, within five minutes; "
         "whoever\n"
         "opens it first is in. --folder says whose vault, when several folders are synced here.\n"},
    page{"revoke",
         "obsync revoke [--yes] [--folder FOLDER] DEVICE\n\n"
         "Takes a device's access away. DEVICE is its id, the beginning of it, or its name.\n"},
    page{"help", "obsync help [VERB]\n"},
    page{"version", "obsync version\n"},
};

#undef SERVER_OPTIONS
#undef TOKEN_OPTIONS

}  // namespace

bool is_help_topic(const std::string& word) {
  for (const page& each : pages) {
    if (word == each.word) return true;
  }
  return false;
}

std::string help_text(const std::string& topic) {
  for (const page& each : pages) {
    if (topic == each.word) return each.text;
  }
  return overview;
}

}  // namespace obsync::client
