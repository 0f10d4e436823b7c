"""What every scenario is given: the scale, fresh servers, and a table for its numbers."""

import contextlib
import json
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from bench.device import Client
from bench.server import Broken, Server
from bench.via import Way, require

ROOT = Path(__file__).resolve().parents[2]
SAMPLE_S = 0.05


def say(text):
    print(text, file=sys.stderr, flush=True)


class Run:
    def __init__(self, binary, args):
        require(args.via)
        self.binary, self.full, self.work, self.anchor, self.via = (binary, args.scale == "full", args.work, args.anchor,
                                                                    args.via)
        self.load, self.client_binary = str(args.bin / "obsync_load"), str(args.bin / "obsync")
        self.rows, self.servers, self.curves = [], [], {}

    def row(self, name, value, unit, goal=""):
        self.rows.append({"name": name, "value": round(value, 3), "unit": unit, "goal": goal})
        say(f"  {name}: {value:.3f} {unit}" + (f"   (goal {goal})" if goal else ""))

    def point(self, plot, line, x, y, labels=("", ""), log=""):
        """One more point of a curve; the first one of a plot names its axes."""
        curve = self.curves.setdefault(plot, {"x": labels[0], "y": labels[1], "log": log, "lines": {}})
        curve["lines"].setdefault(line, []).append((x, y))

    def latencies(self, plot, line, got):
        """What obsync_load measured, as a distribution."""
        for percent in range(0, 101, 5):
            self.point(plot, line, got[f"curve_{percent}"], percent, ("ms", "percent not above"))

    @contextlib.contextmanager
    def watched(self, plot, server):
        """The server's memory over time while the block runs."""
        begun, over = time.monotonic(), threading.Event()

        def look():
            while not over.wait(SAMPLE_S):
                self.point(plot, "server", round(time.monotonic() - begun, 2), server.stat()["rss_mib"], ("s", "RSS, MiB"))

        looking = threading.Thread(target=look)
        looking.start()
        try:
            yield
        finally:
            over.set()
            looking.join()

    def fresh(self, options=(), address=None):
        """`address`: what devices reach it by, when not by the loopback."""
        folder = Path(tempfile.mkdtemp(prefix="obsync-perf-", dir=self.work))
        way = Way(self.via, self.binary, folder, ROOT / "deploy/Caddyfile", address)
        server = Server(self.binary, folder, [*options, *way.options], way)
        self.servers.append(server)
        server.start()
        return server

    def client(self, server, url=None, under=()):
        return Client(self.client_binary, server.folder / "devices", url or server.url, server.ca, under)

    def run_load(self, server, who, scenario, **how):
        """One scenario of obsync_load as `who`; its numbers by name."""
        words = [self.load, scenario, *who]
        for name, value in how.items():
            words += ["--" + name.replace("_", "-"), str(value)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Broken(done.stderr.strip())
        return json.loads(done.stdout)

    def end(self, server):
        """Stops it and removes its store; what stalled in it is told."""
        self.servers.remove(server)
        server.stop()
        server.way.close()
        for what, worst_ms in server.stalls().items():
            self.row(f"stalled: {what}", worst_ms, "ms")
        shutil.rmtree(server.folder)

    def close(self):
        """Leaves nothing of a scenario that broke."""
        for server in self.servers:
            server.kill()
            shutil.rmtree(server.folder)
        self.servers = []
