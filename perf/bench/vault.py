"""Folders to sync: the same seed makes the same bytes."""

import random
import struct

NOTE_BYTES = 2048
MIB = 1 << 20


def write_notes(folder, count, seed=1):
    """`count` notes of 2 KiB of text that does not compress away, in fifty folders."""
    source = random.Random(seed)
    for index in range(count):
        below = folder / f"folder {index % 50}"
        below.mkdir(parents=True, exist_ok=True)
        head = f"# note {index}\n"
        (below / f"note {index}.md").write_text(head + source.randbytes(NOTE_BYTES).hex()[:NOTE_BYTES - len(head)])


def write_noise(path, size, seed=1):
    """A file of bytes that neither repeat nor compress, as archives and films are."""
    source = random.Random(seed)
    with open(path, "wb") as file:
        for at in range(0, size, MIB):
            file.write(source.randbytes(min(MIB, size - at)))


def write_sparse(path, size):
    """A file that takes little room here and none of whose chunks is another's: a number in each 64 KiB, else holes."""
    with open(path, "wb") as file:
        file.truncate(size)
        for at in range(0, size, 64 << 10):
            file.seek(at)
            file.write(struct.pack("<Q", at + 1))


def write_family(folder, size, seed=1):
    """About `size` bytes as a family has them: of the bytes 2 % notes, 60 % pictures, 25 % sound, 13 % archives."""
    source = random.Random(seed)
    kinds = [("notes", ".md", 0.02, 500, 6_000), ("pictures", ".jpg", 0.60, 200_000, 6 * MIB),
             ("sound", ".m4a", 0.25, MIB, 12 * MIB), ("archives", ".zip", 0.13, 8 * MIB, 64 * MIB)]
    made = 0
    for name, ending, share, low, high in kinds:
        left, number = int(size * share), 0
        while left > 0:
            below = folder / name / f"{number // 100}"
            below.mkdir(parents=True, exist_ok=True)
            length = min(left, source.randrange(low, high))
            body = source.randbytes(length // 2).hex().encode() if ending == ".md" else source.randbytes(length)
            (below / f"{name} {number}{ending}").write_bytes(body)
            left, number, made = left - length, number + 1, made + len(body)
    return made
