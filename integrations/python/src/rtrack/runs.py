# SPDX-License-Identifier: Apache-2.0
"""Reads runs as columns, and makes their pages. rtrack-report reads the files, so that there is only one reader of the
format."""

import importlib
import json
import os
import subprocess

from .library import current, flush
from .places import path


def report(*arguments):
    """Returns the output of rtrack-report. If it fails, raises ValueError with its message."""
    # rtrack-report must not become part of the run that it reads.
    untracked = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    done = subprocess.run([path("rtrack-report"), *arguments], capture_output=True, env={**untracked, "RTRACK": "off"})
    if done.returncode != 0:
        raise ValueError(done.stderr.decode("utf-8", "replace").strip() or f"status {done.returncode}")
    return done.stdout.decode("utf-8", "replace")


def named(run):
    """Returns the arguments that select a run. None selects the run of this process, or the latest run if this process
    has none."""
    if run is None:
        flush()
        run = current()
    return [] if run is None else [os.fspath(run)]


class Columns(dict):
    """Columns by name. In a table without rows, every name has an empty column."""

    def __missing__(self, name):
        if self:
            raise KeyError(name)
        return []


def columns(rows):
    names = list(dict.fromkeys(name for row in rows for name in row))
    return Columns({name: [row.get(name) for row in rows] for name in names})


def maker(frame):
    """Returns the function that makes a table from columns."""
    if frame is None:
        return Columns
    module = importlib.import_module("pyarrow" if frame == "arrow" else frame)
    return module.table if frame == "arrow" else module.DataFrame


def read(run=None, table=None, frame=None):
    """Reads a run as {"run": {...}, "process": {"timestamp": [...], ...}, "system": ..., ...}. None means unknown.

    run: an id, the beginning of an id, a directory, or the name of a job, whose latest run is read. If it is None, the
    run of this process is read, or the latest run if this process is in none.
    table: returns only this table, as a dict of columns.
    frame: "pandas", "polars" or "arrow". Each table is then a data frame or a pyarrow.Table. Raises ImportError if that
    package is not installed.
    """
    make = maker(frame)
    found = json.loads(report("export", *named(run), "--to", "json"))
    tables = {name: make(columns(rows)) for name, rows in found.items() if isinstance(rows, list)}
    if table is not None:
        return tables[table]
    return {"run": found["run"], **tables}


def page(run=None):
    """Returns the page of a run as HTML that needs no network."""
    return report("html", *named(run), "-o", "-")
