"""The same folders through obsync and through a peer, one after the other in one run."""

import random
import shutil
import statistics
import tempfile
import time
from pathlib import Path

from bench import processes
from bench.device import same
from bench.server import Broken
from bench.vault import MIB, write_noise, write_notes


class Ours:
    """obsync as a peer of the others: a server and two devices."""

    name = "obsync"

    def __init__(self, run):
        self.run, self.server, self.client = run, None, None

    def start(self, folder):
        self.server = self.run.fresh()
        self.client = self.run.client(self.server)

    def begin(self, one, two):
        """Each folder gets its device."""
        self.client.init("one", one, self.server.setup_token())
        self.client.let_in("one", one, "two", two)

    def pids(self):
        return [self.server.process.pid]

    def disk(self):
        return self.server.disk_mib()

    def send(self, folder):
        self.client.sync("one", folder)

    def receive(self, folder):
        self.client.sync("two", folder)

    def stop(self):
        self.run.end(self.server)


def measure(run, peer):
    notes = 10_000 if run.full else 300
    large = (2 << 30) if run.full else (64 << 20)
    archive = (1 << 30) if run.full else (64 << 20)
    rows = {}
    for one in (Ours(run), peer):
        rows[one.name] = measure_one(one, notes, large, archive)
    ours, theirs = rows["obsync"], rows[peer.name]
    for name, (value, unit, more_is_better) in ours.items():
        other = theirs[name][0]
        run.row(f"{name}, obsync", value, unit)
        run.row(f"{name}, {peer.name}", other, unit)
        if value and other:
            run.row(f"{name}, obsync better", value / other if more_is_better else other / value, "times")


def measure_one(one, notes, large, archive):
    """Rows by name: value, unit, and whether more of it is better."""
    folder = Path(tempfile.mkdtemp(prefix="obsync-perf-peer-"))
    try:
        return {**of_notes(one, folder / "notes", notes), **of_large(one, folder / "large", large),
                **of_changes(one, folder / "changes", archive)}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def started(one, folder):
    a, b = folder / "one", folder / "two"
    a.mkdir(parents=True)
    b.mkdir()
    one.start(folder)
    if hasattr(one, "begin"):
        one.begin(a, b)
    return a, b


def timed(act, folder):
    begun = time.monotonic()
    act(folder)
    return time.monotonic() - begun


def of_notes(one, folder, count):
    a, b = started(one, folder)
    write_notes(a, count)
    before = processes.cpu_s(one.pids())
    up = timed(one.send, a)
    cpu = processes.cpu_s(one.pids()) - before
    down = timed(one.receive, b)
    if not same(a, b):
        raise Broken(f"{one.name}: the folders differ")
    rows = {f"{count:,} notes up": (up, "s", False), f"{count:,} notes up and down": (up + down, "s", False),
            "server CPU for the way up": (cpu, "s", False),
            "server's peak memory with the notes": (processes.peak_mib(one.pids()), "MiB", False),
            "on the server's disk / plaintext": (one.disk() * MIB / (count * 2048), "", False)}
    one.stop()
    return rows


def of_large(one, folder, size):
    a, b = started(one, folder)
    write_noise(a / "film.bin", size)
    up, down = timed(one.send, a), timed(one.receive, b)
    if not same(a, b):
        raise Broken(f"{one.name}: the folders differ")
    rows = {f"a file of {size // MIB:,} MiB up": (size / MIB / up, "MiB/s", True),
            "up and down": (size / MIB / (up + down), "MiB/s", True),
            "server's peak memory with it": (processes.peak_mib(one.pids()), "MiB", False)}
    one.stop()
    return rows


def of_changes(one, folder, size):
    a, _ = started(one, folder)
    archive = a / "archive.zip"
    write_noise(archive, size)
    one.send(a)
    source, sent, took = random.Random(1), [], []
    for _ in range(5):
        with open(archive, "r+b") as file:
            file.seek(source.randrange(size - MIB))
            file.write(source.randbytes(MIB))
        before = processes.loopback_bytes()
        took.append(timed(one.send, a))
        sent.append((processes.loopback_bytes() - before) / MIB)
    one.stop()
    return {f"1 MiB changed in {size // MIB:,} MiB": (statistics.median(took), "s", False),
            "through the loopback for it": (statistics.median(sent), "MiB", False)}
