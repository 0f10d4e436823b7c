"""What every scenario is given: the scale, fresh servers, and a table for its numbers."""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.device import Client
from bench.server import Broken, Server

ROOT = Path(__file__).resolve().parents[2]


def say(text):
    print(text, file=sys.stderr, flush=True)


class Run:
    def __init__(self, binary, full, work=None, anchor="2026-01-01"):
        self.binary, self.full, self.work, self.anchor = binary, full, work, anchor
        self.load = str(ROOT / "build/release/bin/obsync_load")
        self.client_binary = str(ROOT / "build/release/bin/obsync")
        self.rows, self.servers = [], []

    def row(self, name, value, unit, goal=""):
        self.rows.append({"name": name, "value": round(value, 3), "unit": unit, "goal": goal})
        say(f"  {name}: {value:.3f} {unit}" + (f"   (goal {goal})" if goal else ""))

    def fresh(self, options=()):
        folder = tempfile.mkdtemp(prefix="obsync-perf-", dir=self.work)
        server = Server(self.binary, folder, options)
        self.servers.append(server)
        server.start()
        return server

    def client(self, server):
        return Client(self.client_binary, server.folder / "devices", server.url)

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
        for what, worst_ms in server.stalls().items():
            self.row(f"stalled: {what}", worst_ms, "ms")
        shutil.rmtree(server.folder)

    def close(self):
        """Leaves nothing of a scenario that broke."""
        for server in self.servers:
            server.kill()
            shutil.rmtree(server.folder)
        self.servers = []
