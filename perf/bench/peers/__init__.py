"""Other ways to keep folders in step, run beside ours on the same folders. None is a part of obsync; each
is installed for the run only.

A peer, made of the arguments of perf/run, has a `name` and

    start(place, one, two, metered)  ready for the empty folders one and two; what it stores is below place
    send()       returns when the server, or without one the other device, has all of folder one
    receive()    returns when all of that is in folder two
    sent_mib()   by folder one's device since the start, where it was started metered
    cpu_s()      so far, by whose it is; empty for a server on another machine
    memory_mib() by whose and which it is; likewise
    disk_mib()   what the server, or without one the other device, keeps
    stop()       leaves nothing; may be called at any time

`straight` says that there is no server between: send() is then all the way.
"""

from bench.peers import livesync, syncthing, webdav

ALL = {"livesync": livesync.LiveSync, "webdav": webdav.WebDav, "syncthing": syncthing.Syncthing}
