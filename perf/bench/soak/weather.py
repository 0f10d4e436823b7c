"""What goes wrong, and what an operator does, while people work. Each kind undoes itself before it returns, or leaves
what `clear` undoes."""

import signal
import time

from bench.soak.household import Device

FILLER = "filler"


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


def disk_full(world):
    """Until somebody makes room again."""
    if not world.has_volume:
        return
    filler = world.folder / "blobs" / FILLER
    with open(filler, "wb") as file:
        try:
            while True:
                file.write(bytes(1 << 20))
                file.flush()
        except OSError:
            pass
    world.edit(4)
    filler.unlink()


def days_pass(world):
    """Versions that retention has promised no longer go, and their room comes back."""
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


KINDS = [server_restarts, server_killed, server_killed, client_killed, client_killed, client_restarts, link_cut, link_cut,
         link_slow, disk_full, days_pass, collection, scrub, backup, somebody_joins, somebody_is_revoked]


def one(world):
    kind = world.source.choice(KINDS)
    kind(world)
    world.count("weather: " + kind.__name__.replace("_", " "))
    return kind.__name__


def clear(world):
    for device in world.devices():
        device.link.heal()
    (world.folder / "blobs" / FILLER).unlink(missing_ok=True)
