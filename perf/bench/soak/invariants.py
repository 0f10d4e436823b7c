"""What must hold whenever everybody rests."""

import sqlite3
import subprocess
import time

from bench.soak import logs, moments, tree
from bench.soak.household import descriptors, rss_mib

SERVER_MIB, CLIENT_MIB = 64, 64
SERVER_FILES, CLIENT_FILES = 300, 64
REST_S = 180
SETTLED_S = 120  # twice the longest pause of a watch before it tries again


class Violated(Exception):
    """Something that must hold does not; the text says what to look at."""


def alive(world):
    for device in world.devices():
        if not device.is_running():
            raise Violated(f"a watch has ended by itself: {device.name}: {device.last_words()}")


def at_rest(world):
    """Waits until the trees of each account are equal twice in a row; the seconds it took."""
    begun = time.monotonic()
    before = None
    while True:
        alive(world)
        looked = {account.name: [tree.look(device.folder) for device in account.devices] for account in world.accounts}
        equal = all(one[0] == seen[0][0] for seen in looked.values() for one in seen)
        if equal and looked == before:
            return time.monotonic() - begun, looked
        before = looked
        if time.monotonic() - begun > REST_S:
            raise Violated(differences(looked))
        time.sleep(1)


def differences(looked):
    lines = [f"after {REST_S} s without an edit the folders differ:"]
    for account, seen in looked.items():
        first = seen[0][0]
        for number, (other, _) in enumerate(seen[1:], 2):
            odd = sorted(path for path in first.keys() | other.keys() if first.get(path) != other.get(path))
            if odd:
                lines.append(f"  {account}: devices 1 and {number}: {len(odd)} paths, such as {odd[:3]}")
    return "\n".join(lines)


def nothing_lost(world, looked):
    for account in world.accounts:
        lost = account.ledger.lost(looked[account.name][0][1])
        if lost:
            some = ", ".join(f"{mark.decode()} ({where})" for mark, where in list(lost.items())[:5])
            raise Violated(f"{account.name}: {len(lost)} edits are nowhere: {some}")


def bounded(world):
    """The largest of server and clients."""
    server = world.server.process.pid
    if rss_mib(server) > SERVER_MIB:
        raise Violated(f"the server needs {rss_mib(server):.1f} MiB")
    if descriptors(server) > SERVER_FILES:
        raise Violated(f"the server holds {descriptors(server)} descriptors")
    most = 0
    for device in world.devices():
        most = max(most, rss_mib(device.watch.pid))
        if rss_mib(device.watch.pid) > CLIENT_MIB or descriptors(device.watch.pid) > CLIENT_FILES:
            raise Violated(f"{device.name} needs {rss_mib(device.watch.pid):.1f} MiB and holds "
                           f"{descriptors(device.watch.pid)} descriptors")
    return rss_mib(server), most


def stored_bytes(world):
    """What each account's chunks weigh on the disk, by the hex of its id."""
    blobs = world.folder / "blobs/v1"
    with sqlite3.connect(f"file:{blobs}/small.db?mode=ro", uri=True) as small:
        out = {account.hex(): size for account, size in small.execute(
            "SELECT account.id, coalesce(sum(length(body)), 0) FROM account LEFT JOIN chunk ON chunk.account = account.num "
            "GROUP BY account.num")}
    small.close()
    for path in blobs.glob("[0-9a-f][0-9a-f]/*"):
        account = path.name[:32]
        out[account] = out.get(account, 0) + path.stat().st_size
    return out


def quota_exact(world):
    for attempt in range(20):
        listed = world.server.operate("account", "list")
        stored = stored_bytes(world)
        wrong = [one for one in listed if one["used_bytes"] != stored.get(one["id"], 0)]
        if not wrong:
            return
        time.sleep(1)  # a collection may be under way
    raise Violated("; ".join(f"{one['name']} is said to use {one['used_bytes']} bytes and has "
                             f"{stored.get(one['id'], 0)}" for one in wrong))


def store_clean(world):
    done = subprocess.run([world.server.binary, "check", "--deep", *world.server.arguments()], capture_output=True,
                          text=True, check=False)
    if done.returncode != 0:
        raise Violated(f"obsyncd check --deep:\n{done.stdout[-1500:]}{done.stderr[-500:]}")


def up_to_date(world):
    """Every watch says so, and has left nothing half done in its folder."""
    for device in world.devices():
        deadline = time.monotonic() + SETTLED_S
        while (now := device.status())["state"] != "up_to_date" or now["pending"] or now["held"] or now["failed"]:
            if time.monotonic() > deadline:
                raise Violated(f"{device.name} has what the others have and says: {now}")
            time.sleep(0.5)
        left = [str(path) for path in device.folder.rglob(".obsync-*")]
        if left:
            raise Violated(f"{device.name} is up to date and left {len(left)} parts, such as {left[:3]}")


def server_content(world):
    lines = logs.unexplained(world)
    if lines:
        raise Violated(f"the server logged {len(lines)} errors, such as {lines[:3]}")


def history_right(world, looked):
    why = moments.wrong(world)
    if why:
        raise Violated(why)
    moments.remember(world, looked)


def all_hold(world):
    """Seconds until everybody was equal, and the memory of server and largest client."""
    took, looked = at_rest(world)
    nothing_lost(world, looked)
    up_to_date(world)
    memory = bounded(world)
    quota_exact(world)
    store_clean(world)
    server_content(world)
    history_right(world, looked)
    return took, memory, sum(len(seen[0][0]) for seen in looked.values())
