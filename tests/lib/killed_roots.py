#!/usr/bin/env python3
"""Kills the roots of runs, or their samplers, at random times, and compares the record with the kernel's account:
killed_roots.py BUILD ACCOUNT HOG DIRECTORY COUNT SEED [KINDS].

KINDS: "roots" under LD_PRELOAD alone; "young" roots in their first 400 ms, which have no guard yet; or "launchers",
which kills rtrack-run with or without its command.

Each job runs under tests/victims/work/account.c, whose wait4 returns the true usage of the whole tree. The CPU time of
the run must be within 5 % of it, or within the bound for missing CPU time, and never above it. The root must have a
row, usage by process must need no correction, and processes that live on must be followed. An unknown bound is accepted
only if the record gives the reason. For "young" roots and "launchers", an incomplete run or a missing row of the root
is accepted. Prints each problem."""
import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from kernel import Account
from looks import PATIENCE, wait_until

BUILD, ACCOUNT, HOG, DIRECTORY, COUNT, SEED = sys.argv[1:4] + [os.path.abspath(sys.argv[4])] + list(map(int, sys.argv[5:7]))
CHOICE = sys.argv[7] if len(sys.argv) > 7 else "roots"
SHARE, SECONDS = 0.05, 0.03
INTERVAL = 0.5
GUARDED = 0.6  # seconds; a root normally has a guard at the age of 0.25


class Kind(NamedTuple):
    name: str
    root: float  # CPU seconds that the root uses; `child` is for each child
    child: float
    children: int
    apart: bool  # The children are in their own session.
    victim: str  # the process or group that is killed


ROOTS = [
    Kind("alone", 60, 0, 0, False, "root"),
    Kind("a child lives on", 60, 1.5, 1, False, "root"),
    Kind("two children live on", 60, 1.0, 2, True, "root"),
    Kind("the whole group", 60, 9, 2, False, "group"),
    Kind("the group but for one session", 60, 1.2, 1, True, "group"),
]
LAUNCHERS = [
    Kind("rtrack-run, the command lives on", 0.7, 0, 0, False, "launcher"),
    Kind("rtrack-run, the command and a child live on", 0.5, 0.8, 1, False, "launcher"),
    Kind("rtrack-run and the command", 60, 0, 0, False, "both"),
    Kind("rtrack-run and the command, a child lives on", 60, 1.0, 1, True, "both"),
    Kind("the whole group of rtrack-run", 60, 9, 2, False, "group"),
]
# The kinds of kills, and their earliest and latest time in seconds after the run's directory exists.
KINDS, EARLIEST, LATEST = {
    "roots": (ROOTS, 0.05, 2),
    "young": (ROOTS, 0.001, 0.4),
    "launchers": (LAUNCHERS, 0.02, 1.5),
}[CHOICE]
MAY_SAY_LESS = CHOICE != "roots"


def report(*words):
    answer = subprocess.run([os.path.join(BUILD, "rtrack-report"), *words, "--format", "json"], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False)
    return json.loads(answer.stdout) if answer.returncode == 0 else {}


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def bound(kind, run, root, totals):
    """Returns the upper bound of missing CPU time, or 0 if it is exact. If an unknown process may have used any amount,
    returns infinity. For a root without children, the bound is in the root's own record."""
    missing = totals["missing_cpu_seconds_at_most"]
    if missing is not None:
        return missing
    told = [row["missing_cpu"] for row in rows(os.path.join(run, "exit.csv")) if int(row["pid"]) == root]
    return float(told[-1]) if told and told[-1] and kind.children == 0 and not MAY_SAY_LESS else float("inf")


def wrong_figures(kind, run, root, totals, truth):
    used, missing = totals["cpu_seconds"] or 0, bound(kind, run, root, totals)
    # The start of the process that took over sampling is in no row.
    least = truth.with_ends - SECONDS
    if used > truth.without_tracker + SECONDS:
        yield "%.3f s are more than %.3f s" % (used, truth.without_tracker)
    if used < least * (1 - SHARE) and used + missing < least:
        yield "%.3f s and at most %.3f s missing, of %.3f s" % (used, missing, truth.with_ends)
    if (totals["exact"] or totals["exact_cpu"]) and used < least * 0.99:
        yield "called exact: %.3f s of %.3f s" % (used, truth.with_ends)


