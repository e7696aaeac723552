"""Runs as columns, and their pages. rtrack-report reads them, so that there is one reader only."""

import importlib
import json
import os
import subprocess

from .library import current, flush
from .places import path


def report(*arguments):
    """What rtrack-report prints; ValueError with its own words when it fails."""
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
    """Columns by their names. Of a table that has no row yet, every column is there, and empty."""

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

    run: an id, the beginning of one, a directory or a job's name, which means its latest run; None: the run that this
    process is in, else the latest of all. table: only this one, as a dict of columns. frame: "pandas",
    "polars" or "arrow" makes a data frame (a pyarrow.Table) of each table, where that package is installed
    (ImportError where it is not).
    """
    make = maker(frame)
    found = json.loads(report("export", *named(run), "--to", "json"))
    tables = {name: make(columns(rows)) for name, rows in found.items() if isinstance(rows, list)}
    if table is not None:
        return tables[table]
    return {"run": found["run"], **tables}


def page(run=None):
    """The page of a run, as HTML that asks no network for anything."""
    return report("html", *named(run), "-o", "-")
