"""A kept-alive connection to an HTTP server given by URL, which counts what it sends. The standard
library's own client takes so long over the headers of an answer that it would be measured in place of the
server."""

import base64
import socket
import ssl
from urllib.parse import unquote, urlsplit

from bench.server import Broken

SLICE = 1 << 20
PORTS = {"http": 80, "https": 443}


class Connection:
    def __init__(self, url):
        parts = urlsplit(url)
        self.to = parts.hostname, parts.port or PORTS[parts.scheme]
        self.secure = ssl.create_default_context() if parts.scheme == "https" else None
        self.head = f"Host: {parts.netloc.rpartition('@')[2]}\r\n"
        self.socket, self.answers, self.sent = None, None, 0
        if parts.username:
            both = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
            self.head += f"Authorization: Basic {base64.b64encode(both).decode()}\r\n"

    def open(self):
        self.socket = socket.create_connection(self.to, 600)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.secure:
            self.socket = self.secure.wrap_socket(self.socket, server_hostname=self.to[0])
        self.answers = self.socket.makefile("rb", SLICE)

    def close(self):
        if self.socket:
            self.answers.close()
            self.socket.close()
        self.socket = None

    def call(self, method, path, body=b"", headers="", allowed=(), into=None):
        """The body of an answer that is no error, or is one of those allowed; written `into` a file instead,
        where one is given. `body`: bytes or a file. A connection that the server had closed meanwhile is made
        anew, once."""
        for last in (False, True):
            try:
                if not self.socket:
                    self.open()
                status, said = self.exchange(method, path, body, headers, into)
                break
            except ConnectionError as why:
                self.close()
                if last:
                    raise Broken(f"{method} {path}: {why}") from why
        if status >= 400 and status not in allowed:
            raise Broken(f"{method} {path}: {status} {said[:200]!r}")
        return said

    def exchange(self, method, path, body, headers, into):
        length = len(body) if isinstance(body, bytes) else body.seek(0, 2)
        head = f"{method} {path} HTTP/1.1\r\n{self.head}{headers}Content-Length: {length}\r\n\r\n".encode()
        if isinstance(body, bytes):
            self.socket.sendall(head + body)
        else:
            self.socket.sendall(head)
            body.seek(0)
            self.socket.sendfile(body)
        self.sent += len(head) + length
        first = self.answers.readline()
        if not first:
            raise ConnectionResetError("closed by the server")
        status, about = int(first.split(b" ", 2)[1]), {}
        while (line := self.answers.readline()) not in (b"\r\n", b""):
            name, _, value = line.partition(b":")
            about[name.lower()] = value.strip().lower()
        parts = [b""]
        for part in self.parts(status, about):
            (into.write if into and status < 300 else parts.append)(part)
        if about.get(b"connection") == b"close":
            self.close()
        return status, b"".join(parts)

    def parts(self, status, about):
        if about.get(b"transfer-encoding") == b"chunked":
            while size := int(self.answers.readline().split(b";")[0], 16):
                yield from self.slices(size)
                self.answers.readline()
            self.answers.readline()
        elif status != 204:
            yield from self.slices(int(about.get(b"content-length", 0)))

    def slices(self, left):
        while left:
            part = self.answers.read(min(left, SLICE))
            if not part:
                raise ConnectionResetError("closed within an answer")
            left -= len(part)
            yield part
