"""What every folder looked like at a rest, asked of the server's history at a later one."""

import shutil
import time
from datetime import datetime, timezone

from bench.soak import tree

KEPT = 4


def remember(world, looked):
    """The next full second: what is exported as it was then is what is there now."""
    time.sleep(1.1)
    now = datetime.fromtimestamp(int(time.time()), timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    world.moments[now] = {account: seen[0][0] for account, seen in looked.items()}
    while len(world.moments) > KEPT:
        del world.moments[next(iter(world.moments))]


def wrong(world):
    """Exports one of the moments for each account; what differs, or nothing."""
    if not world.moments:
        return ""
    moment = world.source.choice(sorted(world.moments))
    for account in world.accounts:
        before = world.moments[moment][account.name]
        out = world.folder / "export"
        shutil.rmtree(out, ignore_errors=True)
        done = account.devices[0].call("export", "--at", moment, account.devices[0].folder, out, allow_failure=True)
        then = tree.look(out)[0]
        odd = sorted(path for path in before.keys() | then.keys() if before.get(path) != then.get(path))
        if odd or done.returncode != 0:
            return (f"{account.name}: exported as it was at {moment}, {len(odd)} paths differ, such as {odd[:3]}; "
                    f"it said {done.stdout[-300:]}{done.stderr[-300:]}; in {out}")
    return ""
