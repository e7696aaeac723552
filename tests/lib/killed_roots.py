#!/usr/bin/env python3
"""Kills roots of runs under a bare LD_PRELOAD at random moments, and holds the record against the kernel's account:
killed_roots.py BUILD ACCOUNT HOG DIRECTORY COUNT SEED.

Around each job sits tests/victims/work/account.c, whose wait4 tells the truth of the whole tree. Of each run CPU time
must be within 5 % of it, or what is missing at most must hold; nothing may be more than was used; the root must have a
row, and the bill no correction; and who lives on must be followed. Prints what is wrong."""
import csv
import json
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from looks import PATIENCE, wait_until

BUILD, ACCOUNT, HOG, DIRECTORY, COUNT, SEED = sys.argv[1:4] + [os.path.abspath(sys.argv[4])] + list(map(int, sys.argv[5:7]))
SHARE, SECONDS = 0.05, 0.03
INTERVAL = 0.5
GUARDED = 0.6  # seconds; of a root's age it is 0.25

# Name; what a child burns, how many there are, whether they are in another session; who is killed.
KINDS = [
    ("alone", 0, 0, False, "root"),
    ("a child lives on", 1.5, 1, False, "root"),
    ("two children live on", 1.0, 2, True, "root"),
    ("the whole group", 9, 2, False, "group"),
    ("the group but for one session", 1.2, 1, True, "group"),
]


def report(*words):
    answer = subprocess.run([os.path.join(BUILD, "rtrack-report"), *words, "--format", "json"], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False)
    return json.loads(answer.stdout) if answer.returncode == 0 else {}


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def wrong(kind, root, run, truth, delay):
    """What is wrong with the record of a run."""
    _, _, count, _, victim = kind
    stats = report("stats", run)
    totals = stats["totals"]
    tracker = sum(float(row["tracker_cpu"] or 0) for row in rows(os.path.join(run, "system.csv")))
    used, missing = totals["cpu_seconds"], totals["missing_cpu_seconds_at_most"] or 0
    # The tracker's own is in the truth: what it says itself, and a keeper's start.
    least = truth - tracker - SECONDS
    if used > truth + SECONDS:
        yield "%.3f s are more than %.3f s" % (used, truth)
    if used < least * (1 - SHARE) and used + missing < least:
        yield "%.3f s and at most %.3f s missing, of %.3f s" % (used, missing, truth)
    if totals["exact"] and used < least * 0.99:
        yield "called exact"
    if stats["run"]["status"] != "killed" or stats["run"]["killed_by"] is not None:
        yield "status %s, killed by %s" % (stats["run"]["status"], stats["run"]["killed_by"])
    rest = [row for row in report("show", "--by", "process", run)["bill"] if row["program"] == "(correction)"]
    if rest and (rest[0]["cpu_seconds"] or 0) < -SECONDS:
        yield "a correction: %s" % rest
    of_root = [row for row in rows(os.path.join(run, "exit.csv")) if int(row["pid"]) == root]
    if not of_root or float(of_root[-1]["utime"] or 0) <= 0:
        yield "no row of the root"
    ends = [float(row["timestamp"]) for row in rows(os.path.join(run, "process.csv"))]
    if count > 0 and victim == "root" and delay > GUARDED:
        late = max((b - a for a, b in zip(ends, ends[1:])), default=0)
        if late > 2 * INTERVAL + 0.3:
            yield "no row for %.2f s" % late


def one(case):
    number, kind, delay = case
    name, seconds, count, apart, victim = kind
    place = os.path.join(DIRECTORY, str(number))
    spool, figures = os.path.join(place, "spool"), os.path.join(place, "account")
    os.makedirs(place)
    environment = {**os.environ, "RTRACK_SPOOL": spool, "RTRACK_INTERVAL": str(INTERVAL)}
    job = [HOG, "60", str(seconds), str(count), "20"] + (["apart"] if apart else [])
    process = subprocess.Popen([ACCOUNT, figures, "setsid", "env", "LD_PRELOAD=" + os.path.join(BUILD, "librtrack.so")] + job,
                               env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    if not wait_until(lambda: os.path.isdir(spool) and os.listdir(spool)):
        return ["%d, %s: no run" % (number, name)]
    run = os.path.join(spool, os.listdir(spool)[0])
    root = int(run.split("-")[-2])
    time.sleep(delay)
    os.kill(root if victim == "root" else -root, signal.SIGKILL)
    process.wait(PATIENCE)
    # Where nobody lives on, whoever looks ends the run; so, too, if the root was killed before it was guarded.
    lives = count > 0 and (victim == "root" or apart) and delay > GUARDED
    if not wait_until(lambda: (lives or report("show", run)) and not os.path.exists(os.path.join(run, ".lock"))):
        return ["%d, %s: nobody ended the run" % (number, name)]
    with open(figures, encoding="ascii") as file:
        cpu, _, _, own = file.read().split()[:4]
    return ["%d, %s after %.3f s: %s" % (number, name, delay, text)
            for text in wrong(kind, root, run, float(cpu) - float(own), delay)]


def main():
    choice = random.Random(SEED)
    cases = [(number, KINDS[number % len(KINDS)], choice.uniform(0.05, 2)) for number in range(COUNT)]
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(one, cases))
    found = [text for texts in results for text in texts]
    print("%d roots were killed" % len(cases))
    print("\n".join(found[:20]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
