#!/usr/bin/env python3
"""Prints the CPU seconds of a job by the kernel's account of its whole process tree: kernel.py ACCOUNT RUN MODE.

ACCOUNT is the output of tests/victims/work/account.c, RUN the run's directory, and MODE is preload or launcher. The
account includes the tracker. The run's rows contain the tracker's CPU time, except before the first row and after the
last one. rtrack-run is a separate process, so the account contains all of its time. Hence there are two figures:

  without_tracker   all time of rtrack-run is subtracted: a run must not exceed this figure
  with_ends         only the tracker's time in rows is subtracted: a run that is called complete must reach this figure

The program prints the first one."""
import csv
import os
import sys
from typing import NamedTuple

from looks import read


def number(cell):
    return float(cell) if cell else 0.0


def table(run, name):
    """Returns the rows of a run's table as dictionaries, or an empty list if there is no table. The last line may be
    incomplete."""
    text = read(os.path.join(run, name + ".csv")).decode("utf-8", "replace")
    return list(csv.DictReader(text[: text.rfind("\n") + 1].splitlines(keepends=True)))


class JobCpu(NamedTuple):
    without_tracker: float
    with_ends: float


class Account:
    """The line that account.c wrote. `whole_cpu` is the CPU time of a control group, or None."""

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
