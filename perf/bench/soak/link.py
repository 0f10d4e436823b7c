"""The way from one device to the server, which can be slow or cut."""

import selectors
import socket
import threading
import time

SLICE = 64 << 10


class Link:
    """Listens on a port of its own and passes on to `port`. `rate` in bytes a second limits each direction; None
    does not."""

    def __init__(self, port):
        self.port, self.rate, self.cut = port, None, False
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = "http://127.0.0.1:%d" % self.listener.getsockname()[1]
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
                        if self.rate:
                            time.sleep(len(part) / self.rate)
                        to[key.fileobj].sendall(part)
            except OSError:
                pass
            finally:
                self.open -= {near, far}
                near.close()
                far.close()

    def cut_off(self):
        self.cut = True
        for one in list(self.open):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def heal(self):
        self.cut, self.rate = False, None
