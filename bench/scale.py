# SPDX-License-Identifier: Apache-2.0
"""Measures how costs grow with the number of processes, runs, programs or rows: the cost of one, for three numbers.

If the cost of one stays constant, no operation on one of them reads all of them."""
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager

from figures import heading, line
from processes import cpu_of, status_of

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS = 10  # of ticks that are measured


class Scale:
    def __init__(self, build, programs, percent):
        self.programs, self.percent = programs, percent
        self.launcher, self.report, self.library = (
            os.path.join(build, name) for name in ("rtrack-run", "rtrack-report", "librtrack.so"))

    def sizes(self, largest):
        return [max(1, largest * self.percent // 100 // divisor) for divisor in (100, 10, 1)]

    @contextmanager
    def spool(self):
        with tempfile.TemporaryDirectory(prefix="rtrack-bench-") as folder:
            yield os.path.join(folder, "spool")

    def timed(self, *words, spool):
        """Runs a command of rtrack-report. Returns its wall time in s and its peak memory in MiB. The peak is at least
        the memory of this Python process, because fork copies it."""
        before = time.monotonic()
        process = subprocess.Popen([self.report, *words, "--spool", spool], stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        if status != 0:
            sys.exit("bench: rtrack-report %s failed" % words[0])
        return time.monotonic() - before, usage.ru_maxrss / 1024

    def make_spool(self, spool, runs, ticks):
        subprocess.run([sys.executable, os.path.join(HERE, "spool.py"), spool, str(runs), str(ticks)], check=True)

    def told(self, what, *words, spool, unit, per, count):
        """Prints the time of a command, in total and for each of `count / per` units."""
        seconds, memory = self.timed(*words, spool=spool)
        line("  %s" % what, "%.2f" % seconds, "s")
        line("  … for each %s" % unit, "%.2f" % (seconds / count * per * 1e6), "µs")
        line("  … largest memory", "%.0f" % memory, "MiB")

    # -- the tracker --

    def living(self):
        """Measures one run with many sleeping processes."""
        for count in self.sizes(10000):
            with self.spool() as spool:
                began = time.monotonic()
                run = subprocess.Popen(
                    [self.launcher, "--interval", "1", os.path.join(self.programs, "crowd"), str(count), "0", "600"],
                    env={**os.environ, "RTRACK_SPOOL": spool}, stdout=subprocess.DEVNULL)
                until_seen = wait_for(lambda: members_in(spool) >= count) - began
                # The first ticks read each process completely, so they are not measured.
                first, used = (used_by([run], lambda: time.sleep(SECONDS)) / SECONDS for _ in range(2))
                peak = status_of(run.pid, "VmHWM")
                run.terminate()
                run.wait()
            heading("one run of %d living processes, a tick each second" % count)
            line("  CPU time of a tick", "%.2f" % used, "ms")
            line("  … for each process", "%.2f" % (used / count * 1000), "µs")
            line("  … of the first ten that had them all", "%.2f" % first, "ms")
            line("  until a row had them all", "%.1f" % until_seen, "s")
            line("  largest memory of the sampler", "%.0f" % peak, "KiB")
            line("  … for each process", "%.0f" % (peak * 1024 / count), "B")

    def runs(self):
        """Measures many concurrent runs of a user, also while other programs start."""
        storm = [os.path.join(self.programs, "storm"), "spawn", "1000", "/bin/true"]
        for count in self.sizes(1000):
            for name, words, variables in (("rtrack-run", [self.launcher], {}), ("LD_PRELOAD", [], {"LD_PRELOAD": self.library})):
                with self.spool() as spool:
                    started = [subprocess.Popen([*words, "sleep", "600"], env={**os.environ, "RTRACK_SPOOL": spool, **variables},
                                                stdout=subprocess.DEVNULL) for _ in range(count)]
                    wait_for(lambda: rows_begun(spool) >= count)
                    time.sleep(2)
                    quiet = used_by(started, lambda: time.sleep(SECONDS)) / SECONDS
                    busy, took = storm_beside(started, storm)
                    memory = sum(pss_of(process.pid) for process in started)
                    for process in started:
                        process.terminate()
                    for process in started:
                        process.wait()
                heading("%d runs at the same time, by %s" % (count, name))
                line("  CPU time of a tick of each", "%.3f" % (quiet / count), "ms")
                line("  all of them, of one CPU", "%.2f" % (quiet / 10), "%")
                line("  … for each program that others start", "%.1f" % (max(0, busy - quiet * took) / 1000 / count * 1000), "µs")
                line("  memory of each, what is shared once", "%.0f" % (memory / count), "KiB")

    def execs(self):
        """Measures one run that starts many programs, one after the other."""
        for count in self.sizes(100000):
            with self.spool() as spool:
                command = [self.launcher, os.path.join(self.programs, "storm"), "spawn", str(count), "/bin/true"]
                before = time.monotonic()
                process = subprocess.Popen(command, env={**os.environ, "RTRACK_SPOOL": spool}, stdout=subprocess.DEVNULL)
                peak = peak_until_end(process)
                seconds = time.monotonic() - before
                heading("a storm of %d execs in one run" % count)
                line("  for each exec, the storm and the tracker", "%.0f" % (seconds / count * 1e6), "µs")
                line("  largest memory of the sampler", "%.0f" % peak, "KiB")
                line("  spool for each exec", "%.0f" % (bytes_of(spool) / count), "B")
                self.told("show", "show", spool=spool, unit="exec", per=1, count=count)
                self.told("html", "html", "-o", spool + ".html", spool=spool, unit="exec", per=1, count=count)
                line("  … size of the page", "%.0f" % (os.path.getsize(spool + ".html") / 1000), "kB")

    # -- the report --

    def days(self):
        """Measures one run that lasts for days."""
        for ticks in self.sizes(30 * 86400):
            with self.spool() as spool:
                self.make_spool(spool, 1, ticks)
                heading("one run of %.1f days at 1 Hz, %.1f MiB" % (ticks / 86400, bytes_of(spool) / 2**20))
                self.told("stats", "stats", "--format", "json", spool=spool, unit="tick", per=1, count=ticks)
                self.told("html", "html", "-o", spool + ".html", spool=spool, unit="tick", per=1, count=ticks)
                line("  … size of the page", "%.0f" % (os.path.getsize(spool + ".html") / 1000), "kB")

    def spools(self):
        """Measures a spool with many runs. Every hundredth run belongs to the same job."""
        for count in self.sizes(100000):
            with self.spool() as spool:
                self.make_spool(spool, count, 4)
                heading("a spool of %d runs" % count)
                self.told("list, the first time", "list", spool=spool, unit="run", per=1, count=count)
                self.told("list", "list", spool=spool, unit="run", per=1, count=count)
                self.told("list --format json", "list", "--format", "json", spool=spool, unit="run", per=1, count=count)
                self.told("history of a job of each hundredth", "stats", "job.R", "--runs", str(count), spool=spool, unit="run",
                          per=1, count=count)


def wait_for(is_so, seconds=300):
    """Calls is_so ten times per second until it returns true. Returns the time."""
    until = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > until:
            sys.exit("bench: what was waited for did not come in %d s" % seconds)
        time.sleep(0.1)
    return time.monotonic()


def peak_until_end(process):
    """Reads the peak memory of a process ten times per second until the process ends. Returns the last value in KiB."""
    peak = 0
    while True:
        try:
            peak = max(peak, status_of(process.pid, "VmHWM"))
        except StopIteration:
            pass  # it has ended
        try:
            process.wait(0.1)
            return peak
        except subprocess.TimeoutExpired:
            continue


def last_row(path):
    try:
        with open(path, encoding="utf-8") as file:
            names, *rows = file.read().split("\n")[:-1]
    except (FileNotFoundError, ValueError):
        return {}
    return dict(zip((name.strip('"') for name in names.split(",")), rows[-1].split(","))) if rows else {}


def members_in(spool):
    """Returns the number of processes in the last row of the only run in a spool."""
    runs = os.listdir(spool) if os.path.isdir(spool) else []
    return int(last_row(os.path.join(spool, runs[0], "process.csv")).get("members") or 0) if runs else 0


def rows_begun(spool):
    """Returns how many runs of a spool have a row."""
    runs = os.listdir(spool) if os.path.isdir(spool) else []
    return sum(bool(last_row(os.path.join(spool, run, "process.csv"))) for run in runs)


def used_by(processes, action):
    """Returns the CPU time in ms that the processes use during the action."""
    before = sum(cpu_of(process.pid) for process in processes)
    action()
    return sum(cpu_of(process.pid) for process in processes) - before


def storm_beside(processes, storm):
    """Returns the CPU time in ms that the processes use during a storm of other programs, and the storm's seconds."""
    since = time.monotonic()

    def action():
        subprocess.run(storm, stdout=subprocess.DEVNULL, check=True)
        # Each tracker has one more tick, which belongs to the measurement.
        time.sleep(max(0.0, 1 - time.monotonic() % 1) + 1)

    used = used_by(processes, action)
    return used, time.monotonic() - since


def pss_of(pid):
    with open("/proc/%d/smaps_rollup" % pid, encoding="ascii") as file:
        return next(int(text.split()[1]) for text in file if text.startswith("Pss:"))


def bytes_of(spool):
    return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(spool) for name in names)


def measure(build, programs, percent):
    scale = Scale(build, programs, percent)
    if shutil.disk_usage(tempfile.gettempdir()).free < 8 * 2**30:
        sys.exit("bench: scale needs 8 GiB in %s" % tempfile.gettempdir())
    for part in (scale.living, scale.runs, scale.execs, scale.days, scale.spools):
        part()
