"""The real client, obsync, over folders of one run."""

import re
import subprocess
import tempfile
import time
from pathlib import Path

from bench.server import Broken

SAMPLE_S = 0.02


class Client:
    """Devices of one account, each with a home of its own below `home`. `under`: words of a program that becomes
    obsync."""

    def __init__(self, binary, home, url, ca=None, under=()):
        self.under, self.binary, self.home, self.url = under, binary, Path(home), url
        self.trust = ["--ca", ca] if ca else []
        self.home.mkdir(parents=True, exist_ok=True)
        self.peak_mib = 0.0  # of the last sync

    def words(self, name, *words):
        return [*self.under, self.binary, "--home", str(self.home / f"{name}.home"), *map(str, words)]

    def call(self, name, *words, stdin=None):
        done = subprocess.run(self.words(name, *words), input=stdin, text=True, capture_output=True, check=False)
        if done.returncode != 0:
            raise Broken(f"obsync {words[0]}: {done.stderr[-500:]}{done.stdout[-500:]}")
        return done.stdout

    def init(self, name, folder, token):
        """Sets up the account with a setup token or an invitation; the folder is its first."""
        self.call(name, "init", "--server", self.url, "--token", "-", "--phrase-file", self.home / "phrase",
                  *self.trust, folder,
                  stdin=token)

    def sync(self, name, folder):
        """Seconds that one sync took."""
        begun = time.monotonic()
        with tempfile.TemporaryFile("w+") as said:
            syncing = subprocess.Popen(self.words(name, "sync", folder), stdout=said, stderr=said)
            # Not what wait4 tells: that counts the memory of whoever began the process, too.
            while True:
                self.peak_mib = peak_mib(syncing.pid) or self.peak_mib
                try:
                    syncing.wait(SAMPLE_S)
                    break
                except subprocess.TimeoutExpired:
                    pass
            took = time.monotonic() - begun
            if syncing.returncode != 0:
                said.seek(0)
                raise Broken(f"obsync sync: {said.read()[-500:]}")
        return took

    def let_in(self, host, host_folder, guest, guest_folder, url=None):
        """Pairs a second folder through a first that is in; `url` is the guest's own way to the server."""
        log = self.home / "pair.log"
        with open(log, "wb") as out:
            pairing = subprocess.Popen(self.words(host, "pair", "--yes", host_folder), stdout=out, stderr=out)
        deadline = time.monotonic() + 30
        while not (found := re.search(r"code=(\S{128})", log.read_text(errors="replace"))):
            if time.monotonic() > deadline or pairing.poll() is not None:
                pairing.kill()
                raise Broken("no pairing code came: " + log.read_text(errors="replace")[-300:])
            time.sleep(0.01)
        self.call(guest, "join", "--server", url or self.url, "--code", "-", *self.trust, guest_folder,
                  stdin=found.group(1) + "\n")
        pairing.wait(30)


def peak_mib(pid):
    """0 when it has ended."""
    try:
        found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return int(found.group(1)) / 1024 if found else 0


def same(one, two):
    return subprocess.run(["diff", "-r", str(one), str(two)], capture_output=True, check=False).returncode == 0
