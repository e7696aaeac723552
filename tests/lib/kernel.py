#!/usr/bin/env python3
"""The CPU seconds of a job by the kernel's account of its whole tree: kernel.py ACCOUNT RUN MODE.

ACCOUNT is what tests/victims/work/account.c wrote, RUN the run's directory, MODE preload or launcher. What the tracker
used is in the account. Its rows tell of it, but not of what comes before the first and after the last of them; rtrack-run,
which is a process of its own, has an account of all. So there are two figures, of which main prints the first:

  without_tracker   all of rtrack-run is taken out: a run must not have more
  with_ends         what the rows tell is taken out: what a run may lack is held against this"""
import csv
import os
import sys
from typing import NamedTuple

from looks import read


def number(cell):
    return float(cell) if cell else 0.0


def table(run, name):
    """The rows of a run's table as dictionaries, none where there is no table. Its last line may be torn."""
    text = read(os.path.join(run, name + ".csv")).decode("utf-8", "replace")
    return list(csv.DictReader(text[: text.rfind("\n") + 1].splitlines(keepends=True)))


class JobCpu(NamedTuple):
    without_tracker: float
    with_ends: float


class Account:
    """The accountant's line. `whole_cpu` is a control group's account, where there is one."""

    def __init__(self, path, whole_cpu=None):
        with open(path, encoding="ascii") as file:
            whole, _, _, own, _, _, self.command_cpu = map(float, file.read().split())
        self.cpu = (whole if whole_cpu is None else whole_cpu) - own

    def job_cpu(self, run, mode):
        told = sum(number(row["tracker_cpu"]) for row in table(run, "system"))
        used = max(told, self.command_cpu) if mode == "launcher" else told
        return JobCpu(self.cpu - used, self.cpu - told)


if __name__ == "__main__":
    print("%.6f" % Account(sys.argv[1]).job_cpu(sys.argv[2], sys.argv[3]).without_tracker)
