"""A kept-alive connection to an HTTP server given by URL, which counts what it sends."""

import base64
import http.client
from urllib.parse import unquote, urlsplit

from bench.server import Broken

SLICE = 1 << 20


class Connection:
    def __init__(self, url):
        parts = urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self.http, self.sent, self.headers = kind(parts.hostname, parts.port, timeout=600, blocksize=SLICE), 0, {}
        if parts.username:
            both = f"{unquote(parts.username)}:{unquote(parts.password or '')}".encode()
            self.headers["Authorization"] = "Basic " + base64.b64encode(both).decode()
        send = self.http.send

        def counted(data):
            self.sent += len(data)
            send(data)

        self.http.send = counted

    def ask(self, method, path, body=None, headers=None):
        """The answer, whose body must be read. A connection that the server had closed meanwhile is made anew, once."""
        for last in (False, True):
            try:
                self.http.request(method, path, body, {**self.headers, **(headers or {})})
                return self.http.getresponse()
            except (ConnectionError, http.client.BadStatusLine, http.client.CannotSendRequest) as why:
                self.http.close()
                if last:
                    raise Broken(f"{method} {path}: {why}") from why
                if hasattr(body, "seek"):
                    body.seek(0)
        return None

    def call(self, method, path, body=None, headers=None, allowed=()):
        """The body of an answer that is no error, or is one of those allowed."""
        answer = self.ask(method, path, body, headers)
        said = answer.read()
        if answer.status >= 400 and answer.status not in allowed:
            raise Broken(f"{method} {path}: {answer.status} {said[:200]!r}")
        return said

    def close(self):
        self.http.close()
