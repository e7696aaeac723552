#!/usr/bin/env python3
"""Runs ordinary jobs of several processes, and compares their memory peaks with the true ones.

  ordinary.py --build DIR [--spool DIR] [--ways preload,launcher] [NAME…]

The true peak is the largest sum of PSS of the job's processes, read every 5 ms. For each job, the lower bound must not
exceed the true peak, and the peak and the upper bound must be within the ratios below. The peak is between its bounds,
and memory that is called exact must be exact. On a busy machine the reader may miss a peak of some milliseconds, so a
job that fails runs again. A job whose program is not installed is skipped, with a note. Over all jobs, the median of
upper bound / true peak must be at most 1.3. Exit status: 0, or 1 if anything failed."""
import argparse
import ctypes
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LEAST, PEAK, MOST, MEDIAN = 1.05, (0.9, 2), (0.95, 2), 1.3
SLACK_MIB = 30  # small jobs: each program has some MiB of libraries, which others share
# Only for long-lived workers that reach their peaks one after another, the upper bound is far above the true peak.
IN_TURN = "workers that peak in turn"
POOL = """
import multiprocessing as m, sys, time
def work(i):
    own = bytearray(20 << 20)
    time.sleep(0.3)
    return len(own)
if __name__ == "__main__":
    big = list(range(%d))
    with m.get_context(sys.argv[1]).Pool(4) as pool:
        print(sum(pool.map(work, range(8))))
"""
JOBS = {
    "a pool of forks": ("python3", ["python3", "FILE", "fork"], POOL % 3000000),
    "a pool of forks with workers that write to all": ("python3", ["python3", "FILE"], """
import multiprocessing as m, time
big = bytearray(80 << 20)
def work(i):
    for k in range(0, len(big), 4096): big[k] = i
    time.sleep(0.5)
with m.get_context("fork").Pool(3) as pool: pool.map(work, range(3), 1)
"""),
    "a pool of spawned workers": ("python3", ["python3", "FILE", "spawn"], POOL % 1),
    "a pool of threads": ("python3", ["python3", "FILE"], """
from concurrent.futures import ThreadPoolExecutor as P
import time
def work(i):
    own = bytearray(20 << 20)
    time.sleep(0.3)
with P(4) as pool: list(pool.map(work, range(8)))
"""),
    "forks of a large parent": ("python3", ["python3", "FILE"], """
import os, time
big = bytearray(150 << 20)
for _ in range(4):
    pids = []
    for i in range(4):
        pid = os.fork()
        if pid == 0:
            own = bytearray(5 << 20)
            time.sleep(0.15)
            os._exit(0)
        pids.append(pid)
    for pid in pids: os.waitpid(pid, 0)
"""),
    "short children between ticks": ("python3", ["python3", "FILE"], """
import subprocess, sys, time
for _ in range(3):
    time.sleep(0.45)
    all = [subprocess.Popen([sys.executable, "-S", "-c", "import time; x = bytearray(60 << 20); time.sleep(0.1)"]) for _ in range(4)]
    for one in all: one.wait()
"""),
    "a spike of the parent": ("python3", ["python3", "FILE"], """
import time
base = bytearray(60 << 20)
time.sleep(2.35)
spike = bytearray(150 << 20)
time.sleep(0.05)
del spike
time.sleep(3)
"""),
    IN_TURN: ("python3", ["python3", "FILE"], """
import os, time
for i in range(4):
    if os.fork() == 0:
        time.sleep(0.5 + i * 1.2)
        own = bytearray(80 << 20)
        time.sleep(0.6)
        del own
        time.sleep(5 - i * 1.2)
        os._exit(0)
for i in range(4): os.wait()
"""),
    "subprocess of a large parent": ("python3", ["python3", "FILE"], """
import subprocess, time
big = bytearray(150 << 20)
for _ in range(4): subprocess.run(["sh", "-c", "sleep 0.2; seq 10000 | sort | tail -n 1"], check=True)
"""),
    "loky workers of joblib": ("python3:joblib", ["python3", "FILE"], """
import time
from joblib import Parallel, delayed
def work(i):
    own = bytearray(30 << 20)
    time.sleep(0.5)
    return len(own)
if __name__ == "__main__": print(sum(Parallel(n_jobs=3)(delayed(work)(i) for i in range(6))))
"""),
    "mclapply": ("Rscript", ["Rscript", "FILE"], """
x <- rnorm(1e7)
r <- parallel::mclapply(1:4, function(i) { y <- x[1:2500000] * i; Sys.sleep(0.5); sum(y) }, mc.cores = 4)
print(length(r))
"""),
    "a cluster of R": ("Rscript", ["Rscript", "FILE"], """
cl <- parallel::makeCluster(2)
r <- parallel::parLapply(cl, 1:2, function(i) { y <- rnorm(3e6); Sys.sleep(0.4); sum(y) })
parallel::stopCluster(cl)
"""),
    "a pipeline": ("sort", ["sh", "-c", "seq 1500000 | sort -S 60M | gzip -1 | md5sum"], None),
    # A compiler lives some milliseconds, which the reader of this test misses on a busy machine.
    "make -j": ("make cc", ["sh", "-c", r'cd $(mktemp -d); for i in 1 2 3 4; do '
                r'for k in $(seq 400); do echo "int f${i}_$k(int a) { int s = 0; for (int j = 0; j < a; j++) s += j * $k % (a + j); return s; }"; '
                r'done >f$i.c; done; '
                r'printf "all: f1.o f2.o f3.o f4.o\n%%.o: %%.c\n\tcc -O2 -c -o \$@ $<\n" >Makefile; make -s -j2'], None),
    "a loop of the shell": ("sh", ["sh", "-c", "for i in 1 2 3 4 5 6; do seq 20000 | sort -n | tail -n 1; done"], None),
    "xargs -P": ("xargs python3", ["sh", "-c", "seq 6 | xargs -P3 -I{} python3 -S -c 'import time; x = bytearray(40 << 20); time.sleep(0.3)'"], None),
    "Java": ("java", ["java", "-XX:+UseSerialGC", "-Xmx96m", "FILE"], """
public class Main {
    public static void main(String[] a) throws Exception {
        byte[][] all = new byte[60][];
        for (int i = 0; i < 60; i++) { all[i] = new byte[1 << 20]; java.util.Arrays.fill(all[i], (byte) 1); }
        Thread.sleep(500);
        System.out.println(all.length);
    }
}
"""),
    "a cluster of node": ("node", ["node", "FILE"], """
const c = require('cluster');
if (c.isPrimary) { for (let i = 0; i < 3; i++) c.fork(); }
else { const b = Buffer.alloc(30 << 20, 1); setTimeout(() => process.exit(b[0] - 1), 600); }
"""),
}
SUFFIX = {"Rscript": ".R", "java": ".java", "node": ".js"}


