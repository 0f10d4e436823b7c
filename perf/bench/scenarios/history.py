"""A store that grows beside one that stays small, measured in turns: what is left is the growth."""

import os
import statistics

from bench.server import TICKS


def measure(run):
    sizes = [10_000, 100_000, 1_000_000] if run.full else [10_000]
    rounds = 5 if run.full else 3
    small, server = run.fresh(), run.fresh()
    few, who = small.enrol(run.load), server.enrol(run.load)
    run.run_load(small, few, "history", count=1_000, seed=1)
    made, seed = 0, 100
    for size in sizes:
        run.run_load(server, who, "history", count=size - made, seed=size)
        made = size
        server.stop()
        os.sync()  # what was written to grow would be written back under what is measured
        _, ready = server.start()
        who[1] = server.url
        stat = server.stat()
        ratios, cpu = [], []
        for _ in range(rounds):
            seed += 1
            spent = [one.stat()["cpu_s"] for one in (small, server)]
            here = run.run_load(small, few, "posts", count=1_000, in_flight=16, seed=seed)
            there = run.run_load(server, who, "posts", count=1_000, in_flight=16, seed=seed)
            ratios.append(there["posts_per_s"] / here["posts_per_s"])
            cpu.append((server.stat()["cpu_s"] - spent[1]) / max(small.stat()["cpu_s"] - spent[0], 1 / TICKS))
        run.point("Posts a second over the size of the history", "this store", size, there["posts_per_s"],
                  ("versions", "posts/s"), "x")
        run.point("Posts a second over the size of the history", "a store of 1,000 versions beside it", size,
                  here["posts_per_s"])
        run.row(f"posts/s at {size:,} versions / at 1,000", statistics.median(ratios), "", ">= 0.8")
        run.row(f"CPU of a post at {size:,} versions / at 1,000", statistics.median(cpu), "", "<= 1.25")
        run.row(f"store at {size:,} versions", server.disk_mib(), "MiB")
        run.row(f"start to ready at {size:,} versions", ready, "s", "<= 0.5, and 1 s of waiting")
        for step, ms in server.start_steps().items():
            run.row(f"of it {step}", ms, "ms")
        run.row(f"RSS after a start at {size:,} versions", stat["rss_mib"], "MiB")
        run.row("peak RSS of that start", stat["peak_mib"], "MiB")
    run.end(server)
    run.end(small)
