"""Syncthing, two of them side by side without discovery, relays or updates, else as it comes: each is
client and server at once, and there is no third place that keeps the files. Times run from the request to
look at the folder until the other has all of it. It speaks TLS, flushes every file it writes, and counts by
itself what it sent."""

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
import xml.etree.ElementTree as xml

from bench import processes
from bench.server import Broken

OFF = {"globalAnnounceEnabled": "false", "localAnnounceEnabled": "false", "relaysEnabled": "false",
       "natEnabled": "false", "crashReportingEnabled": "false", "autoUpgradeIntervalH": "0",
       "urAccepted": "-1", "startBrowser": "false",
       "setLowPriority": "false"}  # with which it would wait for whatever else runs
KEY = "performance"
LOOK_S, LONGEST_S = 0.05, 3600
HEARD = "events?events=RemoteIndexUpdated"


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Node:
    def __init__(self, home, folder):
        self.home, self.folder, self.process = home, folder, None
        self.api, self.port = free_port(), free_port()
        said = subprocess.run(["syncthing", "generate", "--home", home, "--no-default-folder"],
                              capture_output=True, text=True, check=False)
        if said.returncode != 0:
            raise Broken("syncthing generate: " + said.stderr[-300:])
        self.identity = xml.parse(home / "config.xml").find("device").get("id")

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
        device = xml.SubElement(root, "device", id=other.identity, name="other", compression="metadata")
        xml.SubElement(device, "address").text = f"tcp://127.0.0.1:{other.port}"
        folder = xml.SubElement(root, "folder", id="vault", label="vault", path=str(self.folder),
                                type="sendreceive", rescanIntervalS="3600", fsWatcherEnabled="false")
        for identity in (self.identity, other.identity):
            xml.SubElement(folder, "device", id=identity)
        tree.write(self.home / "config.xml")
        (self.folder / ".stfolder").mkdir()  # by which it knows that its disk is there

    def start(self):
        with open(self.home / "log", "wb") as log:
            self.process = subprocess.Popen(
                ["syncthing", "serve", "--home", self.home, "--no-browser", "--no-restart"],
                stdout=log, stderr=log, env={**os.environ, "STNOUPGRADE": "1"})

    def pids(self):
        return processes.with_children(self.process.pid)

    def ask(self, path, method="GET"):
        request = urllib.request.Request(f"http://127.0.0.1:{self.api}/rest/{path}", method=method,
                                         headers={"X-API-Key": KEY})
        with urllib.request.urlopen(request, timeout=3600) as answer:
            said = answer.read()
        return json.loads(said) if said else None

    def await_up(self, other):
        for _ in range(1200):
            try:
                if self.ask("system/connections")["connections"].get(other.identity, {}).get("connected"):
                    return
            except OSError:
                pass
            time.sleep(LOOK_S)
        raise Broken("the two syncthings do not meet")


class Syncthing:
    name, straight = "syncthing", True

    def __init__(self, args):
        self.nodes = []
        self.since, self.heard = 0, 0  # the second's last event, and what it had heard of the first by then

    def start(self, place, one, two, metered):
        if not shutil.which("syncthing"):
            raise Broken("syncthing is not installed")
        self.nodes = [Node(place / "home one", one), Node(place / "home two", two)]
        for node, other in (self.nodes, reversed(self.nodes)):
            node.configure(other)
            node.start()
        for node, other in (self.nodes, reversed(self.nodes)):
            node.await_up(other)
        self.nodes[1].ask(f"{HEARD}&timeout=0")  # from here on they are kept

    def send(self):
        here, there = self.nodes
        here.ask("db/scan?folder=vault", "POST")  # answers when it has looked at everything
        last = here.ask("db/status?folder=vault")["sequence"]
        deadline = time.monotonic() + LONGEST_S
        # Not its word of the other's completion: until the other told what it has, nothing counts as missing.
        while self.heard < last:
            for event in there.ask(f"{HEARD}&since={self.since}&timeout=1"):
                self.since, self.heard = event["id"], max(self.heard, event["data"]["sequence"])
        while (state := there.ask("db/status?folder=vault"))["needTotalItems"] or state["state"] != "idle":
            if time.monotonic() > deadline:
                raise Broken(f"syncthing still misses {state['needTotalItems']} files")
            time.sleep(LOOK_S)

    def receive(self):
        """It came with send()."""

    def sent_mib(self):
        return self.nodes[0].ask("system/connections")["total"]["outBytesTotal"] / 2**20

    def cpu_s(self):
        return {"both ends": sum(processes.cpu_s(node.pids()) for node in self.nodes)}

    def memory_mib(self):
        return {"device, peak": max(processes.peak_mib(node.pids()) for node in self.nodes)}

    def disk_mib(self):
        node = self.nodes[1]
        return sum(processes.disk_mib(folder) for folder in (node.folder, node.home))

    def stop(self):
        for node in self.nodes:
            if node.process:
                node.process.terminate()
                node.process.wait(60)
