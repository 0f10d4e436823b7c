"""The real client, obsync, over folders of one run."""

import re
import subprocess
import time
from pathlib import Path

from bench.server import Broken


class Client:
    """Devices of one account, each with a home of its own below `home`."""

    def __init__(self, binary, home, url):
        self.binary, self.home, self.url = binary, Path(home), url
        self.home.mkdir(parents=True, exist_ok=True)

    def words(self, name, *words):
        return [self.binary, "--home", str(self.home / f"{name}.home"), *map(str, words)]

    def call(self, name, *words, stdin=None):
        done = subprocess.run(self.words(name, *words), input=stdin, text=True, capture_output=True, check=False)
        if done.returncode != 0:
            raise Broken(f"obsync {words[0]}: {done.stderr[-500:]}{done.stdout[-500:]}")
        return done.stdout

    def init(self, name, folder, token):
        """Sets up the account with a setup token or an invitation; the folder is its first."""
        self.call(name, "init", "--server", self.url, "--token", "-", "--phrase-file", self.home / "phrase", folder,
                  stdin=token)

    def sync(self, name, folder):
        """Seconds that one sync took."""
        begun = time.monotonic()
        self.call(name, "sync", folder)
        return time.monotonic() - begun

    def let_in(self, host, host_folder, guest, guest_folder):
        """Pairs a second folder through a first that is in."""
        log = self.home / "pair.log"
        with open(log, "wb") as out:
            pairing = subprocess.Popen(self.words(host, "pair", "--yes", host_folder), stdout=out, stderr=out)
        deadline = time.monotonic() + 30
        while not (found := re.search(r"code=(\S{128})", log.read_text(errors="replace"))):
            if time.monotonic() > deadline or pairing.poll() is not None:
                pairing.kill()
                raise Broken("no pairing code came: " + log.read_text(errors="replace")[-300:])
            time.sleep(0.01)
        self.call(guest, "join", "--server", self.url, "--code", "-", guest_folder, stdin=found.group(1) + "\n")
        pairing.wait(30)


def same(one, two):
    return subprocess.run(["diff", "-r", str(one), str(two)], capture_output=True, check=False).returncode == 0
