"""Curves as SVG, drawn by gnuplot."""

import re
import shutil
import subprocess

from bench.run import say


def draw(out, curves):
    """`curves`: plot name -> {"x": label, "y": label, "log": bool, "lines": {title: [(x, y), ...]}}."""
    if not curves:
        return
    if not shutil.which("gnuplot"):
        return say("plots left out: no gnuplot")
    for name, curve in curves.items():
        path = out / (re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") + ".svg")
        script = [f"set terminal svg noenhanced size 720,400 font 'sans-serif,12' background 'white'\nset output '{path}'",
                  f"set title '{name}'\nset xlabel '{curve['x']}'\nset ylabel '{curve['y']}'\nset grid\nset key outside",
                  "set yrange [0:*]"]
        if curve.get("log"):
            script.append(f"set logscale {curve['log']}")
        titles = ", ".join(f"'-' with linespoints pointtype 7 pointsize 0.4 title '{title}'" for title in curve["lines"])
        script.append("plot " + titles)
        for points in curve["lines"].values():
            script += [f"{x} {y}" for x, y in points] + ["e"]
        subprocess.run(["gnuplot"], input="\n".join(script) + "\n", text=True, check=True, stderr=subprocess.DEVNULL)
    say(f"{len(curves)} plots in {out}")
