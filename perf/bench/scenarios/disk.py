"""A family's mixed vault: what it takes on the server's disk, new and after a month of edits and collection."""

import random

from bench.vault import MIB, write_family


def measure(run):
    size = (10 << 30) if run.full else (200 << 20)
    server = run.fresh(["--gc.grace=0ms", "--retention.versions=3", "--retention.days=7"])
    client = run.client(server)
    folder = client.home / "one"
    folder.mkdir()
    days = 30 if run.full else 4
    made = write_family(folder, size)
    client.init("one", folder, server.setup_token())
    up = client.sync("one", folder)
    run.row(f"a mixed vault of {made // MIB:,} MiB up", made / MIB / up, "MiB/s")
    run.row("client's peak RSS", client.peak_mib, "MiB", "<= 64")
    run.row("on the server's disk / plaintext", stored(server) / made, "", "<= 1.01")
    for day in range(days):
        edit_a_day(folder, day, run.full)
        client.sync("one", folder)
        server.let_days_pass(1)
    made = sum(one.stat().st_size for one in folder.rglob("*") if one.is_file())
    run.row(f"after {days} days of edits, before collection", stored(server) / made, "")
    server.collect()
    run.row("after a collection that keeps 7 days and 3 versions", stored(server) / made, "")
    run.end(server)


def stored(server):
    return server.disk_mib() * MIB


def edit_a_day(folder, day, full):
    """Notes grow and change, a few pictures come, one is thrown away."""
    source = random.Random(day)
    notes = sorted((folder / "notes").rglob("*.md"))
    for note in source.sample(notes, min(len(notes), 60 if full else 10)):
        body = note.read_bytes()
        at = source.randrange(len(body) + 1)
        note.write_bytes(body[:at] + source.randbytes(40).hex().encode() + body[at:])
    source.choice(sorted((folder / "pictures").rglob("*.jpg"))).unlink()
    for number in range(8 if full else 2):
        (folder / "pictures" / f"day {day} {number}.jpg").write_bytes(
            source.randbytes(source.randrange(200_000, 6 * MIB)))