def killers(run):
    """Returns the possible causes of a root's death. The OOM killer is excluded if the kernel counts its kills and
    counted none."""
    counted = [row["cgroup_oom_kills"] for row in rows(os.path.join(run, "system.csv"))]
    return ("signal",) if any(counted) else (None, "signal") if not counted else (None,)


def wrong_end(kind, run, directory):
    """A kill must be reported, unless it cannot be known. Any other end must not be reported as a kill."""
    told = (run["status"], run["killed_by"])
    unknown = MAY_SAY_LESS and (told[0] in ("running", "interrupted", "unknown") or told == ("killed", None))
    may = [("finished", None)] if kind.victim == "launcher" else [("killed", killer) for killer in killers(directory)]
    if told not in may and not unknown:
        yield "status %s, killed by %s" % told


def has_word(run, root):
    """Whether the root's checkpoint exists, which remains after its death."""
    try:
        with open(os.path.join(run, ".last"), encoding="utf-8") as file:
            return ",%d," % root in file.read()
    except FileNotFoundError:
        return False


def has_records(run):
    """Whether any process has a record. A root may be killed before its first record, and rtrack-run before it has made
    the tables. A report ends such a run, and may show nothing of it."""
    tables = [os.path.join(run, table) for table in ("start.csv", "exit.csv")]
    return any(rows(table) for table in tables if os.path.exists(table))


def has_tick(run):
    try:
        return len(rows(os.path.join(run, "process.csv"))) > 0
    except FileNotFoundError:
        return False


def has_guard(run):
    """Whether a guard waits for the root's end and will then find a checkpoint."""
    def waits(pid):
        try:
            with open("/proc/%s/cmdline" % pid, "rb") as file:
                words = file.read().split(b"\0")
            return os.fsencode(run) in words and b"wait" in words
        except OSError:
            return False
    # Before the first tick the file contains only a mark.
    try:
        return os.path.getsize(os.path.join(run, ".state")) > 1000 and any(waits(pid) for pid in os.listdir("/proc") if pid.isdigit())
    except FileNotFoundError:
        return False


class Age(NamedTuple):
    """How far a root had come when it was killed. On a busy machine, its age in seconds is a poor measure of this."""
    delay: float
    spoke: bool
    ticked: bool
    guarded: bool


def wrong(kind, root, run, truth, age):
    """Yields each problem in the record of a run."""
    stats = report("stats", run)
    yield from wrong_figures(kind, run, root, stats["totals"], truth)
    yield from wrong_end(kind, stats["run"], run)
    rest = [row for row in report("show", "--by", "process", run)["bill"] if row["program"] == "(correction)"]
    if rest and (rest[0]["cpu_seconds"] or 0) < -SECONDS:
        yield "a correction: %s" % rest
    of_root = [row for row in rows(os.path.join(run, "exit.csv")) if int(row["pid"]) == root]
    used = float(of_root[-1]["utime"] or 0) + float(of_root[-1]["stime"] or 0) if of_root else 0
    if not MAY_SAY_LESS and (age.spoke or age.ticked) and used <= 0:
        yield "no row of the root"
    ends = [float(row["timestamp"]) for row in rows(os.path.join(run, "process.csv"))]
    if kind.children > 0 and kind.victim == "root" and age.delay > GUARDED:
        late = max((b - a for a, b in zip(ends, ends[1:])), default=0)
        # The load is divided by the number of CPUs, because the sampler needs one CPU. Each step of niceness costs a
        # fifth of the CPU time.
        waiting = max(1, os.getloadavg()[0] / (os.cpu_count() or 1)) * 1.25 ** os.nice(0)
        if late > 2 * INTERVAL + 0.3 * waiting:
            yield "no row for %.2f s" % late


