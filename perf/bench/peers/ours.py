"""obsync as one peer among the others: a server and two devices."""

from bench import processes
from bench.link import Link


class Ours:
    name, straight = "obsync", False

    def __init__(self, run):
        self.run, self.server, self.client, self.link, self.peak_mib = run, None, None, None, 0

    def start(self, place, one, two, metered):
        """The link, through which a metered device speaks, costs time: only small amounts are sent metered
        and timed."""
        self.server = self.run.fresh()
        self.link = Link(self.server.url) if metered else None
        self.client = self.run.client(self.server, self.link.url if metered else None)
        self.one, self.two = one, two
        self.client.init("one", one, self.server.setup_token())
        self.client.let_in("one", one, "two", two, self.server.url)

    def send(self):
        self.sync("one", self.one)

    def receive(self):
        self.sync("two", self.two)

    def sync(self, name, folder):
        self.client.sync(name, folder)
        self.peak_mib = max(self.peak_mib, self.client.peak_mib)

    def sent_mib(self):
        return self.link.sent / 2**20

    def cpu_s(self):
        server = self.server.stat()["cpu_s"]
        return {"server": server, "both ends": server + processes.ended_cpu_s()}

    def memory_mib(self):
        stat = self.server.stat()
        return {"server, peak": stat["peak_mib"], "server, afterwards": stat["rss_mib"],
                "device, peak": self.peak_mib}

    def disk_mib(self):
        return self.server.disk_mib()

    def stop(self):
        if self.link:
            self.link.close()
        if self.server in self.run.servers:
            self.run.end(self.server)
