"""One large file through the client, up and down to a second device."""

from bench import limits
from bench.device import same
from bench.server import Broken
from bench.vault import MIB, write_noise


def measure(run):
    size = (2 << 30) if run.full else (128 << 20)
    server = run.fresh()
    client = run.client(server)
    one, two = client.home / "one", client.home / "two"
    one.mkdir()
    two.mkdir()
    write_noise(one / "film.bin", size)
    client.init("one", one, server.setup_token())
    client.let_in("one", one, "two", two)
    with run.watched(f"Memory while a file of {size // MIB} MiB comes and goes", server):
        up = client.sync("one", one)
        up_peak = client.peak_mib
        down = client.sync("two", two)
    run.row(f"a file of {size // MIB:,} MiB up through the client", size / MIB / up, "MiB/s", ">= 300")
    run.row("client's peak RSS, up", up_peak, "MiB", "<= 64")
    run.row(f"a file of {size // MIB:,} MiB down through the client", size / MIB / down, "MiB/s", ">= 300")
    run.row("client's peak RSS, down", client.peak_mib, "MiB", "<= 64")
    run.row("server's peak RSS", server.stat()["peak_mib"], "MiB", "<= 32")
    run.row("limit: 4 MiB files, each flushed and named, 4 at once", limits.flushed_files(server.folder), "MiB/s")
    if not same(one, two):
        raise Broken("the two folders differ")
    run.end(server)
