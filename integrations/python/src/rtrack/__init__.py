# SPDX-License-Identifier: Apache-2.0
"""Marks, named parts and recorded runs of the resource tracker rtrack.

mark, flush, stop and part do nothing in a process that is not tracked. They never raise, so a program may keep them.
path, start, read and page raise FileNotFoundError if rtrack is not installed.
"""

from .library import current, flush, mark, start, stop
from .parts import part
from .places import path
from .runs import page, read

__all__ = ["current", "flush", "mark", "page", "part", "path", "read", "start", "stop"]
__version__ = "0.2.0"


def load_ipython_extension(shell):
    """%load_ext rtrack: the magics %%rtrack and %rtrack."""
    from .jupyter import Magics

    shell.register_magics(Magics)
