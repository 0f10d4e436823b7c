"""Folders to sync: the same seed makes the same bytes."""

import random

NOTE_BYTES = 2048


def write_notes(folder, count, seed=1):
    """`count` notes of 2 KiB of text that does not compress away, in fifty folders."""
    source = random.Random(seed)
    for index in range(count):
        below = folder / f"folder {index % 50}"
        below.mkdir(parents=True, exist_ok=True)
        head = f"# note {index}\n"
        (below / f"note {index}.md").write_text(head + source.randbytes(NOTE_BYTES).hex()[:NOTE_BYTES - len(head)])
