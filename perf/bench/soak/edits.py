"""What people do in their folders, one thing at a time."""

import contextlib
import os
import time

from bench.soak import swap, tree
from bench.soak.ledger import marks_in

NOTE_BYTES = (200, 8_000)
PHOTO_BYTES = (200_000, 6_000_000)
FILM_BYTES = (8_000_000, 24_000_000)
FEW_FILES = 90  # where there are more, more is deleted than written
KEPT_MARKS = 5
PAUSE_IN_SAVE_S = 0.3
KINDS = ["write"] * 6 + ["edit"] * 10 + ["save in place"] * 2 + ["rename"] * 3 + ["copy", "undo", "empty file", "photo", "photo"]
KINDS += ["rename by case", "move folder", "folder for file", "swap names"] + ["delete"] * 2
FILM_SHARE = 0.05  # of the photos

# Names that programs get wrong: composed and decomposed letters, signs beyond the basic plane, spaces, dots, long ones.
WORDS = ["plain", "with space", "caf\u00e9", "cafe\u0301", "\U0001f9ad\U0001f468\u200d\U0001f469\u200d\U0001f467", "two..dots",
         "100% #1 & 'quoted'", "\u65e5\u672c\u8a9e", "long " + "n" * 120, "\u05e9\u05dc\u05d5\u05dd"]


class Editor:
    """One person at one device. What it does is drawn from `source`; what it takes away is told to the ledger, exactly."""

    def __init__(self, folder, name, ledger, source):
        self.folder, self.name, self.ledger, self.source = folder, name, ledger, source
        self.aside = os.path.join(os.path.dirname(folder), "aside")  # on the same file system, seen by nobody
        self.count, self.undone, self.fresh = 0, b"", set()

    def act(self):
        """Does one thing; what it was."""
        files = sorted(tree.files_below(self.folder))
        kind = self.source.choice(KINDS if len(files) < FEW_FILES else KINDS + ["delete"] * 8)
        if kind in ("write", "photo", "empty file") or not files:
            return self.told(self.write, kind)
        return self.do(kind, self.source.choice(files))

    def do(self, kind, path):
        return self.told(getattr(self, kind.replace(" ", "_")), path) or kind

    def told(self, act, what):
        """`act(what)`. Where it fails, what it would have written is not missed."""
        self.count += 1
        self.fresh = set()
        try:
            return act(what)
        except OSError:  # somebody else's change came in first, or the disk is full
            self.ledger.take_away(self.fresh)
            return "nothing"

    def place(self, ending):
        """A name nobody has taken."""
        above = os.path.join(self.folder, *(f"folder {self.source.randrange(6)}"
                                            for _ in range(self.source.randrange(3))))
        os.makedirs(above, exist_ok=True)
        return os.path.join(above, f"{self.name} {self.count} {self.source.choice(WORDS)}{ending}")

    def mark(self, path):
        mark = self.ledger.fresh(self.source, f"{self.name}: {os.path.relpath(path, self.folder)}")
        self.fresh.add(mark)
        return b"mark:%s;\n" % mark

    @contextlib.contextmanager
    def saved_beside(self, path, body):
        """A hidden file beside, gone afterwards unless it was given the name."""
        beside = os.path.join(os.path.dirname(path), f".{self.name}.saving")
        try:
            with open(beside, "wb") as file:
                file.write(body)
            yield beside
        finally:
            if os.path.exists(beside):
                os.remove(beside)

    def take_out(self, path):
        """Removes a file; what it held in that moment."""
        os.rename(path, self.aside)
        gone = tree.read(self.aside)
        os.remove(self.aside)
        return gone

    def put(self, path, body):
        """As editors save: beside, then in its place."""
        with self.saved_beside(path, body) as beside:
            swap.exchange(beside, path)
            self.ledger.take_away(marks_in(tree.read(beside)) - marks_in(body))

    def write(self, kind):
        path = self.place(".jpg" if kind == "photo" else ".md")
        if kind == "empty file":
            body = b""
        elif kind == "photo":
            sizes = FILM_BYTES if self.source.random() < FILM_SHARE else PHOTO_BYTES
            body = self.mark(path) + self.source.randbytes(self.source.randrange(*sizes))
        else:
            kind, body = "write", self.mark(path) + self.note()
        with self.saved_beside(path, body) as beside:
            swap.take_free_name(beside, path)
        return kind

    def note(self):
        return self.source.randbytes(self.source.randrange(*NOTE_BYTES)).hex().encode()

    def next_body(self, path, before):
        """A new mark, and the last few of those before."""
        kept = b"".join(b"mark:%s;\n" % one for one in sorted(marks_in(before))[-KEPT_MARKS:])
        return self.mark(path) + kept + self.note()

    def edit(self, path):
        before = tree.read(path)
        if before is None:
            raise FileNotFoundError
        self.undone = before if len(before) < PHOTO_BYTES[0] else b""
        self.put(path, self.next_body(path, before))

    def save_in_place(self, path):
        """As simple programs save: emptied, then written in two halves."""
        with open(path, "r+b") as file:
            before = file.read()
            body = self.next_body(path, before)
            file.seek(0)
            file.truncate()
            self.ledger.take_away(marks_in(before) - marks_in(body))
            file.write(body[:len(body) // 2])
            file.flush()
            time.sleep(self.source.random() * PAUSE_IN_SAVE_S)
            file.write(body[len(body) // 2:])
            file.flush()
            if os.fstat(file.fileno()).st_nlink == 0:
                # It was deleted while it was open: no program can keep that from happening.
                self.ledger.take_away(marks_in(body))
                return "save in place of what goes"
        return None

    def undo(self, path):
        """A body that was there before, over whatever is there now."""
        if not self.undone:
            return "nothing"
        self.put(path, self.undone)
        return None

    def rename(self, path):
        swap.take_free_name(path, self.place(os.path.splitext(path)[1]))

    def rename_by_case(self, path):
        above, name = os.path.split(path)
        if name == name.swapcase():
            return "nothing"
        swap.take_free_name(path, os.path.join(above, name.swapcase()))
        return None

    def swap_names(self, path):
        other = self.source.choice(sorted(tree.files_below(self.folder)))
        if other == path:
            return "nothing"
        swap.exchange(path, other)
        return None

    def copy(self, path):
        body = tree.read(path)
        if body is None:
            return "nothing"
        to = self.place(os.path.splitext(path)[1])
        with self.saved_beside(to, body) as beside:
            swap.take_free_name(beside, to)
        return None

    def move_folder(self, path):
        above = os.path.dirname(path)
        if above == self.folder:
            return "nothing"
        os.rename(above, os.path.join(self.folder, f"{self.name} moved {self.count}"))
        return None

    def folder_for_file(self, path):
        """A folder that has the file's name and holds it."""
        os.rename(path, self.aside)
        try:
            os.mkdir(path)
            os.rename(self.aside, os.path.join(path, "inside.md"))
        except OSError:
            self.ledger.take_away(marks_in(tree.read(self.aside)))
            raise

    def delete(self, path):
        self.ledger.take_away(marks_in(self.take_out(path)))
