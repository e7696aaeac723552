#!/usr/bin/env python3
"""Runs one job under rtrack and under other tools, and prints what each tool measured, as rows of a table.

    beside.py FOLDER BUILD PYTHON      PYTHON has psrecord, memray and resource-tracker

The job itself reports the true figures: its CPU time including awaited children, and the CPU time of a daemon that it
left behind. A cell is yes if the tool's figure is at least nine tenths of the true one, or if its output has what the
row asks for. docs/start.md has these rows."""
import csv
import json
import os
import re
import subprocess
import sys

JOB = '''
import json, os, subprocess, sys, time
sys.stdout.write("the job's own word\\n")
sys.stdout.flush()
SPIN = "i=0; while [ $i -lt %d ]; do i=$((i + 1)); done"
def burn(seconds):
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass
def hold(mib):
    held = bytearray(mib << 20)
    held[::4096] = b"1" * len(held[::4096])
    return held
folder = sys.argv[1]
held = hold(120)
child = os.fork()
if child == 0:
    del held
    own = hold(120)
    burn(1)
    time.sleep(1)
    os._exit(0)
burn(1)
os.waitpid(child, 0)
del held
for _ in range(30):
    subprocess.run(["sh", "-c", SPIN % 20000], check=True)
# The parent does not wait for the daemon, which lives until it has written its usage.
subprocess.run(["sh", "-c", "setsid sh -c '" + SPIN % 500000 + "; times >" + folder + "/daemon.new; mv " + folder + "/daemon.new " + folder + "/daemon' >/dev/null 2>&1 &"], check=True)
while not os.path.exists(folder + "/daemon"):
    time.sleep(0.1)
times = os.times()
with open(folder + "/truth", "w") as out:
    json.dump(sum(times[:4]), out)
os._exit(3)
'''

FOLDER, BUILD, PYTHON = sys.argv[1:4]
PEAK_MIB = 240
TOOLS = ("rtrack", "`time -v`", "psrecord", "memray", "resource-tracker")


def seconds_of(text):
    return sum(60 * int(m) + float(s) for m, s in re.findall(r"(\d+)m([\d.]+)s", text))


class Seen:
    """The figures that a tool printed for the job, and the true figures of this run of the job."""

    def __init__(self, name):
        self.name, self.folder = name, os.path.join(FOLDER, name)
        os.makedirs(self.folder)
        self.job = os.path.join(self.folder, "job.py")
        with open(self.job, "w", encoding="utf-8") as out:
            out.write(JOB)
        self.words = [PYTHON, self.job, self.folder]
        self.cpu = self.peak_mib = 0.0
        self.points = 0   # rows with a time
        self.text = ""    # all text that the tool shows to a person
        self.status, self.stdout = None, ""

    def run(self, words, **more):
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, cwd=self.folder, **more)
        self.status, self.stdout = done.returncode, done.stdout
        return done

    def truth(self):
        with open(os.path.join(self.folder, "truth"), encoding="utf-8") as file:
            waited = json.load(file)
        with open(os.path.join(self.folder, "daemon"), encoding="utf-8") as file:
            return waited, waited + seconds_of(file.read())

    def rows(self):
        waited, everything = self.truth()
        return [
            ("CPU time of children shorter than a sample", self.cpu >= 0.9 * waited),
            ("CPU time of a daemon that left its parent", self.cpu >= 0.95 * everything),
            ("peak memory of all processes at one time", self.peak_mib >= 0.9 * PEAK_MIB),
            ("figures over time", self.points > 2),
            ("which program used what", bool(re.search(r"\d.*\bsh -c", self.text)) and "python" in self.text),
            ("which line of code allocated", "job.py:" in self.text),
            ("the job's exit status is kept", self.status == 3),
            ("nothing else on the job's stdout", self.stdout == "the job's own word\n"),
        ]


