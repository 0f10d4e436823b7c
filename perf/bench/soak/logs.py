"""What the programs wrote that no weather explains."""

import re

# While disks are full, and while the server starts or stops.
EXPLAINED = re.compile(
    r"status=50[37] .*decision=(not_ready|volume_full|storage_full|journal_full|overloaded|body_incomplete)|kind=no_space")


def unexplained(world):
    """Lines of level error of the server that were not looked at before."""
    out = []
    for log in sorted(world.folder.glob("server.*.log")):
        read = world.log_ends.get(log, 0)
        with open(log, encoding="utf-8", errors="replace") as file:
            file.seek(read)
            lines = file.readlines()
            world.log_ends[log] = file.tell()
        out += [line.strip() for line in lines if "level=error" in line and not EXPLAINED.search(line)]
    return out
