"""The way Self-hosted LiveSync keeps a vault in CouchDB, on a CouchDB given by URL. It replicates a local
PouchDB: batches of 50 documents, of each batch first asked which are missing, then those stored with
revisions of the device's making, then a checkpoint. A file is a document of metadata, which names its
pieces, and a document for each piece. The other device reads the changes feed without pieces, fetches the
documents it tells of, and asks for the pieces they name by a hundred.

Pieces of text are kept as text and cut at 384 bytes here, which LiveSync's cuts by content come to on
average. All else is base64 and cut by content, between 256 KiB and 4 MiB, 1.25 MiB on average.

In LiveSync's favour: no encryption (its client derives keys, seals each document and encodes it once more),
no local database, no limit of size (it leaves out files above 50 MB unless told otherwise), and cheaper ways
to cut and to name pieces.
"""

import base64
import contextlib
import hashlib
import json
import mmap
import re
import time
from urllib.parse import quote, urlsplit

from bench import processes
from bench.peers.connection import Connection
from bench.server import Broken

BATCH, PIECES = 50, 100
DATABASE = "/obsync_perf"
TEXT_PIECE = 384  # what cuts of a probability of 1/256 after 128 bytes come to
LEAST, MOST = 256 << 10, 4 << 20
# Of random bytes, one place in a mebibyte is one of these.
CUT = re.compile(rb"\x17\x2a[\x00-\x0f]", re.DOTALL)
TEXTS = (".md", ".txt", ".canvas")
ASKED = "Content-Type: application/json\r\nAccept: application/json\r\n"
FILES = {"selector": {"type": {"$ne": "leaf"}}}


