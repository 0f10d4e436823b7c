"""WebDAV as Obsidian's Remotely Save uses it: look at the server's tree folder by folder, ten at a time;
make what folders miss; put and get files whole, five at a time, and ask for what was put. Its requests, not
its program: this driver is Python.

The server is an nginx of our own with the modules dav and dav-ext, or whatever --url names. nginx does not
flush what it stores.
"""

import contextlib
import os
import re
import shutil
import socket
import subprocess
import time
import xml.etree.ElementTree as xml
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import local
from urllib.parse import quote, unquote, urlsplit

from bench import processes
from bench.peers.connection import Connection
from bench.server import Broken

LOOKING, MOVING = 10, 5  # requests at a time
VAULT = "obsync-perf-vault/"
DAV = "{DAV:}"
CONFIGURATION = """
daemon off; pid {place}/nginx.pid; error_log {place}/error.log; worker_processes auto; {user}
load_module {modules}/ngx_http_dav_ext_module.so;
events {{ worker_connections 256; }}
http {{
  access_log off; client_max_body_size 0; client_body_temp_path {place}/bodies;
  proxy_temp_path {place}/unused; fastcgi_temp_path {place}/unused;
  uwsgi_temp_path {place}/unused; scgi_temp_path {place}/unused;
  server {{
    listen 127.0.0.1:{port}; root {place}/dav;
    location / {{ dav_methods PUT DELETE MKCOL COPY MOVE; dav_ext_methods PROPFIND OPTIONS; }}
  }}
}}
"""


class WebDav:
    name, straight = "webdav", False

    def __init__(self, args):
        self.url, self.given, self.nginx, self.place = args.url, bool(args.url), None, None
        self.opened, self.mine, self.pools = [], local(), []
        self.sent, self.got = {}, {}  # what marked each file, here and there, when last sent or fetched

    def start(self, place, one, two, metered):
        self.one, self.two = one, two
        self.pools = [ThreadPoolExecutor(LOOKING), ThreadPoolExecutor(MOVING)]
        if not self.given:
            self.start_nginx(place)
        self.base = urlsplit(self.url).path.rstrip("/") + "/" + VAULT
        self.call("DELETE", "", allowed=(404,))
        self.call("MKCOL", "")
        self.serving = processes.listening(urlsplit(self.url).port or 80)
        self.serving = self.serving and processes.with_children(self.serving[0])
        if self.given:
            processes.forget_peak(self.serving)

    def start_nginx(self, place):
        modules = modules_folder()
        if not modules:
            raise Broken("nginx or its module dav-ext is not installed; or give --url of a WebDAV server")
        self.place = place / "nginx"
        (self.place / "dav").mkdir(parents=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        user = "user root;" if os.geteuid() == 0 else ""
        conf, log = self.place / "nginx.conf", self.place / "error.log"
        conf.write_text(CONFIGURATION.format(place=self.place, modules=modules, port=port, user=user))
        self.nginx = subprocess.Popen(["nginx", "-e", log, "-c", conf])
        self.url = f"http://127.0.0.1:{port}/"
        for _ in range(400):
            try:
                return socket.create_connection(("127.0.0.1", port)).close()
            except OSError:
                time.sleep(0.025)
        raise Broken("nginx does not listen: " + log.read_text()[-300:])

    def connection(self):
        """This thread's own."""
        if not hasattr(self.mine, "connection"):
            self.mine.connection = Connection(self.url)
            self.opened.append(self.mine.connection)
        return self.mine.connection

    def call(self, method, path, *more, **how):
        return self.connection().call(method, self.base + quote(path), *more, **how)

    def look(self, path, depth="1"):
        """Folders and files at a path of the server, each file with what marks its state."""
        folders, files = [], {}
        for entry in xml.fromstring(self.call("PROPFIND", path, headers=f"Depth: {depth}\r\n")):
            where = unquote(urlsplit(entry.findtext(DAV + "href")).path).removeprefix(self.base)
            if entry.find(f".//{DAV}collection") is None:
                files[where] = [entry.findtext(f".//{DAV}get{what}")
                                for what in ("lastmodified", "contentlength")]
            elif where.rstrip("/") != path.rstrip("/"):
                folders.append(where.rstrip("/") + "/")
        return folders, files

    def walk(self):
        files, folders, found = {}, [""], set()
        while folders:
            seen = list(self.pools[0].map(self.look, folders))
            folders = [folder for below, _ in seen for folder in below]
            found.update(folders)
            for _, more in seen:
                files.update(more)
        return found, files

    def send(self):
        folders, files = self.walk()
        here = [file for file in self.one.rglob("*") if file.is_file()]
        wanted = [file for file in here
                  if str(file.relative_to(self.one)) not in files or self.sent.get(file) != mark(file)]
        parents = {str(file.parent.relative_to(self.one)) + "/"
                   for file in wanted if file.parent != self.one}
        for above in sorted(parents - folders):
            self.call("MKCOL", above)
            self.look(above, "0")
        list(self.pools[1].map(self.put, wanted))

    def put(self, file):
        path, self.sent[file] = str(file.relative_to(self.one)), mark(file)
        with open(file, "rb") as body:
            self.call("PUT", path, body)
        self.look(path, "0")

    def receive(self):
        _, files = self.walk()
        wanted = [(path, about) for path, about in files.items() if self.got.get(path) != about]
        list(self.pools[1].map(self.get, wanted))

    def get(self, wanted):
        path, self.got[path] = wanted[0], wanted[1]
        to = self.two / path
        to.parent.mkdir(parents=True, exist_ok=True)
        with open(to, "wb") as file:
            self.call("GET", path, into=file)

    def sent_mib(self):
        return sum(one.sent for one in self.opened) / 2**20

    def cpu_s(self):
        server = processes.cpu_s(self.serving)
        return self.serving and {"server": server, "both ends": server + time.process_time()}

    def memory_mib(self):
        return self.serving and {"server, peak": processes.peak_mib(self.serving),
                                 "server, afterwards": processes.rss_mib(self.serving)}

    def disk_mib(self):
        """0 of a server that is not ours."""
        return processes.disk_mib(self.place) if self.place else 0

    def stop(self):
        if self.given and self.opened:
            with contextlib.suppress(Broken):  # it may be what broke
                self.call("DELETE", "", allowed=(404,))
        for pool in self.pools:
            pool.shutdown()
        for one in self.opened:
            one.close()
        if self.nginx:
            self.nginx.terminate()
            self.nginx.wait(30)


def modules_folder():
    """Of an nginx that can serve WebDAV, or nothing."""
    if not shutil.which("nginx"):
        return None
    said = subprocess.run(["nginx", "-V"], capture_output=True, text=True, check=False).stderr
    found = re.search(r"--modules-path=(\S+)", said)
    return found.group(1) if found and Path(found.group(1), "ngx_http_dav_ext_module.so").exists() else None


def mark(file):
    return file.stat().st_mtime_ns, file.stat().st_size
