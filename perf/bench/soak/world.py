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

FAMILY = [("anna", 3), ("bert", 3), ("clara", 2), ("dora", 2), ("emil", 2)]  # five accounts, twelve devices
VOLUME = "600m"
OPTIONS = ["--gc.grace=20s", "--retention.days=1", "--retention.versions=2", "--store.free_watermark=1%,8MiB"]


class World:
    def __init__(self, folder, seed, binaries=ROOT / "build/release/bin"):
        self.folder, self.seed = Path(folder), seed
        self.source = random.Random(seed)
        self.client = str(binaries / "obsync")
        self.server = Server(str(binaries / "obsyncd"), self.folder, OPTIONS)
        self.accounts, self.counts = [], {}
        self.has_volume = self.mount()

    def mount(self):
        """A small volume of its own for the blobs, so that a disk can be full; only root can."""
        blobs = self.folder / "blobs"
        blobs.mkdir(parents=True)
        if os.geteuid() != 0:
            return False
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={VOLUME},mode=0700", "obsync-soak", blobs],
                              capture_output=True, check=False)
        return done.returncode == 0

    def count(self, what, more=1):
        self.counts[what] = self.counts.get(what, 0) + more

    def begin(self):
        self.server.start()
        for number, (name, devices) in enumerate(FAMILY):
            account = Account(name, self)
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
        if self.has_volume:
            subprocess.run(["umount", "-l", self.folder / "blobs"], check=False)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)
