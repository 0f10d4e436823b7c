"""A server that nobody asks."""

import time


def measure(run):
    server = run.fresh()
    run.row("RSS, fresh", server.stat()["rss_mib"], "MiB", "<= 14")
    span = 60 if run.full else 10
    time.sleep(2)
    before = server.stat()
    time.sleep(span)
    after = server.stat()
    run.row("CPU of an idle minute", (after["cpu_s"] - before["cpu_s"]) * 60 / span, "s", "<= 0.1")
    run.row("written in an idle minute", (after["written_mib"] - before["written_mib"]) * 60 / span, "MiB", "0")
    run.end(server)
