"""Other ways to keep folders in step, run beside ours on the same folders. None is a part of obsync; each is installed for the
run only.

A peer is a class with start(folder), stop(), pids() of what serves, disk() in MiB, send(folder) and receive(folder), which return
when the other side has everything.
"""

from bench.peers import livesync, syncthing, webdav

ALL = {"livesync": livesync.LiveSync, "webdav": webdav.WebDav, "syncthing": syncthing.Syncthing}
