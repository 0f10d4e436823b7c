"""What people do in their folders, one thing at a time."""

import os
import shutil

from bench.soak import tree
from bench.soak.ledger import marks_in

NOTE_BYTES = (200, 8_000)
PHOTO_BYTES = (200_000, 6_000_000)
KINDS = ["write"] * 6 + ["edit"] * 10 + ["photo"] * 2 + ["rename"] * 3 + ["move folder"] + ["delete"] * 2


class Editor:
    """One person at one device. What it does is drawn from `source`."""

    def __init__(self, folder, name, ledger, source):
        self.folder, self.name, self.ledger, self.source = folder, name, ledger, source
        self.count = 0

    def act(self):
        """Does one thing; what it was."""
        kind = self.source.choice(KINDS)
        files = sorted(tree.files_below(self.folder))
        self.count += 1
        if kind in ("write", "photo") or not files:
            return self.write(kind)
        path = self.source.choice(files)
        return {"edit": self.edit, "rename": self.rename, "move folder": self.move_folder,
                "delete": self.delete}[kind](path)

    def place(self, ending):
        above = os.path.join(self.folder, *(f"folder {self.source.randrange(6)}"
                                            for _ in range(self.source.randrange(3))))
        os.makedirs(above, exist_ok=True)
        return os.path.join(above, f"{self.name} {self.count}{ending}")

    def mark(self, path):
        return b"mark:%s;\n" % self.ledger.fresh(self.source, f"{self.name}: {os.path.relpath(path, self.folder)}")

    def put(self, path, body):
        """As editors save: beside, then in its place."""
        beside = os.path.join(os.path.dirname(path), f".{self.name}.saving")
        with open(beside, "wb") as file:
            file.write(body)
        os.replace(beside, path)

    def write(self, kind):
        path = self.place(".md" if kind != "photo" else ".jpg")
        low, high = NOTE_BYTES if kind != "photo" else PHOTO_BYTES
        body = self.source.randbytes(self.source.randrange(low, high))
        self.put(path, self.mark(path) + (body if kind == "photo" else body.hex().encode()))
        return kind

    def edit(self, path):
        before = tree.read(path)
        if before is None or len(before) > PHOTO_BYTES[1]:
            return "nothing"
        kept = b"".join(b"mark:%s;\n" % one for one in sorted(marks_in(before))[-5:])
        body = self.mark(path) + kept + self.source.randbytes(self.source.randrange(*NOTE_BYTES)).hex().encode()
        # What came in since it was read would be overwritten unseen; an editor would ask now.
        if tree.read(path) != before:
            return "nothing"
        self.put(path, body)
        self.ledger.take_away(marks_in(before) - marks_in(body))
        return "edit"

    def rename(self, path):
        to = self.place(os.path.splitext(path)[1])
        if os.path.exists(to):
            return "nothing"
        try:
            os.rename(path, to)
        except FileNotFoundError:
            return "nothing"
        return "rename"

    def move_folder(self, path):
        above = os.path.dirname(path)
        if above == self.folder:
            return "nothing"
        to = os.path.join(self.folder, f"{self.name} moved {self.count}")
        try:
            shutil.move(above, to)
        except (FileNotFoundError, shutil.Error):
            return "nothing"
        return "move folder"

    def delete(self, path):
        before = tree.read(path)
        try:
            os.remove(path)
        except FileNotFoundError:
            return "nothing"
        self.ledger.take_away(marks_in(before or b""))
        return "delete"
