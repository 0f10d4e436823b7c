"""A mebibyte changed anywhere in a large archive, and ten bytes put in: what is sent."""

import random
import shutil
import statistics

from bench.link import Link
from bench.vault import MIB, write_noise


def measure(run):
    size = (4 << 30) if run.full else (256 << 20)
    places = 20 if run.full else 5
    server = run.fresh()
    link = Link(server.url)
    client = run.client(server, link.url)
    folder = client.home / "one"
    folder.mkdir()
    archive = folder / "archive.zip"
    write_noise(archive, size)
    client.init("one", folder, server.setup_token())
    client.sync("one", folder)
    source, sent = random.Random(1), []
    for _ in range(places):
        with open(archive, "r+b") as file:
            file.seek(source.randrange(size - MIB))
            file.write(source.randbytes(MIB))
        sent.append(sent_by(link, client, folder))
    run.row("client's peak RSS", client.peak_mib, "MiB", "<= 64")
    run.row(f"sent for 1 MiB changed in {size // MIB:,} MiB, p50", statistics.median(sent), "MiB", "<= 9")
    run.row("sent for 1 MiB changed, max", max(sent), "MiB", "<= 16")
    insert(archive, source.randrange(size), source.randbytes(10))
    run.row("sent for 10 bytes put in", sent_by(link, client, folder), "MiB")
    link.close()
    run.end(server)


def sent_by(link, client, folder):
    before = link.sent
    client.sync("one", folder)
    return (link.sent - before) / MIB


def insert(path, at, more):
    beside = path.with_name(".inserting")
    with open(path, "rb") as source, open(beside, "wb") as to:
        left = at
        while left > 0:
            left -= to.write(source.read(min(left, MIB)))
        to.write(more)
        shutil.copyfileobj(source, to, MIB)
    beside.rename(path)
