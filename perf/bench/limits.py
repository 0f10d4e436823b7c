"""What the machine itself can do, measured in the run that is compared with it."""

import os
import shutil
import socket
import threading
import time

MIB = 1 << 20


def in_threads(count, act):
    """Seconds until `act(index)` has ended in so many threads."""
    threads = [threading.Thread(target=act, args=(index,)) for index in range(count)]
    begun = time.monotonic()
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return time.monotonic() - begun


def flushed_files(folder, files=64, size=4 * MIB, at_once=4):
    """MiB/s of new files written as a chunk must be: its bytes flushed, renamed, its folder flushed."""
    place = folder / "limit"
    place.mkdir()
    body = os.urandom(size)
    opened = os.open(place, os.O_RDONLY)

    def write(writer):
        for index in range(files // at_once):
            name = str(place / f"{writer}-{index}")
            file = os.open(name + ".part", os.O_CREAT | os.O_WRONLY)
            os.write(file, body)
            os.fdatasync(file)
            os.close(file)
            os.rename(name + ".part", name)
            os.fsync(opened)

    took = in_threads(at_once, write)
    os.close(opened)
    shutil.rmtree(place)
    return files * size / MIB / took


def loopback(size=1024 * MIB):
    """MiB/s through one TCP connection of this machine to itself."""
    listener = socket.create_server(("127.0.0.1", 0))
    slice_ = bytes(256 << 10)

    def send(_):
        with socket.create_connection(listener.getsockname()) as out:
            for _ in range(size // len(slice_)):
                out.sendall(slice_)

    sender = threading.Thread(target=send, args=(0,))
    begun = time.monotonic()
    sender.start()
    taken, _ = listener.accept()
    buffer = bytearray(len(slice_))
    while taken.recv_into(buffer):
        pass
    took = time.monotonic() - begun
    sender.join()
    taken.close()
    listener.close()
    return size / MIB / took
