"""The way from devices to the server: counted, and slow, lossy or cut when asked."""

import random
import re
import selectors
import socket
import threading
import time

SLICE = 64 << 10
RESENT_S = 0.2  # what a lost segment costs at least: Linux's shortest wait before it is sent again


class Link:
    """Listens on a port of its own and passes on to where `url` leads. `rate`: bytes a second in each direction, of
    all connections together, None without a limit. `loss`: the share of slices that come late by a lost segment's
    wait."""

    def __init__(self, url, address="127.0.0.1"):
        scheme, port = re.fullmatch(r"(https?)://127\.0\.0\.1:(\d+)", url).groups()
        self.port, self.rate, self.loss, self.cut = int(port), None, 0.0, False
        self.sent = self.received = 0  # bytes passed on, towards the server and back
        self.source = random.Random(url)
        self.free_at = {"sent": 0.0, "received": 0.0}  # when a direction has passed on what it took
        self.taking = threading.Lock()
        self.listener = socket.create_server((address, 0))
        self.url = f"{scheme}://{address}:{self.listener.getsockname()[1]}"
        self.open = set()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            try:
                far = socket.create_connection(("127.0.0.1", self.port), 5)
            except OSError:
                near.close()
                continue
            if self.cut:
                near.close()
                far.close()
                continue
            threading.Thread(target=self.pass_on, args=(near, far), daemon=True).start()

    def pass_on(self, near, far):
        self.open |= {near, far}
        to = {near: far, far: near}
        with selectors.DefaultSelector() as ready:
            for one in to:
                ready.register(one, selectors.EVENT_READ)
            try:
                while True:
                    for key, _ in ready.select():
                        part = key.fileobj.recv(SLICE)
                        if not part or self.cut:
                            return
                        direction = "sent" if key.fileobj is near else "received"
                        self.delay(len(part), direction)
                        to[key.fileobj].sendall(part)
                        self.count(len(part), direction)
            except OSError:
                pass
            finally:
                self.open -= {near, far}
                near.close()
                far.close()

    def count(self, size, direction):
        with self.taking:  # adding is not one step, and connections have a thread each
            if direction == "sent":
                self.sent += size
            else:
                self.received += size

    def delay(self, size, direction):
        if rate := self.rate:
            with self.taking:
                now = time.monotonic()
                free_at = self.free_at[direction] = max(now, self.free_at[direction]) + size / rate
            time.sleep(free_at - now)
        if self.loss and self.source.random() < self.loss:
            time.sleep(RESENT_S)

    def cut_off(self):
        self.cut = True
        for one in list(self.open):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def heal(self):
        self.cut, self.rate, self.loss = False, None, 0.0

    def close(self):
        self.listener.close()
        self.cut_off()
