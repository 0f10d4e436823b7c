"""How devices reach the server: straight, over its own TLS, or through the Caddy that deploy/ describes."""

import shutil
import socket
import ssl
import subprocess
import time

from bench.server import Broken, LeftOut

WAYS = ("plain", "tls", "caddy")
NAME = "127.0.0.1"


def require(kind):
    if kind == "caddy" and not shutil.which("caddy"):
        raise LeftOut("no caddy")


class Way:
    """One server's. `options` go to the server; after open(), `url` and `ca` lead to it. `address`: what else it is
    reached by."""

    def __init__(self, kind, binary, folder, caddyfile, address=None):
        self.kind, self.folder, self.caddyfile = kind, folder, caddyfile
        self.url, self.ca, self.options, self.caddy = None, None, [], None
        if kind == "plain":
            return
        names = [word for name in (NAME, address) if name for word in ("--name", name)]
        subprocess.run([binary, "tls", "self-signed", *names, "--out", folder / "tls"], check=True, capture_output=True)
        self.ca = str(folder / "tls/ca.crt")
        if kind == "tls":
            self.options = [f"--tls.certificate={folder}/tls/server.crt", f"--tls.key={folder}/tls/server.key"]

    def open(self, port):
        if self.kind == "caddy" and self.caddy is None:
            self.start_caddy(port)
        elif self.kind != "caddy":
            self.url = ("http" if self.kind == "plain" else "https") + f"://{NAME}:{port}"

    def start_caddy(self, port):
        with socket.socket() as one:
            one.bind((NAME, 0))
            own = one.getsockname()[1]
        text = self.caddyfile.read_text().replace("127.0.0.1:8080", f"{NAME}:{port}").replace(
            "sync.example.org {", f"https://:{own} {{\n\ttls {self.folder}/tls/server.crt {self.folder}/tls/server.key")
        (self.folder / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https off\n\tdefault_sni " + NAME + "\n}\n" + text)
        with open(self.folder / "caddy.log", "wb") as log:
            self.caddy = subprocess.Popen(["caddy", "run", "--adapter", "caddyfile", "--config", self.folder / "Caddyfile"],
                                          stdout=log, stderr=log)
        self.url = f"https://{NAME}:{own}"
        trust = ssl.create_default_context(cafile=self.ca)
        for _ in range(400):
            try:
                with socket.create_connection((NAME, own), 1) as plain, trust.wrap_socket(plain, server_hostname=NAME):
                    return
            except OSError:
                time.sleep(0.025)
        raise Broken("caddy did not begin to answer: " + (self.folder / "caddy.log").read_text()[-300:])

    def close(self):
        if self.caddy:
            self.caddy.terminate()
            self.caddy.wait(10)