def missing(needs):
    programs, _, module = needs.partition(":")
    for program in programs.split():
        if not shutil.which(program):
            return program
    if module and subprocess.run([programs, "-c", "import " + module], capture_output=True).returncode != 0:
        return module
    return None


def children_of(pid):
    found = []
    try:
        for task in os.listdir("/proc/%d/task" % pid):
            with open("/proc/%d/task/%s/children" % (pid, task)) as file:
                found += map(int, file.read().split())
    except OSError:
        pass
    return found


def pss_mib(pid):
    try:
        with open("/proc/%d/smaps_rollup" % pid) as file:
            for line in file:
                if line.startswith("Pss:"):
                    return int(line.split()[1]) / 1024
    except OSError:
        pass
    return 0


def watch(process, skip):
    """Returns the largest sum of PSS of the process tree; `skip` names programs that are not part of the job."""
    most = before = 0
    while process.poll() is None:
        # This program is a subreaper, so it adopts orphans.
        pids, all_pids = children_of(os.getpid()), []
        while pids:
            pid = pids.pop()
            all_pids.append(pid)
            pids += children_of(pid)
        total = 0
        for pid in all_pids:
            try:
                name = os.readlink("/proc/%d/exe" % pid)
            except OSError:
                continue
            if os.path.basename(name) not in skip:
                total += pss_mib(pid)
        # A child of vfork shares its parent's memory for a moment, and would be counted a second time.
        most, before = max(most, min(before, total)), total
        time.sleep(0.005)
    return most


