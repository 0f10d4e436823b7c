"""Starts of an empty store, step by step, the heap they need by type, and what becomes of it when nothing happens."""

import re
import subprocess
import time
from pathlib import Path

from bench.run import say

IDLE_S = 300
HOLDERS = 8


def measure(run):
    server = run.fresh()
    server.stop()
    listening, ready = server.start()
    run.row("start of an empty store, until it listens", listening, "s")
    run.row("start of an empty store, until it is ready", ready, "s")
    for step, ms in server.start_steps().items():
        run.row(f"start of an empty store, {step}", ms, "ms")
    first = server.stat()["rss_mib"]
    run.row("RSS after that start", first, "MiB", "<= 14")
    if run.full:
        time.sleep(IDLE_S)
        run.row("RSS five idle minutes later, more", server.stat()["rss_mib"] - first, "MiB")
    heap_by_type(run, server)
    run.end(server)


def heap_by_type(run, server):
    """Who held the heap when a start needed most of it."""
    preloaded = next(Path("/usr/lib").glob("**/libheaptrack_preload.so"), None)
    if preloaded is None:
        return say("  heap by type left out: heaptrack is not installed")
    raw, data = server.folder / "heap.raw", server.folder / "heap"
    server.stop()
    server.start(["env", f"LD_PRELOAD={preloaded}", f"DUMP_HEAPTRACK_OUTPUT={raw}"])
    time.sleep(1)
    server.stop()
    interpret = next(preloaded.parent.glob("**/heaptrack_interpret"))
    with open(raw, "rb") as source, open(data, "wb") as to:
        subprocess.run([interpret], stdin=source, stdout=to, stderr=subprocess.DEVNULL, check=True)
    told = subprocess.run(["heaptrack_print", "--print-allocators=0", "--print-temporary=0", f"--peak-limit={HOLDERS}",
                           "--file", data], capture_output=True, text=True, check=True).stdout
    # The holder is a function or an address; the next line has its file or library.
    for size, holder, where in re.findall(r"^([\d.]+[KM]?B?) peak memory consumed over.*\n\s*(.*)\n\s*(.*)", told, re.M):
        say(f"    {size} {holder[:60]} {where.rsplit('/', 1)[-1]}")
    size, unit = re.search(r"peak heap memory consumption: ([\d.]+)([KM])", told).groups()
    run.row("heap at the peak of that start", float(size) / (1 if unit == "M" else 1024), "MiB")
    server.start()
