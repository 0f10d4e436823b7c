"""A fresh obsyncd in a folder of its own, and what the kernel counts of it."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
DAY_MS = 86_400_000


class Broken(Exception):
    """A scenario that could not be measured, and why."""


class LeftOut(Exception):
    """What this machine lacks for a scenario."""


class Server:
    """A fresh obsyncd in a folder of its own."""

    def __init__(self, binary, folder, options=(), way=None):
        self.binary, self.folder, self.options = binary, Path(folder), list(options)
        self.process, self.url, self.ca, self.starts = None, None, None, 0
        self.way, self.port = way, 0  # the port stays what it was at the first start

    def arguments(self):
        return [f"--store.journal_dir={self.folder}/journal", f"--store.blobs_dir={self.folder}/blobs",
                "--store.free_watermark=1%,64MiB", f"--server.listen=127.0.0.1:{self.port}",
                "--session.nonces_per_device=10000000", "--session.nonces_total=10000000", *self.options]

    def start(self, under=()):
        """Seconds until it listens, and until it is ready. `under`: words of a program that becomes it."""
        self.starts += 1
        log = self.folder / f"server.{self.starts}.log"
        begun = time.monotonic()
        with open(log, "wb") as out:
            self.process = subprocess.Popen([*under, self.binary, "serve", *self.arguments()], stdout=out,
                                            stderr=out)
        while True:
            found = re.search(r"event=serve_start listen=(\S+)", log.read_text(errors="replace"))
            if found:
                break
            if self.process.poll() is not None:
                raise Broken("the server ended: " + log.read_text(errors="replace")[-500:])
            time.sleep(0.001)
        listening = time.monotonic() - begun
        self.port = int(found.group(1).rsplit(":", 1)[1])
        ask = [self.binary, "healthcheck", *self.arguments()]
        while subprocess.run(ask, capture_output=True, check=False).returncode != 0:
            if time.monotonic() - begun > 60:
                raise Broken("the server did not become ready within a minute")
            time.sleep(0.005)
        ready = time.monotonic() - begun
        self.url = f"http://127.0.0.1:{self.port}"
        if self.way:
            self.way.open(self.port)
            self.url, self.ca = self.way.url, self.way.ca
        return listening, ready

    def log(self):
        """What it wrote since its last start."""
        return (self.folder / f"server.{self.starts}.log").read_text(errors="replace")

    def start_steps(self):
        """Milliseconds of each step of its last start, by name."""
        line = re.search(r"event=start_steps (.*)", self.log())
        return {name: int(us) / 1000 for name, us in re.findall(r"(\w+)_us=(\d+)", line.group(1) if line else "")}

    def stalls(self):
        """The longest stall in ms of each part and message, over all its starts."""
        out = {}
        for log in self.folder.glob("server.*.log"):
            for actor, message, worst in re.findall(r'event=stall actor=(\S+) message=("[^"]*"|\S+).* worst_ms=(\d+)',
                                                    log.read_text(errors="replace")):
                key = f"{actor} with {re.findall(r'[a-z_]+', message)[-1]}"
                out[key] = max(out.get(key, 0), int(worst))
        return out

    def stop(self):
        """As an operator stops it; harmless when it has ended."""
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        if self.way:
            self.way.close()

    def stat(self):
        """CPU seconds, resident and peak resident MiB, MiB written to the disk."""
        base = Path(f"/proc/{self.process.pid}")
        fields = (base / "stat").read_text().rsplit(")", 1)[1].split()
        status = dict(line.split(":", 1) for line in (base / "status").read_text().splitlines() if ":" in line)
        io = dict(line.split(": ") for line in (base / "io").read_text().splitlines())
        return {"cpu_s": (int(fields[11]) + int(fields[12])) / TICKS,
                "rss_mib": int(status["VmRSS"].split()[0]) / 1024,
                "peak_mib": int(status["VmHWM"].split()[0]) / 1024,
                "written_mib": int(io["write_bytes"]) / 2**20}

    def disk_mib(self):
        return sum(one.stat().st_blocks * 512 for place in ("journal", "blobs") for one in (self.folder / place).rglob("*")
                   if one.is_file()) / 2**20

    def setup_token(self):
        return (self.folder / "journal/v1/setup-token").read_text()

    def operate(self, *words):
        """The objects an operator's verb answers with `--json`."""
        done = subprocess.run([self.binary, *words, "--json", *self.arguments()], capture_output=True, text=True,
                              timeout=600, check=False)
        if done.returncode != 0:
            raise Broken(f"obsyncd {' '.join(words[:2])}: {done.stderr[-400:]}{done.stdout[-400:]}")
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]

    def let_days_pass(self, days):
        """Everything that was stored was stored so many days earlier than it was; for retention, which counts them."""
        self.stop()
        catalog = sqlite3.connect(self.folder / "journal/v1/catalog.db")
        catalog.execute("UPDATE version SET ts_ms = ts_ms - ?", (days * DAY_MS,))
        catalog.execute("UPDATE file SET latest_ms = latest_ms - ?", (days * DAY_MS,))
        catalog.commit()
        catalog.close()
        self.start()

    def collect(self):
        """Returns when a collection that began after this has ended."""
        def last():
            return (self.operate("gc", "status")[0].get("last") or {}).get("ts", 0)

        before = last()
        self.operate("gc", "run")
        while last() == before:
            time.sleep(0.05)

    def enrol(self, load):
        """The words with which obsync_load speaks as a first device."""
        token = self.folder / "journal/v1/setup-token"  # the file: a command line is not the place for it
        secret = self.folder / "secret"
        device = subprocess.run([load, "enrol", "--server", self.url, "--token-file", token, "--secret-file", secret,
                                 *self.trust()], check=True, capture_output=True, text=True).stdout.strip()
        return ["--server", self.url, "--device", device, "--secret-file", str(secret), *self.trust()]

    def trust(self):
        return ["--ca", self.ca] if self.ca else []
