"""Every hot route by itself, against an account with ten years of history: cold, warm, and what it costs."""

import itertools
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from bench import family
from bench.run import say
from bench.server import Broken

OPTIONS = ["--retention.days=36500", "--retention.versions=100000"]  # all of it stays
COUNTED = ("fdatasync", "fsync", "pread64", "pwrite64")


def measure(run):
    server = run.fresh(OPTIONS)
    who = server.enrol(run.load)
    server.stop()
    days = family.DAYS if run.full else 100
    made = family.seed(server.folder, run.anchor, days, lambda done: say(f"  {done:,} versions seeded"))
    os.sync()
    server.start()
    who[1] = server.url
    count = 20 if run.full else 5
    names = subprocess.run([run.load, "route-names"], check=True, capture_output=True, text=True).stdout.splitlines()
    for route in names:
        seeds = itertools.count(1)  # what is written twice costs nothing

        def ask(how=(), **more):
            return run.run_load(server, [*who, *how], "route", route=route, seed=next(seeds), **more)

        warm = ask(count=count)
        for share in ("p50", "p95", "max"):
            run.row(f"{route}, warm, {share}", warm[f"{share}_ms"], "ms")
        run.row(f"{route}, bodies", warm["bytes"] / 1024, "KiB")
        if os.geteuid() == 0:
            cold = ask(["--cold"], count=count, warm_up=0)
            run.row(f"{route}, cold, p50", cold["p50_ms"], "ms")
            run.row(f"{route}, cold, max", cold["max_ms"], "ms")
        work = counted(server, ask, count)
        for call, times in work.items():
            run.row(f"{route}, {call} a request", times, "")
    run.row("versions of the account", made, "")
    run.row("RSS after them", server.stat()["rss_mib"], "MiB")
    run.end(server)


def counted(server, ask, count):
    """System calls of one request on average: of `count` more than one, so that finding out what there is falls out."""
    if not shutil.which("strace"):
        say("  not counted: strace is not installed")
        return {}
    few, many = [traced(server, lambda: ask(count=times, warm_up=0)) for times in (1, 1 + count)]
    return {call: (many.get(call, 0) - few.get(call, 0)) / count for call in COUNTED if many.get(call)}


def is_traced(thread):
    return "TracerPid:\t0\n" not in (thread / "status").read_text()


def traced(server, act):
    with tempfile.NamedTemporaryFile("r") as out:
        tracer = subprocess.Popen(["strace", "-f", "-c", "-e", "trace=" + ",".join(COUNTED), "-o", out.name, "-p",
                                   str(server.process.pid)], stderr=subprocess.PIPE, text=True)
        # It says that it attached before it has every thread.
        while not all(is_traced(thread) for thread in Path(f"/proc/{server.process.pid}/task").iterdir()):
            if tracer.poll() is not None:
                raise Broken("strace could not attach to the server: " + tracer.stderr.read())
            time.sleep(0.01)
        time.sleep(0.1)
        act()
        tracer.send_signal(signal.SIGINT)
        tracer.communicate()
        return {name: int(calls) for calls, name in
                re.findall(r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?(\w+64|f\w*sync)$", out.read(), re.M)}
