"""results.json and results.md: what was measured, beside the goal, with machine and commit."""

import json
import os
import platform
import re
import statistics
import subprocess
import time
from pathlib import Path

from bench.run import ROOT


def about(binary):
    def said(*words):
        return subprocess.run(words, capture_output=True, text=True, check=False, cwd=ROOT).stdout.strip()

    cpu = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    return {"commit": said("git", "rev-parse", "--short", "HEAD"), "date": time.strftime("%Y-%m-%d %H:%M"),
            "compiler": said("c++", "--version").splitlines()[0],
            "server": said(binary, "--version"), "kernel": platform.release(),
            "cpu": cpu.group(1) if cpu else platform.machine(), "cores": os.cpu_count(),
            "load_average": os.getloadavg()[0]}


def compare(first, second):
    """Rows of two builds measured in turns: medians of both, and the median of the ratios of each turn. A row that
    did not come in every turn is left out."""
    turns = [[{row["name"]: row["value"] for row in turn} for turn in side] for side in (first, second)]
    rows = []
    for row in first[0]:
        name = row["name"]
        if not all(name in turn for side in turns for turn in side):
            continue
        ours, theirs = [[turn[name] for turn in side] for side in turns]
        ratios = [b / a for a, b in zip(ours, theirs) if a]
        rows.append({**row, "value": statistics.median(ours), "second": statistics.median(theirs),
                     "ratio": round(statistics.median(ratios), 3) if ratios else None})
    return rows


def table(rows, sides):
    if not any("ratio" in row for row in rows):
        return ["| what | measured | goal |", "| --- | --- | --- |",
                *(f"| {row['name']} | {row['value']:g} {row['unit']} | {row['goal']} |" for row in rows)]
    first, second = sides
    return [f"| what | {first} | {second} | {second} / {first} | goal |", "| --- | --- | --- | --- | --- |",
            *(f"| {row['name']} | {row['value']:g} | {row['second']:g} {row['unit']} | {row['ratio']} | {row['goal']} |"
              for row in rows)]


def write(out, facts, scale, rows, broken, left_out, sides=("first", "second")):
    """`sides`: what was compared, where there are ratios."""
    out.mkdir(parents=True, exist_ok=True)
    (out / "results.json").write_text(
        json.dumps({"about": facts, "scale": scale, "rows": rows, "broken": broken, "left_out": left_out}, indent=1) + "\n")
    lines = [f"# Measured {facts['date']}, commit {facts['commit']}, scale {scale}", "",
             f"{facts['cores']} cores of {facts['cpu']}, Linux {facts['kernel']}, {facts['compiler']}; load average "
             f"at the start {facts['load_average']:.2f}. Client and server side by side, via "
             f"{facts['via']}.", "",
             *table(rows, sides)]
    lines += [f"| {name} | broken: {why} | |" for name, why in broken.items()]
    lines += [f"| {name} | left out: {why} | |" for name, why in left_out.items()]
    (out / "results.md").write_text("\n".join(lines) + "\n")