def run(args, way, words, spool):
    environment = dict(os.environ, RTRACK_SPOOL=spool)
    if way == "preload":
        environment["LD_PRELOAD"] = os.path.join(args.build, "librtrack.so")
    else:
        words = [os.path.join(args.build, "rtrack-run")] + words
    process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    truth = watch(process, ("rtrack-run", "rtrack-gpu"))
    found = [name for name in os.listdir(spool) if not name.startswith(".")]
    directory = os.path.join(spool, found[0])
    deadline = time.time() + 10
    while os.path.exists(os.path.join(directory, ".lock")) and time.time() < deadline:
        time.sleep(0.05)
    return truth, directory


def judge(args, way, name, spool):
    """Runs a job once. Returns its problems, a line about the run, and the ratio of upper bound to true peak."""
    needs, words, text = JOBS[name]
    os.makedirs(spool)
    file = os.path.join(spool, ".job" + SUFFIX.get(needs.split(":")[0], ".py"))
    with open(file, "w") as out:
        out.write(text or "")
    truth, directory = run(args, way, [file if word == "FILE" else word for word in words], spool)
    with open(os.path.join(spool, ".truth"), "w") as out:
        out.write("%.3f\n" % truth)
    stats = json.loads(subprocess.run([os.path.join(args.build, "rtrack-report"), "stats", "--format", "json", directory],
                                      capture_output=True, check=True).stdout)["totals"]
    least, peak, most = (stats["peak_memory%s_mib" % part] for part in ("_at_least", "", "_at_most"))
    problems = []
    if not least <= truth * LEAST + SLACK_MIB:
        problems.append("least is above the truth")
    if not truth * PEAK[0] - SLACK_MIB <= peak <= truth * PEAK[1] + SLACK_MIB:
        problems.append("the peak is another")
    if most is None:
        problems.append("most is unknown")
    else:
        if not truth * MOST[0] - SLACK_MIB <= most <= truth * MOST[1] * (2 if name == IN_TURN else 1) + SLACK_MIB:
            problems.append("most is another")
        if not least <= peak <= most:
            problems.append("not least <= peak <= most")
    line = "%s, %s: truth %.0f, least %.0f (%.2f), peak %.0f (%.2f), most %s, exact memory %s cpu %s%s" % (
        name, way, truth, least, least / truth, peak, peak / truth,
        "null" if most is None else "%.0f (%.2f)" % (most, most / truth), stats["exact_memory"], stats["exact_cpu"],
        "".join("; " + problem for problem in problems))
    return problems, line, most / truth if most is not None and truth >= 100 else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--spool")
    parser.add_argument("--ways", default="preload,launcher")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    failures, ratios = 0, []
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    base = args.spool or tempfile.mkdtemp()
    for name, (needs, _, _) in JOBS.items():
        if args.names and name not in args.names:
            continue
        lack = missing(needs)
        if lack:
            print("NOTE: left out, as %s is not installed: %s" % (lack, name))
            continue
        for way in args.ways.split(","):
            for attempt in ("", "-again"):
                problems, line, ratio = judge(args, way, name, os.path.join(base, "%s-%s%s" % (name.replace(" ", "-"), way, attempt)))
                print("%s: %s" % ("ok" if not problems else "NOTE: once" if not attempt else "not ok", line), flush=True)
                if not problems:
                    break
            failures += bool(problems)
            ratios += [ratio] if ratio is not None else []
    median = statistics.median(ratios) if ratios else 0
    if median > MEDIAN and not args.names:
        failures += 1
    print("ordinary jobs: %d failures; median of most / truth %.2f" % (failures, median))
    if not args.spool:
        shutil.rmtree(base)
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
