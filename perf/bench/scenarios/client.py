"""The real client: folders of notes of several sizes up, and down to a second device."""

import time

from bench.device import same
from bench.server import Broken
from bench.vault import write_notes


def measure(run):
    for count in ([1_000, 10_000, 100_000] if run.full else [100, 500]):
        first_sync(run, count)


def first_sync(run, count):
    goals = run.full and count == 10_000
    server = run.fresh()
    client = run.client(server)
    one, two = client.home / "one", client.home / "two"
    two.mkdir()
    write_notes(one, count)
    client.init("one", one, server.setup_token())
    time.sleep(0.2)  # what the enrolment set going has ended
    before = server.stat()
    with run.watched(f"Memory while {count} notes come", server):
        up = client.sync("one", one)
    run.row(f"{count:,} notes up through the client", up, "s", "<= 4" if goals else "")
    run.row(f"server CPU for {count:,} up", server.stat()["cpu_s"] - before["cpu_s"], "s", "<= 1.0" if goals else "")
    run.row(f"client's peak RSS, {count:,} up", client.peak_mib, "MiB", "<= 150")
    client.let_in("one", one, "two", two)
    down = client.sync("two", two)
    run.row(f"{count:,} notes down through the client", down, "s", "<= 4" if goals else "")
    run.row(f"client's peak RSS, {count:,} down", client.peak_mib, "MiB", "<= 150")
    run.row(f"server's peak RSS, {count:,} notes", server.stat()["peak_mib"], "MiB", "<= 20" if goals else "")
    for direction, took in (("up", up), ("down", down)):
        run.point("Notes a second through the client", direction, count, count / took,
                  ("notes in the vault", "notes/s"), "x")
    if not same(one, two):
        raise Broken("the two folders differ")
    run.end(server)
