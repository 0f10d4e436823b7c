"""Accounts with their devices, each a real `obsync watch` behind a link of its own."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import time

from bench.server import Broken
from bench.soak.edits import Editor
from bench.soak.ledger import Ledger
from bench.link import Link


DEVICE_VOLUME = "200m"


class Device:
    """A folder, its keys and the program that watches it."""

    def __init__(self, account, name, world):
        self.account, self.name, self.world = account, name, world
        self.place = world.folder / account.name / name
        self.folder = self.place / "vault"
        self.place.mkdir(parents=True)
        self.has_volume = account.joined in account.on_volumes and world.mount(self.place, DEVICE_VOLUME)
        self.folder.mkdir()
        self.link = Link(world.server.url)
        self.editor = Editor(str(self.folder), name, account.ledger, random.Random(f"{world.seed} {name}"))
        self.watch, self.starts, self.known_as = None, 0, name

    def call(self, *words, stdin=None, allow_failure=False):
        done = subprocess.run([self.world.client, "--home", self.place / "home", *map(str, words)], input=stdin, text=True,
                              capture_output=True, timeout=120, check=False)
        if done.returncode != 0 and not allow_failure:
            raise Broken(f"{self.name}: obsync {words[0]}: {done.stderr[-400:]}{done.stdout[-400:]}")
        return done

    def start(self):
        self.starts += 1
        with open(self.place / f"watch.{self.starts}.log", "wb") as log:
            self.watch = subprocess.Popen([self.world.client, "--home", self.place / "home", "watch", self.folder],
                                          stdout=log, stderr=log)

    def stop(self, how=signal.SIGTERM):
        self.watch.send_signal(how)
        self.watch.wait(60)

    def is_running(self):
        return self.watch.poll() is None

    def status(self):
        return json.loads(self.call("status", "--json", self.folder).stdout)

    def last_words(self):
        return (self.place / f"watch.{self.starts}.log").read_text(errors="replace")[-400:]


class Account:
    def __init__(self, name, world, on_volumes=()):
        """`on_volumes`: which of its devices, by number, have a small disk of their own."""
        self.name, self.world, self.on_volumes, self.ledger = name, world, on_volumes, Ledger()
        self.devices, self.joined, self.token, self.losses = [], 0, None, 0

    def begin(self, token):
        self.token = token
        first = self.new_device()
        first.call("init", "--server", first.link.url, "--token", "-", "--name", first.name, "--account", self.name,
                   "--phrase-file", first.place / "phrase", first.folder, stdin=token)
        first.start()
        self.devices.append(first)

    def new_device(self):
        self.joined += 1
        return Device(self, f"{self.name}-{self.joined}", self.world)

    def let_in(self):
        """One more device, through the first."""
        guest = self.new_device()
        self.pair(guest, guest.name)
        self.devices.append(guest)

    def pair(self, guest, name):
        """Lets `guest` in as `name`; it watches from then on."""
        host = self.devices[0]
        log = host.place / "pair.log"
        with open(log, "wb") as out:
            pairing = subprocess.Popen([self.world.client, "--home", host.place / "home", "pair", "--yes", host.folder],
                                       stdout=out, stderr=out)
        deadline = time.monotonic() + 60
        while not (found := re.search(r"code=(\S{128})", log.read_text(errors="replace"))):
            if time.monotonic() > deadline or pairing.poll() is not None:
                pairing.kill()
                raise Broken(f"{host.name}: no pairing code came: {log.read_text(errors='replace')[-300:]}")
            time.sleep(0.02)
        guest.call("join", "--server", guest.link.url, "--code", "-", "--name", name, guest.folder,
                   stdin=found.group(1) + "\n")
        if pairing.wait(60) != 0:
            raise Broken(f"{host.name}: pairing ended badly: {log.read_text(errors='replace')[-300:]}")
        guest.start()

    def lose_keys(self):
        """Every device loses all it knew, but not its folder. The first comes back with the phrase, the others through it."""
        for device in self.devices:
            device.stop(signal.SIGKILL)
            device.link.heal()
            shutil.rmtree(device.place / "home")
        self.losses += 1
        before = [device.known_as for device in self.devices]
        for device in self.devices:
            device.known_as = f"{device.name} after {self.losses}"
        first = self.devices[0]
        first.call("recover", "--server", first.link.url, "--token", "-", "--name", first.known_as, "--phrase-file",
                   first.place / "phrase", first.folder, stdin=self.token)
        first.start()
        for device in self.devices[1:]:
            self.pair(device, device.known_as)
        for name in before:
            first.call("revoke", "--yes", "--folder", first.folder, name)

    def revoke_last(self):
        """Shuts the newest device out; its program must end by itself and say why."""
        gone = self.devices.pop()
        gone.link.heal()
        self.devices[0].call("revoke", "--yes", "--folder", self.devices[0].folder, gone.known_as)
        try:
            gone.watch.wait(120)
        except subprocess.TimeoutExpired as still:
            raise Broken(f"{gone.name} was revoked and goes on watching") from still
        return gone


def rss_mib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1)) / 1024


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))
