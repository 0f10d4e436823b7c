"""Starts of an empty store."""


def measure(run):
    server = run.fresh()
    server.stop()
    listening, ready = server.start()
    run.row("start of an empty store, until it listens", listening, "s")
    run.row("start of an empty store, until it is ready", ready, "s")
    run.end(server)
