"""Accounts with their devices, each a real `obsync watch` behind a link of its own."""

import os
import random
import re
import signal
import subprocess
import time

from bench.server import Broken
from bench.soak.edits import Editor
from bench.soak.ledger import Ledger
from bench.link import Link


class Device:
    """A folder, its keys and the program that watches it."""

    def __init__(self, account, name, world):
        self.account, self.name, self.world = account, name, world
        self.place = world.folder / account.name / name
        self.folder = self.place / "vault"
        self.folder.mkdir(parents=True)
        self.link = Link(world.server.url)
        self.editor = Editor(str(self.folder), name, account.ledger, random.Random(f"{world.seed} {name}"))
        self.watch, self.starts = None, 0

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

    def last_words(self):
        return (self.place / f"watch.{self.starts}.log").read_text(errors="replace")[-400:]


class Account:
    def __init__(self, name, world):
        self.name, self.world, self.ledger = name, world, Ledger()
        self.devices, self.joined = [], 0

    def begin(self, token):
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
        host, guest = self.devices[0], self.new_device()
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
        guest.call("join", "--server", guest.link.url, "--code", "-", "--name", guest.name, guest.folder,
                   stdin=found.group(1) + "\n")
        if pairing.wait(60) != 0:
            raise Broken(f"{host.name}: pairing ended badly: {log.read_text(errors='replace')[-300:]}")
        guest.start()
        self.devices.append(guest)
        return guest

    def revoke_last(self):
        """Shuts the newest device out; its program must end by itself and say why."""
        gone = self.devices.pop()
        gone.link.heal()
        self.devices[0].call("revoke", "--yes", "--folder", self.devices[0].folder, gone.name)
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
