"""Four devices send large files over one slow, lossy link each: failures, and how near they come to what it carries."""

import subprocess
import time

from bench.device import same
from bench.link import Link
from bench.server import Broken
from bench.vault import MIB, write_noise

RATE = 20_000_000 // 8  # bytes a second: 20 Mbit/s
# Of slices of 64 KiB, which are 45 segments: as often as one of a hundred segments is lost and its repetition waited for.
# Losses that the next acknowledgements repair at once are not imitated: the kernels at hand have no netem.
LOSS = 0.05


def measure(run):
    files, size = (200, 20 * MIB) if run.full else (8, 512 << 10)
    server = run.fresh()
    links = [Link(server.url) for _ in range(4)]
    homes = []
    for number, link in enumerate(links):
        client = run.client(server, link.url)
        folder = client.home / f"{number}"
        folder.mkdir()
        homes.append((client, folder))
    client, folder = homes[0]
    client.init("0", folder, server.setup_token())
    for number in range(1, 4):
        client.let_in("0", folder, str(number), homes[number][1], links[number].url)
    for number, (_, folder) in enumerate(homes):
        for index in range(files // 4):
            write_noise(folder / f"film {number} {index}.bin", size, seed=number * 1000 + index)
    for link in links:
        link.rate, link.loss = RATE, LOSS
    begun = time.monotonic()
    sending = [subprocess.Popen(client.words(str(number), "sync", folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
               for number, (client, folder) in enumerate(homes)]
    failures = sum(1 for one in sending if one.wait() != 0)
    wall = time.monotonic() - begun
    run.row(f"{files} files of {size / MIB:g} MiB from four devices at 20 Mbit/s each", wall, "s")
    run.row("what the links carry at best", max(max(link.sent, link.received) for link in links) / RATE, "s")
    run.row("failures", failures, "", "0")
    for link in links:
        link.heal()
    for number, (client, folder) in enumerate(homes):
        client.sync(str(number), folder)
    if not all(same(homes[0][1], folder) for _, folder in homes[1:]):
        raise Broken("the folders differ in the end")
    for link in links:
        link.close()
    run.end(server)
