"""The same folders through obsync and through a peer, in turns, every turn with fresh ones of both."""

import contextlib
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

from bench import results
from bench.device import same
from bench.peers.ours import Ours
from bench.run import Run, say
from bench.server import Broken
from bench.vault import MIB, write_noise, write_notes

CHANGES = 5


def measure(name, binary, args, peer):
    """Rows of both sides' medians and of the ratios, peer ÷ ours; less is better in every row."""
    act, make = WORKLOADS[name]
    ours, theirs = [], []
    model = Path(tempfile.mkdtemp(prefix="obsync-perf-model-", dir=args.work))
    try:
        title = make(model, args.scale == "full")
        for turn in range(args.rounds):
            sides = [(ours, Ours), (theirs, lambda _: peer(args))]
            for rows, kind in sides if turn % 2 == 0 else reversed(sides):
                rows.append(one_side(act, kind, Run(binary, args), model))
    finally:
        shutil.rmtree(model)
    return [{**row, "name": f"{title}: {row['name']}"} for row in results.compare(ours, theirs)]


def one_side(act, kind, run, model):
    side = kind(run)
    say(f" {side.name}:")
    place = Path(tempfile.mkdtemp(prefix="obsync-perf-peer-", dir=run.work))
    try:
        act(side, run, place, model)
    finally:
        with contextlib.ExitStack() as ending:
            ending.callback(shutil.rmtree, place, ignore_errors=True)
            ending.callback(run.close)
            ending.callback(side.stop)
    return run.rows


def begun(side, run, place, model, metered=False):
    """Folder one has what the model has, and nobody has written anything that is not on the disk yet. What
    the copying took is the least that any way of bringing the folder elsewhere takes."""
    one, two = place / "one", place / "two"
    one.mkdir()
    two.mkdir()
    side.start(place, one, two, metered)
    os.sync()
    took = timed(lambda: subprocess.run(["cp", "-r", f"{model}/.", one], check=True)) + flush(place)
    run.row("limit: the folder copied and flushed", took, "s")
    os.sync()
    return one, two


def timed(act):
    begin = time.monotonic()
    act()
    return time.monotonic() - begin


def flush(place):
    return timed(lambda: subprocess.run(["sync", "-f", place], check=True))


def whole_folder(side, run, place, model):
    one, two = begun(side, run, place, model)
    begin = side.cpu_s()
    up = timed(side.send)
    sent = side.cpu_s()
    up_flushed = up + flush(place)
    middle = side.cpu_s()
    down = timed(side.receive)
    end = side.cpu_s()
    down_flushed = down + flush(place)
    if not same(one, two):
        raise Broken(f"{side.name}: the folders differ")
    if not side.straight:
        run.row("up", up, "s")
        run.row("up, and flushed to the disk", up_flushed, "s")
    run.row("until another device has it", up + down, "s")
    run.row("the same, and flushed to the disk", up_flushed + down_flushed, "s")
    for whose in end:
        run.row(f"CPU, {whose}", end[whose] - middle[whose] + sent[whose] - begin[whose], "s")
    for which, mib in side.memory_mib().items():
        run.row(f"memory, {which}", mib, "MiB")
    plain = sum(file.stat().st_size for file in model.rglob("*") if file.is_file())
    run.row("kept on the disk there / plaintext", side.disk_mib() * MIB / plain, "")


def changes(side, run, place, model):
    one, two = begun(side, run, place, model, metered=True)
    archive = one / "archive.zip"
    side.send()
    side.receive()
    os.sync()
    source, sent, up, down = random.Random(1), [], [], []
    before = side.cpu_s()
    for _ in range(CHANGES):
        with open(archive, "r+b") as file:
            file.seek(source.randrange(archive.stat().st_size - MIB))
            file.write(source.randbytes(MIB))
        already = side.sent_mib()
        up.append(timed(side.send))
        sent.append(side.sent_mib() - already)
        down.append(timed(side.receive))
    after = side.cpu_s()
    if not same(one, two):
        raise Broken(f"{side.name}: the folders differ")
    run.row("sent for 1 MiB changed, p50", statistics.median(sent), "MiB")
    run.row("sent for 1 MiB changed, max", max(sent), "MiB")
    if not side.straight:
        run.row("until the server has it, p50", statistics.median(up), "s")
    run.row("until another device has it, p50", statistics.median(a + b for a, b in zip(up, down)), "s")
    for whose in after:
        run.row(f"CPU for a change, {whose}", (after[whose] - before[whose]) / CHANGES, "s")
    for which, mib in side.memory_mib().items():
        run.row(f"memory, {which}", mib, "MiB")


def notes(folder, full):
    count = 10_000 if full else 500
    write_notes(folder, count)
    return f"{count:,} notes of 2 KiB"


def film(folder, full):
    size = 2048 if full else 64
    write_noise(folder / "film.bin", size * MIB)
    return f"a file of {size:,} MiB"


def archive_file(folder, full):
    size = 4096 if full else 256
    write_noise(folder / "archive.zip", size * MIB)
    return f"an archive of {size:,} MiB"


# What is measured of what, by the name of the scenario that measures the like of ours alone, if there is one.
WORKLOADS = {"client": (whole_folder, notes), "large": (whole_folder, film),
             "changed": (changes, archive_file)}
