"""An edit of 1 KiB until a device that polls has its version and its bytes."""


def measure(run):
    server = run.fresh()
    who = server.enrol(run.load)
    got = run.run_load(server, who, "edits", count=200 if run.full else 50, size=1024)
    run.latencies("An edit until a polling device has it", "edit", got)
    run.row("edit to a polling device, p50", got["p50_ms"], "ms", "<= 3")
    run.row("edit to a polling device, p95", got["p95_ms"], "ms", "<= 8")
    run.row("edit to a polling device, max", got["max_ms"], "ms")
    run.end(server)
