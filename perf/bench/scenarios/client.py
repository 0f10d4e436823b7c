"""The real client: a folder of notes up, and down to a second device."""

import time

from bench.device import same
from bench.server import Broken
from bench.vault import write_notes


def measure(run):
    count = 10_000 if run.full else 500
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
    run.row(f"{count:,} notes up through the client", up, "s", "<= 4" if run.full else "")
    run.row("server CPU for them", server.stat()["cpu_s"] - before["cpu_s"], "s", "<= 1.0" if run.full else "")
    client.let_in("one", one, "two", two)
    down = client.sync("two", two)
    run.row(f"{count:,} notes down through the client", down, "s", "<= 4" if run.full else "")
    if not same(one, two):
        raise Broken("the two folders differ")
    run.end(server)
