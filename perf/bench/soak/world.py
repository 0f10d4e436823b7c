"""The server, its volumes and everybody who uses it."""

import os
import random
import shutil
import subprocess
import time
from pathlib import Path

from bench.run import ROOT, say
from bench.server import Server
from bench.soak.household import Account

# Five accounts with twelve devices; and which of these have a small disk of their own.
FAMILY = [("anna", 3, (2,)), ("bert", 3, ()), ("clara", 2, (1,)), ("dora", 2, ()), ("emil", 2, ())]
BLOBS_VOLUME = "600m"
OPTIONS = ["--gc.grace=20s", "--retention.days=1", "--retention.versions=2", "--store.free_watermark=1%,8MiB"]


class World:
    def __init__(self, folder, seed, binaries=ROOT / "build/release/bin"):
        self.folder, self.seed = Path(folder), seed
        self.source = random.Random(seed)
        self.client = str(binaries / "obsync")
        self.server = Server(str(binaries / "obsyncd"), self.folder, OPTIONS)
        self.accounts, self.counts, self.mounted, self.moments, self.log_ends = [], {}, [], {}, {}
        self.has_volume = self.mount(self.folder / "blobs", BLOBS_VOLUME)

    def mount(self, place, size):
        """A small volume of its own, so that a disk can be full; only root can."""
        place.mkdir(parents=True, exist_ok=True)
        if os.geteuid() != 0:
            return False
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "obsync-soak", place],
                              capture_output=True, check=False)
        if done.returncode == 0:
            self.mounted.append(place)
        return done.returncode == 0

    def count(self, what, more=1):
        self.counts[what] = self.counts.get(what, 0) + more

    def begin(self):
        self.server.start()
        for number, (name, devices, on_volumes) in enumerate(FAMILY):
            account = Account(name, self, on_volumes)
            if number == 0:
                token = (self.server.folder / "journal/v1/setup-token").read_text()
            else:
                token = self.server.operate("account", "invite", "--name", name)[0]["token"]
            account.begin(token)
            self.accounts.append(account)
            while len(account.devices) < devices:
                account.let_in()
            say(f"  {name}: {devices} devices")

    def devices(self):
        return [device for account in self.accounts for device in account.devices]

    def edit(self, seconds, pause=0.25):
        """People at work, at several devices at once."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            device = self.source.choice(self.devices())
            self.count("edit: " + device.editor.act())
            time.sleep(self.source.random() * 2 * pause)

    def end(self):
        for device in self.devices():
            if device.watch and device.is_running():
                device.stop()
        self.server.kill()

    def remove(self):
        for place in self.mounted:
            subprocess.run(["umount", "-l", place], check=False)
        shutil.rmtree(self.folder, ignore_errors=True)
