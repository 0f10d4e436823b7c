"""What goes wrong, and what an operator does, while people work. Each kind undoes itself before it returns, or leaves
what `clear` undoes."""

import os
import shutil
import signal
import time

from bench.soak import invariants, tree
from bench.soak.household import Device

FILLER = "filler"
CLASHING = ["edit", "edit", "edit", "save in place", "rename", "delete", "folder for file", "move folder", "swap names",
            "rename by case"]


def server_restarts(world):
    world.server.stop()
    time.sleep(world.source.random() * 2)
    world.server.start()


def server_killed(world):
    world.server.kill()
    time.sleep(world.source.random() * 2)
    world.server.start()


def client_killed(world):
    device: Device = world.source.choice(world.devices())
    device.stop(signal.SIGKILL)
    world.edit(1)
    device.start()


def client_restarts(world):
    device = world.source.choice(world.devices())
    device.stop()
    world.edit(1)
    device.start()


def link_cut(world):
    device = world.source.choice(world.devices())
    device.link.cut_off()
    world.edit(3 + world.source.random() * 5)
    device.link.heal()


def link_slow(world):
    world.source.choice(world.devices()).link.rate = 100_000 + world.source.randrange(900_000)


def fill(place):
    """Takes every byte that is left; what to remove afterwards."""
    filler = place / FILLER
    with open(filler, "wb", buffering=0) as file:
        for size in (1 << 20, 1 << 12, 1):
            try:
                while True:
                    file.write(bytes(size))
            except OSError:
                pass
    return filler


def disk_full(world):
    """Until somebody makes room again; sometimes the server dies of something else meanwhile."""
    if not world.has_volume:
        return
    filler = fill(world.folder / "blobs")
    world.edit(2)
    if world.source.random() < 0.3:
        world.server.kill()
        world.server.start()
    world.edit(2)
    filler.unlink()


def device_full(world):
    """A device's disk, with its folder and all it remembers."""
    some = [device for device in world.devices() if device.has_volume]
    if not some:
        return
    device = world.source.choice(some)
    filler = fill(device.place)
    world.edit(2)
    if world.source.random() < 0.3:
        device.stop(signal.SIGKILL)
        device.start()
    world.edit(2)
    filler.unlink()


def server_paused(world):
    world.server.process.send_signal(signal.SIGSTOP)
    world.edit(2 + world.source.random() * 8)
    world.server.process.send_signal(signal.SIGCONT)


def client_paused(world):
    device = world.source.choice(world.devices())
    device.watch.send_signal(signal.SIGSTOP)
    world.edit(2 + world.source.random() * 8)
    device.watch.send_signal(signal.SIGCONT)


def one_note_at_two(world):
    """Two people at one note, neither seeing what the other does."""
    account = world.source.choice(world.accounts)
    pair = world.source.sample(account.devices, 2)
    names = [{os.path.relpath(path, device.folder) for path in tree.files_below(device.folder)} for device in pair]
    both = sorted(names[0] & names[1])
    for device in pair:
        device.link.cut_off()
    for name in world.source.sample(both, min(len(both), 3)):
        for device in pair:
            for kind in world.source.choices(CLASHING, k=1 + world.source.randrange(2)):
                device.editor.do(kind, os.path.join(device.folder, name))
    world.edit(world.source.random() * 3)
    for device in pair:
        device.link.heal()


def server_put_back(world):
    """To what it was some seconds ago, as after the loss of its disk."""
    server = world.server
    server.operate("backup", "create", str(world.folder / "backup"))
    world.edit(1 + world.source.random() * 5)
    server.stop()
    server.operate("backup", "restore", str(world.folder / "backup"), "--replace")
    for before in (world.folder / "journal").glob("v1.before-*"):
        shutil.rmtree(before)
    world.edit(world.source.random() * 2)
    server.start()
    world.moments.clear()  # the versions of these seconds get new times


def keys_lost(world):
    account = world.source.choice(world.accounts)
    account.lose_keys()


def days_pass(world):
    """Versions that retention has promised no longer go, and their room comes back. Not while somebody is behind: whoever is
    away for longer than deletions are kept is another story."""
    invariants.at_rest(world)
    world.moments.clear()
    world.server.let_days_pass(2)
    world.server.operate("gc", "run")


def collection(world):
    world.server.operate("gc", "run")


def scrub(world):
    world.server.operate("scrub", "run")


def backup(world):
    world.server.operate("backup", "create", str(world.folder / "backup"))


def somebody_joins(world):
    account = world.source.choice(world.accounts)
    if len(account.devices) < 4 and all(not one.link.cut for one in account.devices):
        account.let_in()


def somebody_is_revoked(world):
    account = world.source.choice(world.accounts)
    if len(account.devices) > 2:
        account.revoke_last()


KINDS = [server_restarts, server_killed, server_killed, server_paused, client_killed, client_killed, client_restarts,
         client_paused, link_cut, link_cut, link_slow, disk_full, device_full, days_pass, collection, scrub, backup,
         somebody_joins, somebody_is_revoked, one_note_at_two, one_note_at_two, one_note_at_two, server_put_back, keys_lost]


def one(world):
    kind = world.source.choice(KINDS)
    kind(world)
    world.count("weather: " + kind.__name__.replace("_", " "))
    return kind.__name__


def clear(world):
    for device in world.devices():
        device.link.heal()