class LiveSync:
    name, straight = "livesync", False

    def __init__(self, args):
        if not args.couchdb:
            raise Broken("--couchdb URL of a CouchDB is needed, such as http://admin:password@127.0.0.1:5984")
        self.url, self.connection = args.couchdb, None
        self.known, self.revisions, self.sequence = {}, {}, 0  # the sending device
        self.laid, self.since = {}, 0  # the receiving one: where the pieces of its files lie
        self.checkpoints = {}

    def start(self, place, one, two, metered):
        self.one, self.two = one, two
        self.connection = Connection(self.url)
        self.call("DELETE", "", allowed=(404,))
        self.call("PUT", "")
        at = urlsplit(self.url)
        here = at.hostname in ("127.0.0.1", "localhost", "::1")
        self.serving = processes.listening(at.port or 5984) if here else []
        self.serving = self.serving and processes.with_children(self.serving[0])
        processes.forget_peak(self.serving)

    def call(self, method, path, body=None, allowed=()):
        sent = b"" if body is None else json.dumps(body).encode()
        return json.loads(self.connection.call(method, DATABASE + path, sent, ASKED, allowed))

    def send(self):
        batch = []
        for file in sorted(self.one.rglob("*")):
            if file.is_file() and self.known.get(file) != file.stat().st_mtime_ns:
                self.known[file] = file.stat().st_mtime_ns
                for document in self.documents(file):
                    batch.append(document)
                    if len(batch) == BATCH:
                        self.push(batch)
                        batch = []
        self.push(batch)

    def documents(self, file):
        """Those of a file that are new: its pieces, then the file itself."""
        children, text = [], file.suffix in TEXTS
        for piece in texts(file) if text else pieces(file):
            name = "h:" + hashlib.sha1(piece).hexdigest()[:13]
            children.append(name)
            if name not in self.revisions:
                yield self.revised({"_id": name, "type": "leaf",
                                    "data": piece.decode() if text else base64.b64encode(piece).decode()})
        path, about = str(file.relative_to(self.one)), file.stat()
        yield self.revised({"_id": path.lower(), "path": path, "type": "plain" if text else "newnote",
                            "children": children, "size": about.st_size, "ctime": int(about.st_ctime * 1000),
                            "mtime": int(about.st_mtime * 1000), "eden": {}})

    def revised(self, document):
        """With the next revision of its name, and the ones it comes from."""
        past = self.revisions.get(document["_id"], [])
        content = document.get("data") or repr(document)
        self.revisions[document["_id"]] = now = [hashlib.md5(content.encode()).hexdigest(), *past]
        return {**document, "_rev": f"{len(now)}-{now[0]}", "_revisions": {"start": len(now), "ids": now}}

    def push(self, batch):
        if not batch:
            return
        missing = self.call("POST", "/_revs_diff", {one["_id"]: [one["_rev"]] for one in batch})
        wanted = [one for one in batch if one["_id"] in missing]
        refused = self.call("POST", "/_bulk_docs", {"new_edits": False, "docs": wanted})
        if refused:
            raise Broken(f"couchdb did not take {refused[:3]}")
        self.sequence += len(batch)
        self.checkpoint("push", self.sequence)

    def checkpoint(self, which, last):
        said = self.call("PUT", f"/_local/{which}", {"last_seq": last, **self.checkpoints.get(which, {})})
        self.checkpoints[which] = {"_rev": said["rev"]}

    def receive(self):
        while True:
            page = self.call("POST", f"/_changes?filter=_selector&style=all_docs&limit={BATCH}"
                             f"&since={quote(str(self.since))}", FILES)
            if page["results"]:
                self.fetch([{"id": row["id"], "rev": row["changes"][0]["rev"]} for row in page["results"]])
                self.since = page["last_seq"]
                self.checkpoint("pull", self.since)
            if len(page["results"]) < BATCH:
                return

    def fetch(self, wanted):
        got = self.call("POST", "/_bulk_get?revs=true&latest=true", {"docs": wanted})
        files = [row["docs"][0]["ok"] for row in got["results"]]
        coming = self.fetched([name for file in files for name in file["children"]
                               if name not in self.laid.get(file["path"], {})])
        for file in files:
            self.assemble(file, coming)

    def fetched(self, names):
        for at in range(0, len(names), PIECES):
            said = self.call("POST", "/_all_docs?include_docs=true", {"keys": names[at:at + PIECES]})
            yield from (row["doc"]["data"] for row in said["rows"])

    def assemble(self, file, coming):
        """Pieces that this device has come from its file, as LiveSync takes them from its own database."""
        to = self.two / file["path"]
        to.parent.mkdir(parents=True, exist_ok=True)
        beside, old, now = to.with_name(to.name + ".new"), self.laid.get(file["path"], {}), {}
        with open(beside, "wb") as new, open(to if old else "/dev/null", "rb") as known:
            for name in file["children"]:
                if name in old:
                    known.seek(old[name][0])
                    piece = known.read(old[name][1])
                else:
                    data = next(coming)
                    piece = data.encode() if file["type"] == "plain" else base64.b64decode(data)
                now[name] = new.tell(), len(piece)
                new.write(piece)
        beside.rename(to)
        self.laid[file["path"]] = now

    def sent_mib(self):
        return self.connection.sent / 2**20

    def cpu_s(self):
        server = processes.cpu_s(self.serving)
        return self.serving and {"server": server, "both ends": server + time.process_time()}

    def memory_mib(self):
        return self.serving and {"server, peak": processes.peak_mib(self.serving),
                                 "server, afterwards": processes.rss_mib(self.serving)}

    def disk_mib(self):
        """As CouchDB counts it, before it compacts."""
        return self.call("GET", "").get("sizes", {}).get("file", 0) / 2**20

    def stop(self):
        if self.connection:
            with contextlib.suppress(Broken):  # it may be what broke
                self.call("DELETE", "", allowed=(404,))
            self.connection.close()


def texts(file):
    body = file.read_bytes()
    return [body[at:at + TEXT_PIECE] for at in range(0, len(body), TEXT_PIECE)]


def pieces(file):
    if file.stat().st_size == 0:
        return
    with open(file, "rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as body:
        at = 0
        while at < len(body):
            found = CUT.search(body, at + LEAST, at + MOST)
            end = found.end() if found else min(at + MOST, len(body))
            yield body[at:end]
            at = end
