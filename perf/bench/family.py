"""Ten years of a family, written straight into a stopped server's store: 1.26 million versions of 30,000 notes.

Every value is a function of a row's number and of the anchor, the day the ten years end on: the same anchor makes
the same store. Layout: docs/format.md.
"""

import hashlib
import sqlite3
from datetime import datetime, timezone

DAYS = 3650
VERSIONS_A_DAY = 345
VERSIONS_A_FILE = 42
NOTE_BYTES = 2048
OLD_BYTES = 64  # chunks of versions that others followed: their bodies are never asked for
MANIFEST_BYTES = 300
DOMAIN = bytes([1]) + bytes(15)
DAY_MS = 86_400_000
BATCH = 20_000


def number(*parts):
    """A 64-bit value that only the parts decide."""
    return int.from_bytes(hashlib.blake2b(repr(parts).encode(), digest_size=8).digest(), "big")


def stream(size, *parts):
    return hashlib.shake_128(repr(parts).encode()).digest(size)


def files_of(days):
    """For each version, in the order they came in, the number of its file: recent files change most."""
    for row in range(days * VERSIONS_A_DAY):
        made = row // VERSIONS_A_FILE
        if row % VERSIONS_A_FILE == 0:
            yield made
        else:
            share = number("file", row) / 2**64
            yield made - int(made * share**3)


def rows(files, anchor_ms, devices):
    """Versions as (row, file id, file, id, twin, device, ts, nonce, parents, manifest, sid, body)."""
    last_of = {file: row for row, file in enumerate(files)}
    heads = {}
    for row, file in enumerate(files):
        file_id = stream(16, "file id", file)
        size = NOTE_BYTES if last_of[file] == row else OLD_BYTES
        body, manifest = stream(size, "body", row), stream(MANIFEST_BYTES, "manifest", row)
        sid = hashlib.sha256(body).digest()
        parents = heads.get(file, b"")
        version = hashlib.sha256(file_id + parents + manifest + sid).digest()
        twin = int.from_bytes(hashlib.sha256(parents + b"\0" + sid).digest()[:8], "big", signed=True)
        heads[file] = version
        day = DAYS - len(files) // VERSIONS_A_DAY + row // VERSIONS_A_DAY
        ts_ms = anchor_ms - (DAYS - day) * DAY_MS + row % VERSIONS_A_DAY * (DAY_MS // VERSIONS_A_DAY)
        yield (row, file_id, file, version, twin, devices[row % len(devices)], ts_ms, stream(12, "nonce", row),
               parents, manifest, sid, body)


def seed(store, anchor, days=DAYS, told=lambda done: None):
    """Fills the one account of the store in `store` (a Server's folder). `anchor`: YYYY-MM-DD."""
    anchor_ms = int(datetime.fromisoformat(anchor).replace(tzinfo=timezone.utc).timestamp() * 1000)
    catalog = sqlite3.connect(store / "journal/v1/catalog.db")
    small = sqlite3.connect(store / "blobs/v1/small.db")
    for one in (catalog, small):
        one.execute("PRAGMA synchronous = OFF")  # nobody serves it; it is flushed when it is closed
    account, account_id = catalog.execute("SELECT num, id FROM account").fetchone()
    devices = [row[0] for row in catalog.execute("SELECT num FROM device")]
    small.execute("INSERT OR IGNORE INTO account (id) VALUES (?)", (account_id,))
    owner = small.execute("SELECT num FROM account WHERE id = ?", (account_id,)).fetchone()[0]
    files, latest, stored = list(files_of(days)), {}, 0
    versions, chunks = [], []

    def flush():
        # New files first: a version refers to its own.
        catalog.executemany("INSERT INTO file (num, account, id, domain, latest_ms, heads) VALUES (?,?,?,?,?,?) "
                            "ON CONFLICT (num) DO UPDATE SET latest_ms = excluded.latest_ms, heads = excluded.heads",
                            [(file + 1, account, file_id, DOMAIN, ts, head) for file, (file_id, ts, head)
                             in latest.items()])
        catalog.executemany("INSERT INTO version (account, seq, file, id, twin, device, ts_ms, bytes, deleted, "
                            "manifest_nonce, parents, manifest_ct, sids) VALUES (?,?,?,?,?,?,?,?,0,?,?,?,?)", versions)
        small.executemany("INSERT INTO chunk (account, sid, stored_ms, body) VALUES (?,?,?,?)", chunks)
        for batch in (latest, versions, chunks):
            batch.clear()

    for row, file_id, file, version, twin, device, ts_ms, nonce, parents, manifest, sid, body in rows(
            files, anchor_ms, devices):
        latest[file] = (file_id, ts_ms, version)
        versions.append((account, row + 1, file + 1, version, twin, device, ts_ms, len(body), nonce, parents,
                         manifest, sid))
        chunks.append((owner, sid, ts_ms, body))
        stored += len(body)
        if len(versions) == BATCH:
            flush()
            told(row + 1)
    flush()
    catalog.execute("UPDATE account SET head = ? WHERE num = ?", (len(files), account))
    small.execute("UPDATE account SET used_bytes = used_bytes + ? WHERE num = ?", (stored, owner))
    for one in (catalog, small):
        one.commit()
        one.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        one.close()
    return len(files)
