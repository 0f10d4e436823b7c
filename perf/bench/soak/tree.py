"""A folder as a person sees it: names and bytes."""

import hashlib
import os

from bench.soak.ledger import marks_in


def files_below(folder):
    """Visible files, without what a client is still writing."""
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if not name.startswith("."):
                yield os.path.join(above, name)


def read(path):
    """Nothing where it has gone meanwhile."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None


def look(folder):
    """Hashes by path, and every mark in them."""
    hashes, marks = {}, set()
    for path in files_below(folder):
        body = read(path)
        if body is not None:
            hashes[os.path.relpath(path, folder)] = hashlib.sha256(body).hexdigest()
            marks |= marks_in(body)
    return hashes, marks
