"""A large file whose sending is killed half-way and taken up again: what is sent twice."""

import signal
import subprocess
import time

from bench.link import Link
from bench.server import Broken
from bench.vault import MIB, write_sparse


def measure(run):
    size = (20 << 30) if run.full else (512 << 20)
    server = run.fresh()
    link = Link(server.url)
    client = run.client(server, link.url)
    folder = client.home / "one"
    folder.mkdir()
    client.init("one", folder, server.setup_token())
    write_sparse(folder / "film.bin", size)
    before = link.sent
    sending = subprocess.Popen(client.words("one", "sync", folder), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while link.sent - before < size // 2:
        if sending.poll() is not None:
            raise Broken("the first sync ended before its half")
        time.sleep(0.002)
    sending.send_signal(signal.SIGKILL)
    sending.wait()
    half = link.sent - before
    client.sync("one", folder)
    run.row(f"of {size // MIB:,} MiB sent when the client was killed", half / MIB, "MiB")
    run.row("sent twice after it was taken up", (link.sent - before - size) / MIB, "MiB", "<= 8")
    run.row("client's peak RSS of the second half", client.peak_mib, "MiB", "<= 64")
    run.row("server's peak RSS", server.stat()["peak_mib"], "MiB", "<= 32")
    link.close()
    run.end(server)
