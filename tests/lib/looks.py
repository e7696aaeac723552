"""What the checks of jobs that were killed, or ran in bad weather, have in common: looks at files, and waiting."""
import os
import stat
import time

PATIENCE = 60  # seconds until something that must happen has happened


def read(path):
    """The bytes of a file; none where it cannot be read, or is none: a pipe without a writer would not end."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return b""
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def wait_until(condition, between=0.01):
    """Whether the condition came true in time, looked at every so many seconds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(between)
    return True
