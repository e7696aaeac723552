# SPDX-License-Identifier: Apache-2.0
"""Finds the library and the programs.

An installation has all three in one directory, or the programs in bin and the library in lib beside it. A wheel may
have them beside this file.
"""

import os
import shutil
from pathlib import Path

LIBRARY = "librtrack.so"
PREFIXES = ("/usr/local", "/usr")


def loaded():
    """Returns the path of the library that this process has loaded, or None."""
    try:
        lines = Path("/proc/self/maps").read_text(errors="surrogateescape").splitlines()
    except OSError:
        return None
    files = (line.split(None, 5)[-1] for line in lines)
    return next((Path(file) for file in files if file.endswith("/" + LIBRARY)), None)


def folders():
    yield Path(__file__).parent
    library = loaded()
    if library:
        yield library.parent
        yield library.parent.parent / "bin"
    for program in ("rtrack-run", "rtrack-report"):
        found = shutil.which(program)
        if found:
            folder = Path(found).resolve().parent
            yield folder
            yield folder.parent / "lib"
    for prefix in (Path.home() / ".local", *map(Path, PREFIXES)):
        yield prefix / "bin"
        yield prefix / "lib"


def path(name=LIBRARY):
    """Returns the path of the library or of a program. Raises FileNotFoundError if it is not installed."""
    if name == LIBRARY and loaded():
        return str(loaded())
    for folder in folders():
        file = folder / name
        if file.is_file() and (name == LIBRARY or os.access(file, os.X_OK)):
            return str(file)
    raise FileNotFoundError(f"cannot find {name} beside this package, on PATH, or below ~/.local, /usr/local or /usr")
