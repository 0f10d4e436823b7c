"""Two names exchanged in one step, so that whoever saves over a file knows what was there: nothing came in between."""

import ctypes
import os

AT_FDCWD, RENAME_NOREPLACE, RENAME_EXCHANGE = -100, 1, 2
LIBC = ctypes.CDLL(None, use_errno=True)


def rename_with(one, other, flags):
    if LIBC.renameat2(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), flags) != 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code), one)


def exchange(one, other):
    rename_with(one, other, RENAME_EXCHANGE)


def take_free_name(one, other):
    """FileExistsError where the name is taken."""
    rename_with(one, other, RENAME_NOREPLACE)
