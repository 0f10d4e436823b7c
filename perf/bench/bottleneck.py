"""One slow, lossy link before all devices, made by the kernel: packets are lost, and TCP itself repairs it."""

import ipaddress
import os
import re
import shutil
import subprocess

from bench.server import LeftOut

# What the router holds back before it drops. The only delay, for the kernels at hand have no netem.
QUEUE = "100ms"
BENCHMARKING = ipaddress.ip_network("198.18.0.0/16")  # RFC 2544's addresses, which nobody else has


class Bottleneck:
    """The host, a router and the devices' side, the latter two in network namespaces of their own. `rate`: bits a
    second in each direction. `loss`: the share of packets that the router loses, in each direction. A server or relay
    that listens on `address` is reached by programs begun with the words `under`."""

    def __init__(self, rate, loss):
        if missing := what_is_missing():
            raise LeftOut(missing)
        number = os.getpid()
        self.router, self.devices = f"obsync-router-{number}", f"obsync-devices-{number}"
        self.uplink = f"obsync-{number}"
        self.under = ["ip", "netns", "exec", self.devices]
        first = BENCHMARKING[number * 8 % BENCHMARKING.num_addresses]
        self.address, up, down, device = (str(first + offset) for offset in (1, 2, 5, 6))
        try:
            self.connect(up, down, device, f"{first + 4}/30")
            self.shape(rate, loss)
        except subprocess.CalledProcessError as why:
            self.close()
            raise LeftOut(f"this kernel has no such link: {why.stderr.strip()}") from why

    def connect(self, up, down, device, beyond):
        for name in (self.router, self.devices):
            call("ip", "netns", "add", name)
        # Segments leave one by one: of larger units the router would lose dozens at once.
        single = ["gso_max_segs", "1"]
        call("ip", "link", "add", "dev", self.uplink, *single, "type", "veth", "peer", "name", "up", "netns",
             self.router)
        call("ip", "-n", self.router, "link", "add", "dev", "down", "type", "veth", "peer", "name", "eth0", "netns",
             self.devices)
        call("ip", "-n", self.devices, "link", "set", "dev", "eth0", *single)
        for where, name, address in ((None, self.uplink, self.address), (self.router, "up", up),
                                     (self.router, "down", down), (self.devices, "eth0", device)):
            within = ["-n", where] if where else []
            call("ip", *within, "address", "add", f"{address}/30", "dev", name)
            call("ip", *within, "link", "set", "dev", name, "up")
        call("ip", "route", "add", beyond, "via", up)
        call("ip", "-n", self.devices, "route", "add", "default", "via", down)
        call("ip", "netns", "exec", self.router, "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")

    def shape(self, rate, loss):
        for name in ("up", "down"):
            call("tc", "-n", self.router, "qdisc", "add", "dev", name, "root", "tbf", "rate", str(rate),
                 "burst", "16kb", "latency", QUEUE)
        call("ip", "netns", "exec", self.router, "nft", "-f", "-", given=f"""
table ip router {{
  counter came {{ }}
  counter lost {{ }}
  chain forward {{
    type filter hook forward priority 0
    counter name came
    numgen random mod 10000 < {round(loss * 10000)} counter name lost drop
  }}
}}
""")

    def packets(self):
        """Those that came to the router, and those of them it lost by chance."""
        told = call("ip", "netns", "exec", self.router, "nft", "list", "counters")
        counted = dict(re.findall(r"counter (\w+) \{\s*packets (\d+)", told))
        return int(counted["came"]), int(counted["lost"])

    def heal(self):
        """From now on as fast as the machine, and nothing is lost."""
        call("ip", "netns", "exec", self.router, "nft", "flush", "ruleset")
        for name in ("up", "down"):
            call("tc", "-n", self.router, "qdisc", "del", "dev", name, "root")

    def close(self):
        # The links end with their namespaces.
        for name in (self.router, self.devices):
            subprocess.run(["ip", "netns", "del", name], capture_output=True, check=False)


def call(*words, given=None):
    return subprocess.run(words, input=given, capture_output=True, text=True, check=True).stdout


def what_is_missing():
    if os.geteuid() != 0:
        return "not root"
    return next((f"no {program}" for program in ("ip", "tc", "nft") if not shutil.which(program)), None)
