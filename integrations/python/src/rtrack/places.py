# SPDX-License-Identifier: Apache-2.0
"""Where the library and the programs are.

An installation keeps all three in one directory, or the programs in bin and the library in lib beside it; a wheel may
have them beside this file.
"""

import os
import shutil
from pathlib import Path

LIBRARY = "librtrack.so"
PREFIXES = ("/usr/local", "/usr")


def loaded():
    """The file of the library that is in this process, or None."""
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
    """The path of the library, or of the program `name`, as text. FileNotFoundError: it is not installed."""
    if name == LIBRARY and loaded():
        return str(loaded())
    for folder in folders():
        file = folder / name
        if file.is_file() and (name == LIBRARY or os.access(file, os.X_OK)):
            return str(file)
    raise FileNotFoundError(f"cannot find {name} beside this package, on PATH, or below ~/.local, /usr/local or /usr")
