"""Version posts without chunks."""


def measure(run):
    count = 20_000 if run.full else 2_000
    for in_flight in (1, 4, 16, 64):
        server = run.fresh()
        who = server.enrol(run.load)
        got = run.run_load(server, who, "posts", count=count, in_flight=in_flight)
        run.latencies("Version posts", f"{in_flight} in flight", got)
        goal = ">= 6000" if in_flight == 16 else ""
        run.row(f"version posts, {in_flight} in flight", got["posts_per_s"], "posts/s", goal)
        run.row(f"version posts, {in_flight} in flight, p99", got["p99_ms"], "ms")
        run.end(server)
