"""Four devices send large files over one slow, lossy link: failures, and how near they come to what it carries."""

import subprocess
import time

from bench.bottleneck import Bottleneck
from bench.device import same
from bench.link import Link
from bench.run import say
from bench.server import Broken, LeftOut
from bench.vault import MIB, write_noise

RATE = 20_000_000  # bits a second
LOSS = 0.01        # of packets
# Where only a relay can be had: of slices of 64 KiB, which are 45 segments, as often as one of a hundred segments is
# lost and its repetition waited for. Losses that the next acknowledgements repair at once are not imitated.
LATE = 0.05


def measure(run):
    try:
        bottleneck = Bottleneck(RATE, LOSS)
    except LeftOut as why:
        say(f"  no packets are lost, some only come late: {why}")
        return over(run, None)
    try:
        over(run, bottleneck)
    finally:
        bottleneck.close()


def over(run, bottleneck):
    files, size = (200, 20 * MIB) if run.full else (8, 512 << 10)
    server = run.fresh(address=bottleneck.address if bottleneck else None)
    link = Link(server.url, bottleneck.address) if bottleneck else Link(server.url)  # else it only counts
    client = run.client(server, link.url, bottleneck.under if bottleneck else ())
    folders = [client.home / f"{number}" for number in range(4)]
    for number, folder in enumerate(folders):
        folder.mkdir()
        if number == 0:
            client.init("0", folder, server.setup_token())
        else:
            client.let_in("0", folders[0], str(number), folder)
    for number, folder in enumerate(folders):
        for index in range(files // 4):
            write_noise(folder / f"film {number} {index}.bin", size, seed=number * 1000 + index)
    if not bottleneck:
        link.rate, link.loss = RATE // 8, LATE
    sent, received, begun = link.sent, link.received, time.monotonic()
    failed = all_at_once(client, folders)
    wall = time.monotonic() - begun
    sent, received = link.sent - sent, link.received - received
    how = "1 % of packets lost" if bottleneck else "a relay, some slices late"
    run.row(f"{files} files of {size / MIB:g} MiB from four devices to each other, 20 Mbit/s, {how}", wall, "s")
    run.row("of that, what the link would need without loss", max(sent, received) * 8 / RATE, "s")
    run.row("up", sent / MIB, "MiB")
    run.row("down", received / MIB, "MiB")
    run.row("syncs that failed, of 4", failed, "", "0")
    if bottleneck:
        came, lost = bottleneck.packets()
        run.row("packets lost by chance", lost / came * 100, "%")
        bottleneck.heal()
    else:
        link.heal()
    before = link.sent
    for _ in range(2):  # the first may send what the others have to receive
        for number, folder in enumerate(folders):
            client.sync(str(number), folder)
    run.row("sent by two more syncs of each once the link was good", (link.sent - before) / MIB, "MiB")
    if not all(same(folders[0], folder) for folder in folders[1:]):
        raise Broken("the folders differ in the end")
    link.close()
    run.end(server)


def all_at_once(client, folders):
    """How many of the syncs failed; what they say goes to files, for nobody reads along."""
    syncing = []
    for number, folder in enumerate(folders):
        with open(client.home / f"sync.{number}.log", "wb") as log:
            syncing.append(subprocess.Popen(client.words(str(number), "sync", folder), stdout=log, stderr=log))
    return sum(1 for one in syncing if one.wait() != 0)