def parent_of(pid):
    with open("/proc/%d/stat" % pid, encoding="utf-8", errors="replace") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def kill(kind, root):
    """Kills the process. Returns False if it had already ended by itself."""
    try:
        launcher = parent_of(root) if CHOICE == "launchers" else root
        victims = {"root": [root], "launcher": [launcher], "both": [launcher, root], "group": [-launcher]}[kind.victim]
        for victim in victims:
            os.kill(victim, signal.SIGKILL)
        return True
    except (ProcessLookupError, FileNotFoundError):
        return False


def is_whole(run):
    """Whether run.json exists and is not empty."""
    path = os.path.join(run, "run.json")
    return os.path.exists(path) and os.path.getsize(path) > 0


def wrong_times(number, run):
    """A run without records must not end before it begins, except for the coarse times of files. If a root is killed
    before it locks its run, the time of the kill is unknown."""
    with open(os.path.join(run, "run.json"), encoding="utf-8") as file:
        said = json.load(file)
    stop = said["stop_time"]
    return [] if stop is None or stop >= said["start_time"] - 0.02 else ["%d: stop_time %s" % (number, stop)]


def is_interrupted(run):
    answer = subprocess.run([os.path.join(BUILD, "rtrack-report"), "show", run, "--format", "json"], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, check=False)
    return json.loads(answer.stdout)["run"]["status"] == "interrupted"


def is_over(kind, run, delay):
    """Whether the run has ended. If no process lives on, or the root was killed before it had a guard, the next report
    ends the run. If rtrack-run started a command without records, such as a static one, its end is unknown, and the run
    counts as interrupted five seconds later."""
    lives = kind.children > 0 and (kind.victim == "root" or kind.apart) and delay > GUARDED and CHOICE == "roots"
    if CHOICE == "launchers" and not has_records(run) and is_interrupted(run):
        return True
    return (lives or report("show", run) or not has_records(run)) and not os.path.exists(os.path.join(run, ".lock"))


def one(case):
    number, kind, delay = case
    place = os.path.join(DIRECTORY, str(number))
    spool, figures = os.path.join(place, "spool"), os.path.join(place, "account")
    os.makedirs(place)
    environment = {**os.environ, "RTRACK_SPOOL": spool, "RTRACK_INTERVAL": str(INTERVAL)}
    tracker = ["env", "LD_PRELOAD=" + os.path.join(BUILD, "librtrack.so")]
    if CHOICE == "launchers":
        tracker = [os.path.join(BUILD, "rtrack-run")]
    job = [HOG, str(kind.root), str(kind.child), str(kind.children), "20"] + (["apart"] if kind.apart else [])
    process = subprocess.Popen([ACCOUNT, figures, "setsid"] + tracker + job, env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL)
    if not wait_until(lambda: os.path.isdir(spool) and os.listdir(spool), 0.001):
        return ["%d, %s: no run" % (number, kind.name)]
    run = os.path.join(spool, os.listdir(spool)[0])
    root = int(run.split("-")[-2])
    time.sleep(delay)
    age = Age(delay, has_word(run, root), has_tick(run), has_guard(run))
    killed = kill(kind, root)
    process.wait(PATIENCE)
    if not killed or (MAY_SAY_LESS and not is_whole(run)):
        return []
    if not wait_until(lambda: is_over(kind, run, delay)):
        return ["%d, %s after %.3f s: the run was not ended" % (number, kind.name, delay)]
    if MAY_SAY_LESS and not has_records(run):
        return wrong_times(number, run)
    truth = Account(figures).job_cpu(run, "launcher" if CHOICE == "launchers" else "preload")
    return ["%d, %s after %.3f s: %s" % (number, kind.name, delay, text)
            for text in wrong(kind, root, run, truth, age)]


def main():
    choice = random.Random(SEED)
    cases = [(number, KINDS[number % len(KINDS)], choice.uniform(EARLIEST, LATEST)) for number in range(COUNT)]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(one, cases))
    found = [text for texts in results for text in texts]
    print("%d roots were killed" % len(cases))
    print("\n".join(found[:20]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
