# SPDX-License-Identifier: Apache-2.0
"""Marks, named parts and recorded runs of the resource tracker rtrack.

mark, flush, stop and part do nothing in a process that is not tracked. They never raise, so a program may keep them.
If rtrack is not installed, start warns and does nothing, and path, read and page raise FileNotFoundError.
"""

from .library import current, flush, mark, start, stop
from .parts import part
from .places import path
from .runs import page, read

__all__ = ["current", "flush", "mark", "page", "part", "path", "read", "start", "stop"]
__version__ = "0.2.0"


def load_ipython_extension(shell):
    from .jupyter import load

    load(shell)


def unload_ipython_extension(_shell):
    from .jupyter import unload

    unload()
