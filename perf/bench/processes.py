"""What the kernel counts of running processes."""

import os
import re
import resource
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
LISTENING = "0A"


def with_children(pid):
    out = [pid]
    for thread in Path(f"/proc/{pid}/task").iterdir():
        for child in (thread / "children").read_text().split():
            out += with_children(int(child))
    return out


def cpu_s(pids):
    total = 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        total += int(fields[11]) + int(fields[12])
    return total / TICKS


def ended_cpu_s():
    """Of the processes that this one began and has seen end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def status_mib(pids, line):
    texts = [Path(f"/proc/{pid}/status").read_text() for pid in pids]
    return sum(int(re.search(rf"{line}:\s+(\d+)", text).group(1)) for text in texts) / 1024


def rss_mib(pids):
    return status_mib(pids, "VmRSS")


def peak_mib(pids):
    return status_mib(pids, "VmHWM")


def disk_mib(folder):
    """What a folder's files take."""
    return sum(one.stat().st_blocks * 512 for one in folder.rglob("*") if one.is_file()) / 2**20


def forget_peak(pids):
    """Peaks are counted from here on, of processes that ran before the measurement."""
    for pid in pids:
        Path(f"/proc/{pid}/clear_refs").write_text("5")


def listening(port):
    """The process that listens on this machine's port, or none when it is not ours to see."""
    sockets = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == LISTENING and int(fields[1].rsplit(":", 1)[1], 16) == port:
                sockets.add(f"socket:[{fields[9]}]")
    for folder in Path("/proc").glob("[0-9]*/fd"):
        try:
            if any(os.readlink(one) in sockets for one in folder.iterdir()):
                return [int(folder.parent.name)]
        except OSError:
            pass
    return []