def rtrack():
    seen = Seen("rtrack")
    spool = os.path.join(seen.folder, "spool")
    environment = {**os.environ, "RTRACK_SPOOL": spool, "LD_PRELOAD": os.path.join(BUILD, "librtrack.so")}
    seen.run(seen.words, env=environment)
    report = [os.path.join(BUILD, "rtrack-report"), "show", "--spool", spool]
    totals = json.loads(subprocess.run([*report, "--format", "json"], stdout=subprocess.PIPE, check=True).stdout)["totals"]
    seen.cpu, seen.peak_mib = totals["cpu_seconds"], totals["peak_memory_mib"]
    seen.text = subprocess.run([*report, "--by", "command"], stdout=subprocess.PIPE, text=True, check=True).stdout
    run = next(os.path.join(spool, name) for name in os.listdir(spool) if name[0] != ".")
    with open(os.path.join(run, "process.csv"), encoding="utf-8") as file:
        seen.points = sum(1 for _ in csv.DictReader(file))
    return seen


def gnu_time():
    seen = Seen("time")
    seen.text = seen.run(["/usr/bin/time", "-v", *seen.words]).stderr
    user, system, peak = (float(re.search(name + r"[^:]*: ([\d.]+)", seen.text).group(1))
                          for name in ("User time", "System time", "Maximum resident set size"))
    seen.cpu, seen.peak_mib = user + system, peak / 1024
    return seen


def psrecord():
    seen = Seen("psrecord")
    log = os.path.join(seen.folder, "log.csv")
    seen.run([os.path.join(os.path.dirname(PYTHON), "psrecord"), "--include-children", "--interval", "0.5", "--log", log,
              "--log-format", "csv", " ".join(seen.words)])
    with open(log, encoding="utf-8") as file:
        seen.text = file.read()
    rows = list(csv.DictReader(seen.text.splitlines()))
    before = 0.0
    for row in rows:
        seen.cpu += float(row["cpu"]) / 100 * (float(row["elapsed_time"]) - before)
        before = float(row["elapsed_time"])
        seen.peak_mib = max(seen.peak_mib, float(row["mem_real"]))
    seen.points = len(rows)
    return seen


def memray():
    seen = Seen("memray")
    record = os.path.join(seen.folder, "record.bin")
    memory = [PYTHON, "-m", "memray"]
    seen.run([*memory, "run", "-q", "-o", record, *seen.words[1:]])
    seen.text = subprocess.run([*memory, "stats", record], stdout=subprocess.PIPE, text=True, check=False).stdout
    peak = re.search(r"Peak memory[^\d]*([\d.]+)\s*([KMG])i?B", seen.text)
    if peak:
        seen.peak_mib = float(peak.group(1)) * {"K": 1 / 1024, "M": 1, "G": 1024}[peak.group(2)]
    page = os.path.join(seen.folder, "page.html")
    subprocess.run([*memory, "flamegraph", "--temporal", "-o", page, record], stdout=subprocess.DEVNULL, check=True)
    with open(page, encoding="utf-8") as file:
        seen.points = re.search(r"memory_records = (\[.*?\]\])", file.read(), re.S).group(1).count("[") - 1
    return seen


TRACK = """
import subprocess, sys, threading
from resource_tracker import ProcessTracker
job = subprocess.Popen(sys.argv[2:])
threading.Thread(target=job.wait).start()
try:
    ProcessTracker(pid=job.pid, interval=0.5, output_file=sys.argv[1])
except Exception:
    pass
sys.exit(job.wait())
"""


def resource_tracker():
    seen = Seen("resource-tracker")
    log = os.path.join(seen.folder, "log.csv")
    seen.run([PYTHON, "-c", TRACK, log, *seen.words])
    with open(log, encoding="utf-8") as file:
        seen.text = file.read()
    rows = list(csv.DictReader(seen.text.splitlines()))
    memory = next(name for name in rows[0] if name.startswith("memory"))
    seen.cpu = sum(float(row["utime"]) + float(row["stime"]) for row in rows)
    seen.peak_mib = max(float(row[memory]) for row in rows) * (1 if memory.endswith("mib") else 1 / 1024)
    seen.points = len(rows)
    return seen


def main():
    all_seen = [rtrack(), gnu_time(), psrecord(), memray(), resource_tracker()]
    for seen in all_seen:
        waited, everything = seen.truth()
        print("%s: %.2f s of CPU of %.2f and %.2f, %.0f MiB of %d, %d points, status %s" % (
            seen.name, seen.cpu, waited, everything, seen.peak_mib, PEAK_MIB, seen.points, seen.status), file=sys.stderr)
    for rows in zip(*(seen.rows() for seen in all_seen)):
        print("| %s | %s |" % (rows[0][0], " | ".join("yes" if cell else "no" for _, cell in rows)))


main()
