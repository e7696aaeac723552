#!/usr/bin/env python3
"""Kills samplers, launchers and roots of runs at random times, and checks the result: kills.py BUILD DIRECTORY COUNT
SEED [NAME…]. NAME selects victims; the default is all of VICTIMS.

A job has children, prints ten numbers, and writes its result to a file at its end. Whichever process SIGKILL ends, the
job must end as it would untracked. The rows of its run must be complete, except for the last row of a file.
rtrack-report must be able to read the run, and no process of the tracker may remain. Prints each problem, and the
number of kills of each victim."""
import csv
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from looks import PATIENCE, read, wait_until

SIDE_BY_SIDE = 12
LONGEST = 0.15  # seconds until the kill
NUMBERS = list(range(10))
JOB = 'for i in %s; do /bin/echo $i; sleep 0.01; done; echo 3 >"$1"; exit 3' % " ".join(map(str, NUMBERS))
OUTPUT = "".join("%d\n" % number for number in NUMBERS).encode()

BUILD, DIRECTORY, COUNT, SEED = sys.argv[1], os.path.abspath(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
NAMES = sys.argv[5:]
PRELOAD = ["env", "LD_PRELOAD=" + os.path.join(BUILD, "librtrack.so")]
LAUNCHER = [os.path.join(BUILD, "rtrack-run")]
# A thread in the process would interfere with setgid, so the root hands sampling over to a separate process.
LEAVES = ["perl", "-MPOSIX", "-e", "POSIX::setgid(POSIX::getgid()); exec @ARGV"]


def processes():
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def command_lines_with(word):
    return [pid for pid in processes() if word in read("/proc/%d/cmdline" % pid)]


def child_of(parent):
    for pid in processes():
        fields = read("/proc/%d/stat" % pid).rpartition(b")")[2].split()
        if fields and int(fields[1]) == parent and fields[0] != b"Z":
            return pid
    return None


def launched(process, _spool):
    return process.pid


def launchers_child(process, _spool):
    return child_of(process.pid)


def keeper(_process, spool):
    found = command_lines_with(b"rtrack-keeper\0" + spool.encode())
    return found[0] if found else None


# Each row: name, command before the job, function that finds the process to kill, resulting status of the tracked
# command.
VICTIMS = [
    ("root", PRELOAD, launched, -signal.SIGKILL),
    ("root of rtrack-run", LAUNCHER, launchers_child, 128 + signal.SIGKILL),
    ("rtrack-run", LAUNCHER, launched, -signal.SIGKILL),
    ("sampler", PRELOAD + LEAVES, keeper, 3),
]


def kill(number, find, process, spool, delay):
    """Kills the process that `find` returns after `delay` seconds. Returns None if it no longer exists."""
    time.sleep(delay)
    while process.poll() is None:
        pid = find(process, spool)
        if pid:
            try:
                os.kill(pid, number)
                return pid
            except ProcessLookupError:
                return None
        time.sleep(0.001)
    return None


def rows_in(run, name):
    return max(0, read(os.path.join(run, name)).count(b"\n") - 1)


def wrong_rows(path):
    """Yields each problem in the rows of a file. The last row may be incomplete."""
    text = read(path)
    whole = text[: text.rfind(b"\n") + 1].decode("utf-8", "replace")
    rows = list(csv.reader(whole.splitlines(keepends=True), strict=True))
    for row in rows:
        if len(row) != len(rows[0]):
            yield "%s: a row of %d cells: %s" % (path, len(row), row)
    if path.endswith(("process.csv", "system.csv")):
        times = [float(row[0]) for row in rows[1:]]
        if times != sorted(times):
            yield "%s: rows are out of order" % path


def wrong_run(run):
    for name in sorted(os.listdir(run)):
        if name.endswith(".csv"):
            try:
                yield from wrong_rows(os.path.join(run, name))
            except (csv.Error, ValueError) as error:
                yield "%s/%s: %s" % (run, name, error)
    if rows_in(run, "process.csv") + rows_in(run, "exit.csv") > 0:
        report = subprocess.run([os.path.join(BUILD, "rtrack-report"), "stats", "--format", "json", run],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if report.returncode != 0:
            yield "rtrack-report ended with %d: %s" % (report.returncode, report.stderr.decode())


def outcome(name, status, killed_status, killed, has_begun, output, result):
    """Yields each problem with the end of the job."""
    job_lives = name in ("rtrack-run", "sampler")
    if not killed or (job_lives and has_begun):
        if not wait_until(lambda: read(result) == b"3\n"):
            yield "the job wrote no result"
        if read(output) != OUTPUT:
            yield "the job printed %r" % read(output)
    if status not in ((killed_status, 3) if killed else (3,)):
        yield "status %d" % status


def one(case):
    number, (name, words, find, killed_status), delay = case
    place = os.path.join(DIRECTORY, str(number))
    spool, output, errors, result = (os.path.join(place, part) for part in ("spool", "out", "err", "result"))
    os.makedirs(place)
    environment = {**os.environ, "RTRACK_SPOOL": spool, "RTRACK_INTERVAL": "0.002"}
    with open(output, "wb") as out, open(errors, "wb") as err:
        process = subprocess.Popen(words + ["sh", "-c", JOB, "sh", result], env=environment, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=err)
        killed = kill(signal.SIGKILL, find, process, spool, delay)
        status = process.wait(PATIENCE)
    # rtrack-run may have been killed before it started the job.
    has_begun = bool(read(output)) or name != "rtrack-run"
    wrong = list(outcome(name, status, killed_status, killed, has_begun, output, result))
    if read(errors):
        wrong.append("stderr: %r" % read(errors))
    if not wait_until(lambda: not command_lines_with(place.encode())):
        wrong.append("left over: %s" % [read("/proc/%d/cmdline" % pid) for pid in command_lines_with(place.encode())])
    for run in sorted(os.listdir(spool)) if os.path.isdir(spool) else []:
        wrong += wrong_run(os.path.join(spool, run))
    return name, bool(killed), ["%d, %s after %.4f s: %s" % (number, name, delay, text) for text in wrong]


def main():
    choice = random.Random(SEED)
    victims = [victim for victim in VICTIMS if not NAMES or victim[0] in NAMES]
    cases = [(number, victims[number % len(victims)], choice.uniform(0, LONGEST)) for number in range(COUNT)]
    with ThreadPoolExecutor(SIDE_BY_SIDE) as pool:
        results = list(pool.map(one, cases))
    for name, _, _, _ in victims:
        print("%s: %d killed" % (name, sum(hit for victim, hit, _ in results if victim == name)))
    wrong = [text for _, _, texts in results for text in texts]
    print("\n".join(wrong[:20]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
