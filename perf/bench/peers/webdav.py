"""WebDAV, used as Obsidian's Remotely Save does: walk the server's tree, put what is new or changed whole, get what is missing.
The server is rclone's, which does not flush what it stores. The walk, the requests and eight connections are this driver's."""

import http.client
import re
import shutil
import socket
import subprocess
import time
import urllib.parse
from concurrent.futures import ThreadPoolExecutor
from threading import local
from urllib.parse import quote, unquote

from bench.server import Broken

CONNECTIONS = 8


class WebDav:
    name = "webdav"

    def __init__(self, args):
        self.given, self.process, self.place = args.url, None, None
        self.connections, self.known = local(), {}

    def start(self, folder):
        self.connections, self.known = local(), {}
        if self.given:
            self.base = urllib.parse.urlsplit(self.given)
            return
        if not shutil.which("rclone"):
            raise Broken("rclone is not installed; or give --url of a WebDAV server")
        self.place = folder / "dav"
        self.place.mkdir()
        with socket.socket() as one:
            one.bind(("127.0.0.1", 0))
            port = one.getsockname()[1]
        self.base = urllib.parse.urlsplit(f"http://127.0.0.1:{port}/")
        self.process = subprocess.Popen(["rclone", "serve", "webdav", "--addr", f"127.0.0.1:{port}", self.place],
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(400):
            try:
                return socket.create_connection(("127.0.0.1", port)).close()
            except OSError:
                time.sleep(0.025)
        raise Broken("rclone does not listen")

    def ask(self, method, path, body=None, headers=None):
        for _ in range(2):
            if not hasattr(self.connections, "open"):
                self.connections.open = http.client.HTTPConnection(self.base.hostname, self.base.port)
            try:
                self.connections.open.request(method, self.base.path + quote(path), body, headers or {})
                answer = self.connections.open.getresponse()
                return answer.status, answer
            except (ConnectionError, http.client.HTTPException):
                self.connections.open.close()
                del self.connections.open
        raise Broken(f"{method} was not answered")

    def call(self, method, path, body=None, headers=None):
        status, answer = self.ask(method, path, body, headers)
        said = answer.read()
        if status >= 400 and not (method == "MKCOL" and status == 405):
            raise Broken(f"{method} {path}: {status}")
        return said

    def walk(self):
        """Paths of files on the server, folder by folder."""
        files, folders = [], [""]
        while folders:
            above = folders.pop()
            said = self.call("PROPFIND", above, headers={"Depth": "1"}).decode()
            for href in re.findall(r"<(?:\w+:)?href>([^<]*)</", said):
                path = unquote(urllib.parse.urlsplit(href).path).removeprefix(self.base.path)
                if path.rstrip("/") == above.rstrip("/"):
                    continue
                (folders if path.endswith("/") else files).append(path)
        return files

    def send(self, folder):
        there = set(self.walk())
        local_files = [one for one in folder.rglob("*") if one.is_file()]
        wanted = [one for one in local_files if str(one.relative_to(folder)) not in there
                  or self.known.get(one) != one.stat().st_mtime_ns]
        for above in sorted({one.parent for one in wanted} - {folder}):
            self.call("MKCOL", str(above.relative_to(folder)) + "/")
        with ThreadPoolExecutor(CONNECTIONS) as pool:
            list(pool.map(lambda one: self.put(folder, one), wanted))

    def put(self, folder, one):
        self.known[one] = one.stat().st_mtime_ns
        with open(one, "rb") as body:
            self.call("PUT", str(one.relative_to(folder)), body, {"Content-Length": str(one.stat().st_size)})

    def receive(self, folder):
        def get(path):
            to = folder / path
            to.parent.mkdir(parents=True, exist_ok=True)
            status, answer = self.ask("GET", path)
            if status != 200:
                raise Broken(f"GET {path}: {status}")
            with open(to, "wb") as file:
                shutil.copyfileobj(answer, file, 1 << 20)

        with ThreadPoolExecutor(CONNECTIONS) as pool:
            list(pool.map(get, self.walk()))

    def pids(self):
        return [self.process.pid] if self.process else []

    def disk(self):
        return sum(one.stat().st_blocks * 512 for one in self.place.rglob("*") if one.is_file()) / 2**20 if self.place else 0

    def stop(self):
        if self.process:
            self.process.terminate()
            self.process.wait()
