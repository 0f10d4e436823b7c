"""Chunks of 4 MiB up and down, beside what disk, loopback and hash allow in the same run."""

from bench import limits


def measure(run):
    count = 512 if run.full else 64
    for in_flight in (1, 4):
        server = run.fresh()
        who = server.enrol(run.load)
        flushed = limits.flushed_files(server.folder, count // 2, at_once=in_flight)
        got = run.run_load(server, who, "chunks", count=count, size=4 << 20, in_flight=in_flight)
        flushed = (flushed + limits.flushed_files(server.folder, count // 2, at_once=in_flight)) / 2
        goals = (">= 450", ">= 1200") if in_flight == 4 else ("", "")
        run.row(f"4 MiB chunks up, {in_flight} in flight", got["up_mib_per_s"], "MiB/s", goals[0])
        run.row(f"limit: 4 MiB files, each flushed and named, {in_flight} at once", flushed, "MiB/s")
        run.row(f"4 MiB chunks down, {in_flight} in flight", got["down_mib_per_s"], "MiB/s", goals[1])
        if in_flight == 4:
            run.row("limit: hashing them, four threads", got["hash_mib_per_s"], "MiB/s")
            run.row("limit: one connection of this machine to itself", limits.loopback(), "MiB/s")
            run.row("server peak RSS", server.stat()["peak_mib"], "MiB", "<= 32")
        run.end(server)
