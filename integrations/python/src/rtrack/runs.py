# SPDX-License-Identifier: Apache-2.0
"""Runs as columns, and their pages. rtrack-report reads them, so that there is one reader only."""

import importlib
import json
import os
import subprocess

from .library import current, flush
from .places import path


def report(*arguments):
    """What rtrack-report prints. ValueError: it failed, and this is its message."""
    # What reads a run is no part of it.
    untracked = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    done = subprocess.run([path("rtrack-report"), *arguments], capture_output=True, env={**untracked, "RTRACK": "off"})
    if done.returncode != 0:
        raise ValueError(done.stderr.decode("utf-8", "replace").strip() or f"status {done.returncode}")
    return done.stdout.decode("utf-8", "replace")


def named(run):
    """The arguments that name a run to rtrack-report; None is the one that this process is in, else the latest."""
    if run is None:
        flush()
        run = current()
    return [] if run is None else [os.fspath(run)]


class Columns(dict):
    """Columns by their names. A table without rows has every column, and each of them is empty."""

    def __missing__(self, name):
        if self:
            raise KeyError(name)
        return []


def columns(rows):
    names = list(dict.fromkeys(name for row in rows for name in row))
    return Columns({name: [row.get(name) for row in rows] for name in names})


def maker(frame):
    """What makes a table of columns."""
    if frame is None:
        return Columns
    module = importlib.import_module("pyarrow" if frame == "arrow" else frame)
    return module.table if frame == "arrow" else module.DataFrame


def read(run=None, table=None, frame=None):
    """A run: {"run": what run.json has, "process": {"timestamp": [...], ...}, "system": ..., ...}; None is unknown.

    run: an id, the beginning of an id, a directory, or the name of a job, of which the latest run is read.
    None: the run that this process is in, else the latest of all.
    table: only this table is returned, as a dict of columns.
    frame: "pandas", "polars" or "arrow". Each table is a data frame or a pyarrow.Table. ImportError: that package is
    not installed.
    """
    make = maker(frame)
    found = json.loads(report("export", *named(run), "--to", "json"))
    tables = {name: make(columns(rows)) for name, rows in found.items() if isinstance(rows, list)}
    if table is not None:
        return tables[table]
    return {"run": found["run"], **tables}


def page(run=None):
    """The page of a run, as HTML that needs no network."""
    return report("html", *named(run), "-o", "-")
