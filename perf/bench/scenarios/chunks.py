"""Chunks of 4 MiB up and down."""


def measure(run):
    count = 512 if run.full else 64
    for in_flight in (1, 4):
        server = run.fresh()
        who = server.enrol(run.load)
        got = run.run_load(server, who, "chunks", count=count, size=4 << 20, in_flight=in_flight)
        goals = (">= 450", ">= 1200") if in_flight == 4 else ("", "")
        run.row(f"4 MiB chunks up, {in_flight} in flight", got["up_mib_per_s"], "MiB/s", goals[0])
        run.row(f"4 MiB chunks down, {in_flight} in flight", got["down_mib_per_s"], "MiB/s", goals[1])
        if in_flight == 4:
            run.row("hashing them in this process, as fast as it goes", got["hash_mib_per_s"], "MiB/s")
            run.row("server peak RSS", server.stat()["peak_mib"], "MiB", "<= 32")
        run.end(server)
