"""The way Self-hosted LiveSync keeps a vault in CouchDB, on a CouchDB given by URL: a document of metadata for each file, its content
cut into chunk documents as base64 text named by their hash, both written in batches of 50, and the changes feed read to receive.

Encryption, which LiveSync does in its client, is left out, and its chunks are cut at a fixed size here: both favour it.
"""

import base64
import hashlib
import http.client
import json
import urllib.parse

from bench.server import Broken

BATCH = 50
CHUNK_BYTES = 100 << 10


class LiveSync:
    name = "livesync"

    def __init__(self, args):
        if not args.couchdb:
            raise Broken("--couchdb URL of a CouchDB is needed, such as http://admin:password@127.0.0.1:5984")
        self.base = urllib.parse.urlsplit(args.couchdb)
        self.revisions, self.chunks, self.known = {}, set(), {}

    def start(self, folder):
        self.revisions, self.chunks, self.known = {}, set(), {}
        self.connection = http.client.HTTPConnection(self.base.hostname, self.base.port or 5984)
        self.call("DELETE", "", allowed=(404,))
        self.call("PUT", "")

    def call(self, method, path, body=None, allowed=()):
        headers = {"Content-Type": "application/json"}
        if self.base.username:
            both = f"{self.base.username}:{self.base.password}".encode()
            headers["Authorization"] = "Basic " + base64.b64encode(both).decode()
        self.connection.request(method, "/obsync_perf" + path, None if body is None else json.dumps(body), headers)
        answer = self.connection.getresponse()
        said = answer.read()
        if answer.status >= 400 and answer.status not in allowed:
            raise Broken(f"couchdb: {method} {path}: {answer.status} {said[:200]!r}")
        return json.loads(said)

    def put(self, documents):
        for at in range(0, len(documents), BATCH):
            batch = documents[at:at + BATCH]
            for asked, done in zip(batch, self.call("POST", "/_bulk_docs", {"docs": batch})):
                if "rev" not in done:
                    raise Broken(f"couchdb did not take {asked['_id']}: {done}")
                self.revisions[asked["_id"]] = done["rev"]

    def send(self, folder):
        documents = []
        for one in sorted(folder.rglob("*")):
            if not one.is_file() or self.known.get(one) == one.stat().st_mtime_ns:
                continue
            self.known[one] = one.stat().st_mtime_ns
            documents += self.file_documents(folder, one)
            if len(documents) >= BATCH:
                self.put(documents)
                documents = []
        self.put(documents)

    def file_documents(self, folder, one):
        body, children, out = one.read_bytes(), [], []
        for at in range(0, max(len(body), 1), CHUNK_BYTES):
            part = body[at:at + CHUNK_BYTES]
            name = "h:" + hashlib.sha1(part).hexdigest()
            children.append(name)
            if name not in self.chunks:
                self.chunks.add(name)
                out.append({"_id": name, "type": "leaf", "data": base64.b64encode(part).decode()})
        path, about = str(one.relative_to(folder)), one.stat()
        note = {"_id": path, "path": path, "type": "newnote", "children": children, "size": about.st_size,
                "ctime": int(about.st_ctime * 1000), "mtime": int(about.st_mtime * 1000), "eden": {}}
        if path in self.revisions:
            note["_rev"] = self.revisions[path]
        return [*out, note]

    def receive(self, folder):
        since = 0
        while True:
            page = self.call("GET", f"/_changes?include_docs=true&limit=500&since={urllib.parse.quote(str(since))}")
            notes = [row["doc"] for row in page["results"] if row.get("doc", {}).get("type") == "newnote"]
            self.write(folder, notes)
            if not page["results"]:
                return
            since = page["last_seq"]

    def write(self, folder, notes):
        """Chunks are asked for when a note names them, in batches."""
        for note in notes:
            to = folder / note["path"]
            to.parent.mkdir(parents=True, exist_ok=True)
            with open(to, "wb") as file:
                for at in range(0, len(note["children"]), BATCH):
                    found = self.call("POST", "/_all_docs?include_docs=true", {"keys": note["children"][at:at + BATCH]})
                    for row in found["rows"]:
                        file.write(base64.b64decode(row["doc"]["data"]))

    def pids(self):
        return []  # somebody else's; its own tools tell

    def disk(self):
        return self.call("GET", "")["sizes"]["file"] / 2**20

    def stop(self):
        self.call("DELETE", "")
        self.connection.close()
