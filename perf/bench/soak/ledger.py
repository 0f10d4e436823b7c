"""What the people of one account wrote, and what they took away themselves. Everything else must still be there.

Each edit leaves a mark of its own in the file it touches. Whoever overwrites or deletes a file has read it before: the
marks it held then were taken away by hand.
"""

import re

MARK = re.compile(rb"mark:([0-9a-f]{12});")


def marks_in(body):
    return set(MARK.findall(body))


class Ledger:
    def __init__(self):
        self.written = {}  # mark -> where it was written, for a report
        self.taken = set()

    def fresh(self, source, where):
        mark = b"%012x" % source.getrandbits(48)
        self.written[mark] = where
        return mark

    def take_away(self, marks):
        self.taken |= marks

    def lost(self, present):
        """Marks that nobody took away and that are nowhere, with where they were written."""
        return {mark: where for mark, where in self.written.items() if mark not in self.taken and mark not in present}
