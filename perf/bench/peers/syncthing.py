"""Syncthing, two of them side by side without discovery, relays or updates: each is client and server at once, and there is no
third place that keeps the files. Times run from the request to look at the folder until the other side has all of it."""

import json
import shutil
import socket
import subprocess
import time
import urllib.request
import xml.etree.ElementTree as xml

from bench import processes
from bench.server import Broken

OFF = {"globalAnnounceEnabled": "false", "localAnnounceEnabled": "false", "relaysEnabled": "false", "natEnabled": "false",
       "crashReportingEnabled": "false", "autoUpgradeIntervalH": "0", "urAccepted": "-1", "startBrowser": "false"}
KEY = "performance"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Node:
    def __init__(self, home, folder):
        self.home, self.folder, self.api, self.port = home, folder, free_port(), free_port()
        said = subprocess.run(["syncthing", "generate", "--home", home, "--no-default-folder"], capture_output=True, text=True,
                              check=False)
        if said.returncode != 0:
            raise Broken("syncthing generate: " + said.stderr[-300:])
        self.identity = xml.parse(home / "config.xml").find("device").get("id")
        self.process = None

    def configure(self, other):
        tree = xml.parse(self.home / "config.xml")
        root = tree.getroot()
        options = root.find("options")
        for name, value in OFF.items():
            node = options.find(name)
            if node is None:
                node = xml.SubElement(options, name)
            node.text = value
        for node in options.findall("listenAddress"):
            options.remove(node)
        xml.SubElement(options, "listenAddress").text = f"tcp://127.0.0.1:{self.port}"
        gui = root.find("gui")
        gui.find("address").text = f"127.0.0.1:{self.api}"
        gui.find("apikey").text = KEY
        device = xml.SubElement(root, "device", id=other.identity, name="other", compression="never")
        xml.SubElement(device, "address").text = f"tcp://127.0.0.1:{other.port}"
        folder = xml.SubElement(root, "folder", id="vault", label="vault", path=str(self.folder), type="sendreceive",
                                rescanIntervalS="3600", fsWatcherEnabled="false")
        for identity in (self.identity, other.identity):
            xml.SubElement(folder, "device", id=identity)
        tree.write(self.home / "config.xml")

    def start(self):
        with open(self.home / "log", "wb") as log:
            self.process = subprocess.Popen(["syncthing", "serve", "--home", self.home, "--no-browser", "--no-restart"],
                                            stdout=log, stderr=log)

    def ask(self, path, method="GET"):
        request = urllib.request.Request(f"http://127.0.0.1:{self.api}/rest/{path}", method=method,
                                         headers={"X-API-Key": KEY})
        with urllib.request.urlopen(request, timeout=600) as answer:
            said = answer.read()
        return json.loads(said) if said else None

    def await_up(self, other):
        for _ in range(1200):
            try:
                if self.ask("system/connections")["connections"].get(other.identity, {}).get("connected"):
                    return
            except OSError:
                pass
            time.sleep(0.05)
        raise Broken("the two syncthings do not meet")


class Syncthing:
    name = "syncthing"

    def __init__(self, args):
        self.one, self.two = None, None

    def start(self, folder):
        if not shutil.which("syncthing"):
            raise Broken("syncthing is not installed")
        self.one, self.two = Node(folder / "home one", folder / "one"), Node(folder / "home two", folder / "two")
        for node, other in ((self.one, self.two), (self.two, self.one)):
            (node.folder / ".stfolder").mkdir(exist_ok=True)
            node.configure(other)
            node.start()
        self.one.await_up(self.two)
        self.two.await_up(self.one)

    def send(self, folder):
        """Until the other side has everything: there is nowhere else to send it to."""
        self.one.ask("db/scan?folder=vault", "POST")
        while self.one.ask(f"db/completion?folder=vault&device={self.two.identity}")["completion"] < 100 or not self.is_even():
            time.sleep(0.02)

    def is_even(self):
        mine, theirs = [node.ask("db/status?folder=vault") for node in (self.one, self.two)]
        return theirs["state"] == "idle" and theirs["needTotalItems"] == 0 and theirs["globalBytes"] == mine["globalBytes"]

    def receive(self, folder):
        """It came with send()."""
        for node in (self.one, self.two):
            shutil.rmtree(node.folder / ".stfolder", ignore_errors=True)

    def pids(self):
        return [pid for node in (self.one, self.two) for pid in processes.with_children(node.process.pid)]

    def disk(self):
        return sum(one.stat().st_blocks * 512 for one in self.two.folder.rglob("*") if one.is_file()) / 2**20

    def stop(self):
        for node in (self.one, self.two):
            node.process.terminate()
            node.process.wait()
