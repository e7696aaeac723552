"""Reads files and waits, for checks of jobs that were killed or that ran on a system in bad shape."""
import os
import stat
import time

PATIENCE = 60  # seconds to wait for an event that must happen


def read(path):
    """Returns the bytes of a file, or no bytes if it cannot be read or is not a regular file. Reading a pipe without a
    writer would hang."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b""
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def wait_until(condition, between=0.01):
    """Whether the condition became true in time. It is checked every `between` seconds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(between)
    return True
