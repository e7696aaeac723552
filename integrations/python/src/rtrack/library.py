# SPDX-License-Identifier: Apache-2.0
"""Calls the functions that librtrack.so provides to the program into which it is loaded"""

import contextlib
import ctypes
import functools
import os
import warnings

from .places import loaded, path

FUNCTIONS = ("rtrack_mark", "rtrack_flush", "rtrack_stop")
stopped = False  # stop() has ended the tracking of this process


def call(name, *arguments):
    """Calls a function of the library. Returns True if the library is loaded and the function succeeded."""
    try:
        # CDLL(None) searches all loaded libraries. If the library's file had been replaced, a handle by path would load
        # it again.
        return getattr(ctypes.CDLL(None), name)(*arguments) == 0
    except (AttributeError, OSError):
        return False


def mark(label):
    """Sets a mark: writes a row of mark.csv with this text. Returns True if the row was written."""
    text = str(label).replace("\0", " ").encode("utf-8", "replace")
    return call("rtrack_mark", ctypes.c_char_p(text))


def flush():
    """Writes a row of every table now. Returns False if this process has no sampler, as under rtrack-run."""
    return call("rtrack_flush")


def stop():
    """Ends the tracking of this process. Returns True if it was tracked. start() then begins another run."""
    global stopped
    tracked = call("rtrack_stop")
    stopped = stopped or tracked
    return tracked


def record_exits(library):
    """Replaces os._exit by a function that records the end of the process.

    multiprocessing and Airflow end their processes by os._exit, which calls _exit of the C library. A library that is
    loaded later cannot intercept this call. The _exit of librtrack.so writes the record, and then ends the process.
    """
    real = os._exit

    @functools.wraps(real)
    def _exit(status):
        if isinstance(status, int) and -(1 << 31) <= status < 1 << 31:
            library._exit(status)
        real(status)

    os._exit = _exit


@contextlib.contextmanager
def variables(settings):
    """Sets environment variables for the library. Child processes inherit the values that the program had set."""
    before = {name: os.environ.get(name) for name in settings}
    os.environ.update({name: str(value) for name, value in settings.items() if value is not None})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def start(job=None, interval=None, spool=None, tags=None):
    """Tracks this process from now on, and returns the directory of its run.

    Returns None if RTRACK=off is set. If the library is not installed or the run could not be made, warns and returns
    None. After stop(), begins another run. A process that is already tracked stays in its run, and the arguments are
    ignored. The arguments set RTRACK_JOB, RTRACK_INTERVAL, RTRACK_SPOOL and RTRACK_TAGS.
    """
    global stopped
    settings = {
        "RTRACK_JOB": job,
        "RTRACK_INTERVAL": interval,
        "RTRACK_SPOOL": spool,
        "RTRACK_TAGS": "".join(f"\n{key}={value}" for key, value in tags.items()) if tags else None,
    }
    if not loaded():
        try:
            with variables(settings):
                # PyDLL keeps the interpreter's lock, so no other thread of Python runs while the process ends.
                library = ctypes.PyDLL(path(), mode=ctypes.RTLD_GLOBAL)
        except OSError as error:  # it is missing, or it is for another machine or C library
            warnings.warn(f"rtrack.start: this process is not tracked: {error}", stacklevel=2)
            return None
        if current():
            record_exits(library)
    elif current() is None and os.environ.get("RTRACK") != "off":
        with variables(settings):
            begun = call("rtrack_start")
        if begun:
            stopped = False
        else:
            warnings.warn("rtrack.start: no run can begin in this process", stacklevel=2)
    return current()


def parent_of(pid):
    with open(f"/proc/{pid}/stat", "rb") as file:
        return int(file.read().rpartition(b")")[2].split()[1])


def start_of(pid):
    with open(f"/proc/{pid}/stat", "rb") as file:
        return int(file.read().rpartition(b")")[2].split()[19])


def current():
    """Returns the directory of the run that this process is in, or None. After stop(), it is None.

    Until a run is over, a symbolic link with the pid of its root names the run (docs/spool.md). This function tries the
    link of this process, then the links of its ancestors.
    """
    if stopped:
        return None
    pid = os.getpid()
    while pid > 1:
        for base in ("/dev/shm", "/tmp"):
            try:
                noted, _, directory = os.readlink(f"{base}/rtrack-{os.getuid()}/{pid}").partition(":")
                if int(noted.split()[0]) == start_of(pid):
                    return directory
            except (OSError, ValueError, IndexError):
                continue
        try:
            pid = parent_of(pid)
        except (OSError, ValueError, IndexError):
            break
    named = os.environ.get("RTRACK_RUN")
    return named if loaded() and named and os.path.isdir(named) else None
