#!/usr/bin/env python3
"""Checks that the output of rtrack-report is possible.

    possible.py [--report PROGRAM] [--runs N] [--every] SPOOL...
    possible.py [...] --below DIRECTORY...     checks each spool somewhere below these directories
    possible.py [...] --seed N --count M [--keep DIRECTORY]     checks M random spools (random_spools.py)

A figure may be unknown (null). Printed figures must not contradict each other: a mean is at most its peak, a peak is at
most the machine's, rows sum to their total, and a figure has the same value in every command. The functions `check_…`
below are the list of these rules.

For each spool, `list --all` is checked, and `show` for its latest N runs (all runs without --runs). --every checks
every command, format and group, which takes five times as long. Random spools are always checked in this way. The true
usage of a random job is known, so figures that are called exact are compared with it. A line is printed for each
contradiction, and the last line counts them.

Exit status: 0, or 1 if something was impossible."""
import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import random_spools

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Two readings of the kernel's clocks may differ by this much: a clock tick is 10 ms, and rows are rounded.
CPU_SECONDS, CPU_PART = 0.02, 0.01
TIME = 0.011
MIB = 0.002
LIBRARIES_MIB = 4  # Ticks count the memory of shared libraries once, but the peak of each process includes it.


class Checks:
    """Counts checks, and keeps the contradictions."""

    def __init__(self):
        self.count = 0
        self.found = []
        self.where = ""
        self.clock_is_set = False  # The clock was set on purpose in one of the current runs.
        self.of = ""  # a prefix for kinds: "group-" for runs that are reported as one

    def fail(self, kind, text):
        self.found.append(f"{self.where}: {self.of}{kind}: {text}")

    def holds(self, kind, so, text):
        self.count += 1
        if not so:
            self.fail(kind, text)

    def at_most(self, kind, low, high, by=0.0, of=""):
        """`low` and `high` are pairs of a name and a figure. If either is unknown, nothing is checked."""
        if low[1] is None or high[1] is None:
            return
        self.holds(kind, low[1] <= high[1] + by, f"{of}{low[0]} {low[1]} is above {high[0]} {high[1]}")

    def same(self, kind, name, values):
        """`values` maps the place of a figure to its value."""
        one = next(iter(values.values()))
        self.holds(kind, all(equal(value, one) for value in values.values()),
                   f"{name} is " + ", ".join(f"{value} in {place}" for place, value in values.items()))


def equal(a, b):
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return abs(a - b) <= 1e-9 * max(abs(a), abs(b))
    return a == b


def cpu_slack(seconds):
    return CPU_SECONDS + CPU_PART * (seconds or 0)


def known_sum(values):
    values = [value for value in values if value is not None]
    return sum(values) if values else None


# -- the rules -------------------------------------------------------------------------------------


class Machine:
    """The most that a run can have used: `cpus` and `memory` (MiB), each None if unknown."""

    def __init__(self, run):
        server, tracker = run.get("server") or {}, run.get("tracker") or {}
        self.cpus = max(tracker.get("cpus") or 0, server.get("vcpus") or 0) or None
        self.memory = server.get("memory_mib")
        start, stop = run.get("start_time"), run.get("stop_time")
        self.seconds = None if None in (start, stop) or stop < start else stop - start


def check_signs(checks, totals):
    """No amount is negative."""
    for name, value in totals.items():
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            checks.holds("negative", value >= 0, f"{name} is {value}")


def check_cpu(checks, totals, machine):
    """CPU time is at most what the CPUs can give in that time. It is the sum of user and system time. The mean is CPU
    time / time."""
    cpu, wall, mean = totals["cpu_seconds"], totals["wall_seconds"], totals["mean_cpu_usage"]
    if machine.seconds is not None and cpu is not None and not checks.clock_is_set:
        checks.holds("wall-unknown", wall is not None,
                     f"wall_seconds is unknown, the run took {machine.seconds} s of {machine.cpus} CPUs, and used {cpu} s")
    if machine.cpus and wall is not None:
        checks.at_most("cpu-above-machine", ("cpu_seconds", cpu), (f"{machine.cpus} CPUs × {wall} s", machine.cpus * wall),
                       cpu_slack(cpu))
        checks.at_most("mean-cpu-above-machine", ("mean_cpu_usage", mean), ("CPUs of the machine", machine.cpus),
                       cpu_slack(cpu) / max(wall, 1e-3))
    if None not in (cpu, totals["user_seconds"], totals["system_seconds"]):
        checks.holds("user-and-system", abs(totals["user_seconds"] + totals["system_seconds"] - cpu) < 3e-6,
                     f"user {totals['user_seconds']} and system {totals['system_seconds']} are not cpu_seconds {cpu}")
    wait, wanted = totals["cpu_wait_seconds"], totals["cpus_wanted"]
    if None not in (cpu, wall, wait) and wall > 0:
        checks.holds("cpus-wanted", wanted is not None and abs(wanted - (cpu + wait) / wall) <= 1e-4 + wanted * 1e-3 / wall,
                     f"cpus_wanted {wanted} is not (cpu_seconds {cpu} + cpu_wait_seconds {wait}) / wall_seconds {wall}")
    if None not in (cpu, wall, mean) and wall > 0:
        checks.holds("mean-cpu", abs(mean - cpu / wall) <= 1e-4 + mean * 1e-3 / wall,
                     f"mean_cpu_usage {mean} is not cpu_seconds {cpu} / wall_seconds {wall}")


def check_memory(checks, totals, machine):
    """Mean ≤ peak ≤ machine; one process ≤ all; least ≤ peak ≤ most."""
    peak = ("peak_memory_mib", totals["peak_memory_mib"])
    most = ("peak_memory_at_most_mib", totals["peak_memory_at_most_mib"])
    checks.at_most("mean-memory-above-peak", ("mean_memory_mib", totals["mean_memory_mib"]), peak, MIB)
    checks.at_most("process-above-all", ("peak_process_memory_mib", totals["peak_process_memory_mib"]), peak, MIB)
    checks.at_most("least-above-peak", ("peak_memory_at_least_mib", totals["peak_memory_at_least_mib"]), peak, MIB)
    checks.at_most("peak-above-most", peak, most, MIB)
    checks.at_most("memory-above-machine", peak, ("memory of the machine", machine.memory), MIB)
    checks.at_most("most-above-machine", most, ("memory of the machine", machine.memory), MIB)


def check_exact(checks, totals):
    """No bound contradicts a figure that is called exact."""
    cpu, missing = totals["cpu_seconds"], totals["missing_cpu_seconds_at_most"]
    least, most = totals["peak_memory_at_least_mib"], totals["peak_memory_at_most_mib"]
    checks.holds("exact", not totals["exact"] or (totals["exact_cpu"] and totals["exact_memory"]),
                 "exact, but exact_cpu or exact_memory is not")
    if totals["exact_cpu"]:
        checks.holds("exact-cpu-unknown", cpu is not None, "exact_cpu of an unknown CPU time")
        checks.holds("exact-cpu-missing", missing is not None and missing <= cpu_slack(cpu),
                     f"exact_cpu, but of {cpu} s may be missing {missing}")
    if totals["exact_memory"]:
        checks.holds("exact-memory-unknown", least is not None, "exact_memory of an unknown peak")
        checks.holds("exact-memory-bound", most is not None and most <= 1.05 * (least or 0) + LIBRARIES_MIB,
                     f"exact_memory, but the peak of {least} at least may be {most}")


def check_counts(checks, totals):
    """Each process is counted once."""
    processes = ("processes", totals["processes"])
    checks.at_most("unseen-above-processes", ("ended_unseen", totals["ended_unseen"]), processes)
    checks.at_most("living-above-processes", ("still_running", totals.get("still_running")), processes)


def check_totals(checks, totals, machine):
    check_signs(checks, totals)
    check_cpu(checks, totals, machine)
    check_memory(checks, totals, machine)
    check_exact(checks, totals)
    check_counts(checks, totals)


def check_times(checks, run):
    """A run does not stop before it starts."""
    checks.at_most("stop-before-start", ("start_time", run.get("start_time")), ("stop_time", run.get("stop_time")), 1e-6)


def check_statistics(checks, stats, totals, machine):
    """Charts show at most the printed figures: mean ≤ maximum ≤ peak of the run ≤ machine."""
    for name, figure in stats.items():
        if "mean" in figure and "max" in figure:
            checks.at_most("statistic", (f"{name}.mean", figure["mean"]), (f"{name}.max", figure["max"]), 0.006)
    checks.at_most("chart-above-peak", ("stats.process_memory_mib.max", stats["process_memory_mib"]["max"]),
                   ("totals.peak_memory_mib", totals["peak_memory_mib"]), 0.006)
    checks.at_most("chart-above-machine", ("stats.process_cpu_usage.max", stats["process_cpu_usage"]["max"]),
                   ("CPUs of the machine", machine.cpus), 0.006)


def check_usage(checks, rows, totals, by):
    """Usage by program, or by process, sums to the totals; no row is negative, or more than its total."""
    for name, slack in (("cpu_seconds", cpu_slack(totals["cpu_seconds"])), ("disk_read_bytes", 0), ("disk_write_bytes", 0)):
        total, amount = totals[name], known_sum(row[name] for row in rows)
        if total is None or amount is None:
            continue
        checks.holds(f"usage-sum-{name}", abs(amount - total) <= 1e-6 * (len(rows) + 1) + 1e-9 * abs(total),
                     f"{name} by {by} sums to {amount:.6f}, the total is {total}")
        for row in rows:
            value = row[name]
            if value is None:
                continue
            checks.holds(f"usage-negative-{name}", value >= -slack, f"{name} of {row['program']!r} is {value} of {total}")
            checks.holds(f"usage-above-total-{name}", value <= total + slack,
                         f"{name} of {row['program']!r} is {value} of {total}")
    checks.holds("usage-processes", known_sum(row["processes"] for row in rows) == totals["processes"] or not rows,
                 f"processes by {by} are {known_sum(row['processes'] for row in rows)}, in totals {totals['processes']}")
    for row in rows:
        checks.at_most("program-above-process", ("peak_memory_mib", row["peak_memory_mib"]),
                       ("peak_process_memory_mib", totals["peak_process_memory_mib"]), MIB, f"{row['program']!r}: ")


def check_processes(checks, rows, run, totals):
    """A process ends after its start, and within its run."""
    start = run.get("start_time")
    stop = None if start is None or totals["wall_seconds"] is None else start + totals["wall_seconds"]
    for row in rows:
        if "pid" not in row:
            continue
        of = f"process {row['pid']} ({row['program']}): "
        began, ended = ("start_time", row["start_time"]), ("end_time", row["end_time"])
        checks.at_most("process-ends-before-start", began, ended, TIME, of)
        checks.at_most("process-after-run", ended, ("the stop of the run", stop), TIME, of)


def check_stretch(checks, what, stretch, totals, machine):
    """A part or a phase uses at most the usage of the run, and at most what its duration allows."""
    of = f"{what} {stretch.get('name', '')}: "
    cpu, mean = ("cpu_seconds", stretch["cpu_seconds"]), ("mean_cpu_usage", stretch["mean_cpu_usage"])
    seconds = stretch.get("seconds", stretch["stop_time"] - stretch["start_time"])
    checks.at_most(f"{what}-stops-before-start", ("start_time", stretch["start_time"]), ("stop_time", stretch["stop_time"]), 0, of)
    checks.at_most(f"{what}-longer-than-itself", ("seconds", seconds),
                   ("stop − start", stretch["stop_time"] - stretch["start_time"]), 0.0021, of)
    checks.at_most(f"{what}-cpu-above-run", cpu, ("that of the run", totals["cpu_seconds"]), cpu_slack(totals["cpu_seconds"]), of)
    if machine.cpus:
        checks.at_most(f"{what}-cpu-above-machine", cpu, (f"{machine.cpus} CPUs × {seconds:.3f} s", machine.cpus * seconds),
                       0.25 + cpu_slack(cpu[1]), of)
        checks.at_most(f"{what}-mean-above-machine", mean, ("CPUs of the machine", machine.cpus),
                       (0.25 + cpu_slack(cpu[1])) / max(seconds, 1e-3), of)
    if None not in (cpu[1], mean[1]) and seconds > 0.1 and what == "part":
        checks.holds("part-mean", abs(mean[1] - cpu[1] / seconds) <= 1e-4 + mean[1] * 2e-3 / seconds,
                     f"{of}mean {mean[1]} is not {cpu[1]} / {seconds}")
    checks.at_most(f"{what}-memory-above-run", ("peak_memory_mib", stretch["peak_memory_mib"]),
                   ("that of the run", totals["peak_memory_mib"]), MIB, of)
    checks.at_most(f"{what}-mean-cpu-above-peak", mean, ("peak_cpu_usage", stretch.get("peak_cpu_usage")), 1e-4, of)
    checks.at_most(f"{what}-mean-memory-above-peak", ("mean_memory_mib", stretch.get("mean_memory_mib")),
                   ("peak_memory_mib", stretch["peak_memory_mib"]), MIB, of)
    for name in ("disk_read_bytes", "disk_write_bytes"):
        checks.at_most(f"{what}-bytes-above-run", (name, stretch[name]), (f"{name} of the run", totals[name]), 1, of)


def check_phases(checks, phases, totals):
    """Phases are contiguous, and sum to at most the run."""
    for before, after in zip(phases, phases[1:]):
        checks.holds("phases-apart", before["stop_time"] == after["start_time"],
                     f"a phase stops at {before['stop_time']}, the next starts at {after['start_time']}")
    checks.at_most("phases-above-run", ("CPU time of all phases", known_sum(phase["cpu_seconds"] for phase in phases)),
                   ("cpu_seconds of the run", totals["cpu_seconds"]), 1e-5)


def check_parts(checks, parts, run, totals):
    """A part lies within its run."""
    if run.get("start_time") is None or totals["wall_seconds"] is None:
        return
    for part in parts:
        of = f"part {part['name']}: "
        checks.at_most("part-before-run", ("start of the run", run["start_time"]), ("start_time", part["start_time"]), 0.02, of)
        checks.at_most("part-after-run", ("stop_time", part["stop_time"]),
                       ("stop of the run", run["start_time"] + totals["wall_seconds"]), TIME, of)


def check_prices(checks, prices, totals):
    """With fewer CPUs a run does not become shorter. With more it becomes shorter by at most its time waiting for a CPU."""
    for fewer, more in zip(prices, prices[1:]):
        checks.holds("cpu-prices", fewer["cpus"] < more["cpus"] and fewer["seconds"] >= more["seconds"],
                     f"{fewer['cpus']} CPUs take {fewer['seconds']} s, {more['cpus']} take {more['seconds']}")
    for price in prices:
        least = None if totals["wall_seconds"] is None else totals["wall_seconds"] - (totals["cpu_wait_seconds"] or 0)
        checks.at_most("cpu-prices", ("wall_seconds less cpu_wait_seconds", least),
                       (f"with {price['cpus']} CPUs", price["seconds"]), 0.01)


def check_request(checks, recommendation, machine):
    """Each requested amount is positive."""
    resources = recommendation["resources"]
    for name in ("cpu", "memory", "seconds"):
        checks.holds("request", resources.get(name) is None or resources[name] > 0, f"asked for is {name} {resources.get(name)}")


def check_show(checks, show):
    """Applies all rules to one run, or to a group that is reported as one run."""
    run, totals = show["run"], show["totals"]
    machine = Machine(run)
    check_times(checks, run)
    check_totals(checks, totals, machine)
    check_statistics(checks, show["stats"], totals, machine)
    check_usage(checks, show["programs"], totals, "program")
    for phase in show.get("phases", []):
        check_stretch(checks, "phase", phase, totals, machine)
    check_phases(checks, show.get("phases", []), totals)
    for part in show.get("parts", []):
        check_stretch(checks, "part", part, totals, machine)
    check_parts(checks, show.get("parts", []), run, totals)
    check_prices(checks, show.get("cpu_prices", []), totals)
    if show.get("recommendation"):
        check_request(checks, show["recommendation"], machine)


def check_group(checks, show, runs):
    """A group is the sum of its runs: it has their CPU time and bytes, and its peak is between their largest peak and
    the sum of their peaks."""
    totals, told = show["totals"], [member for member in show["group"]["members"] if "totals" in member]
    members = [member for member in told if member.get("counted", True)]
    for name in ("cpu_seconds", "disk_read_bytes", "disk_write_bytes"):
        amount = known_sum(member["totals"][name] for member in members)
        if None not in (totals[name], amount):
            checks.holds("sum", abs(totals[name] - amount) <= 1e-6 * (len(members) + 1) + 1e-9 * amount,
                         f"{name} of the group is {totals[name]}, its members have {amount}")
    peaks = [member["totals"]["peak_memory_mib"] for member in members if member["totals"]["peak_memory_mib"] is not None]
    if peaks:
        checks.at_most("peak-below-member", ("the largest peak of a member", max(peaks)),
                       ("that of the group", totals["peak_memory_mib"]), MIB)
        checks.at_most("peak-above-members", ("the peak of the group", totals["peak_memory_mib"]),
                       ("the sum of its members'", sum(peaks)), MIB * len(peaks))
    missing = [member["totals"]["missing_cpu_seconds_at_most"] for member in members]
    if totals["exact_cpu"] and members:
        checks.holds("exact-parts", None not in missing and sum(missing) <= cpu_slack(totals["cpu_seconds"]),
                     f"exact_cpu, but of {totals['cpu_seconds']} s members may lack {missing}")
    for member in told:
        checks.same("member", "totals of " + member["id"], {"group": member["totals"], "list": runs.get(member["id"])})


def check_truth(checks, totals, truth):
    """Figures called exact must equal the real usage of a run. Only for runs whose files are intact."""
    cpu, missing, true_cpu = totals["cpu_seconds"], totals["missing_cpu_seconds_at_most"], truth["cpu_seconds"]
    peak, most, true_peak = totals["peak_memory_mib"], totals["peak_memory_at_most_mib"], truth["peak_memory_mib"]
    checks.at_most("truth-cpu", ("cpu_seconds", cpu), ("what was used", true_cpu), cpu_slack(true_cpu))
    checks.at_most("truth-processes", ("processes", totals["processes"]), ("those there were", truth["processes"]))
    if totals["exact_cpu"]:
        checks.holds("truth-exact-cpu", abs(cpu - true_cpu) <= cpu_slack(true_cpu), f"exact_cpu {cpu}, but {true_cpu} were used")
    if None not in (cpu, missing):
        checks.at_most("truth-missing-cpu", ("what was used", true_cpu), ("cpu_seconds and what may be missing", cpu + missing),
                       cpu_slack(true_cpu))
    # The upper bound is checked only if it must be valid. A process without an exit record may have used more, and an
    # unrecorded process has no bound. If processes live a few milliseconds, it is unknown which of them overlapped.
    if totals["ended_unseen"] == 0 and totals["processes"] == truth["processes"] and truth["shortest_life"] > 0.02:
        checks.at_most("truth-most", ("the true peak", true_peak), ("peak_memory_at_most_mib", most), 1 + 0.1 * true_peak)
    if totals["exact_memory"]:
        checks.holds("truth-exact-memory", abs(peak - true_peak) <= LIBRARIES_MIB + 0.06 * true_peak,
                     f"exact_memory {peak}, but the peak was {true_peak}")


def points(line):
    """Returns the figures of a line of a page's chart (report/say/markup.h: markup_write_points)."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    values, whole, number, shift, repeats, latest = [], 0, 0, 0, False, None
    for letter in line["d"]:
        if letter == ".":
            values.append(None)
            latest = "."
        elif letter == "~":
            repeats = True
        else:
            number |= (digits.index(letter) & 31) << shift
            shift += 5
            if digits.index(letter) >= 32:
                continue
            value, number, shift = -(number >> 1) - 1 if number & 1 else number >> 1, 0, 0
            if not repeats:
                latest = value
            for _ in range(value if repeats else 1):
                whole += latest if latest != "." else 0
                values.append(None if latest == "." else whole * line["step"])
            repeats = False
    return values


# -- the program's output --------------------------------------------------------------------------


class Report:
    def __init__(self, program):
        self.program = program
        self.calls = 0

    def text(self, *words):
        self.calls += 1
        done = subprocess.run([self.program, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, close_fds=False)
        return done.stdout.decode("utf-8", "replace")

    def json(self, *words):
        """Returns the JSON output, or None if there is none, as for a run without usable data."""
        text = self.text(*words, "--format", "json")
        return json.loads(text) if text.strip() else None


def check_one_value(checks, report, spool, listed, show, usage=None):
    """One figure has one value in every command and format."""
    run, totals = show["run"], show["totals"]
    place = os.path.join(spool, listed["id"])
    stats = report.json("stats", place)
    checks.same("one-value", "outcome", {"list": listed["outcome"], "show": show["ended"]["outcome"]})
    for name in totals:
        checks.same("one-value", name, {"show": totals[name], "stats": stats["totals"].get(name), "list": listed["totals"].get(name)})
    checks.same("one-value", "stats", {"show": show["stats"], "stats": stats["stats"]})
    metrics = dict(re.findall(r"^rtrack_run_(\w+)\{[^\n]*\} (\S+)$", report.text("export", place, "--to", "prometheus-textfile"), re.M))
    for name, value in metrics.items():
        if name in totals and totals[name] is not None:
            checks.same("one-value", name, {"show": float(totals[name]), "prometheus": float(value)})
    compared = report.json("compare", place, place)
    for name, figure in (compared or {"figures": {}})["figures"].items():
        if name in totals:
            checks.same("one-value", name, {"show": totals[name], "compare, A": figure["a"], "compare, B": figure["b"]})
        checks.holds("compare-with-itself", figure["a"] == figure["b"] and figure["change"] in (None, 0)
                     and figure["change_percent"] in (None, 0), f"{name}: {figure}")
    if compared:
        checks.holds("compare-with-itself", compared["a"]["outcome"] == listed["outcome"],
                     f"outcome {compared['a']['outcome']}, in list {listed['outcome']}")
    usage = (report.json("show", place, "--by", "process") or {}).get("bill", [])
    check_usage(checks, usage, totals, "process")
    check_processes(checks, usage, run, totals)


def check_spool(checks, report, spool, runs=None, every=False, truth=()):
    """Checks the runs of a spool and returns their number. `truth` is the result of random_spools.make_spool."""
    true = {run["id"]: run for run in truth if not run["kinds"]}
    checks.clock_is_set = any("clock" in run["kinds"] for run in truth)
    listed = report.json("list", "--all", "--spool", spool) or []
    totals, groups = {}, {}
    for at, run in enumerate(listed):
        checks.where = os.path.join(spool, run["id"])
        totals[run["id"]] = run["totals"]
        check_times(checks, run)
        check_totals(checks, run["totals"], Machine(run))
        if run["id"] in true:
            check_truth(checks, run["totals"], true[run["id"]])
        if runs is not None and at >= runs:
            continue
        show = report.json("show", os.path.join(spool, run["id"]))
        if not show or "programs" not in show:
            continue
        check_show(checks, show)
        if every:
            check_one_value(checks, report, spool, run, show)
            for group in (run.get("group"), run.get("script")):
                if group:
                    groups.setdefault(group, []).append(run["id"])
    for group, members in groups.items():
        if len(members) < 2:
            continue
        checks.where, checks.of = f"{spool}: group {group}", "group-"
        show = report.json("show", "--spool", spool, "--group", group)
        if show and "group" in show:
            check_show(checks, show)
            check_group(checks, show, totals)
            told = report.json("stats", "--spool", spool, "--group", group)
            for name, value in show["totals"].items():
                checks.same("one-value", name, {"show": value, "stats": told["totals"].get(name)})
    checks.of = ""
    return len(listed)


def spools_below(directories):
    """Returns each directory that contains run directories, except those with a file .impossible, whose figures are
    impossible on purpose."""
    found = set()
    for top in directories:
        for place, inner, files in os.walk(top):
            if "process.csv" in files and ("run.json" in files or "start.csv" in files):
                found.add(os.path.dirname(place))
                inner[:] = []
    return sorted(place for place in found if not os.path.exists(os.path.join(place, ".impossible")))


def check_random(checks, report, seeds, keep):
    """Makes the spool of each seed, checks it, and removes it unless it has a contradiction or is to be kept. Every
    second intact spool and every second broken spool gets all checks."""
    made, runs = keep or tempfile.mkdtemp(prefix="rtrack-possible-"), 0
    for seed in seeds:
        spool, before = os.path.join(made, str(seed)), len(checks.found)
        shutil.rmtree(spool, ignore_errors=True)
        truth = random_spools.make_spool(seed, spool)
        runs += check_spool(checks, report, spool, every=seed % 4 < 2, truth=truth)
        if not keep and len(checks.found) == before:
            shutil.rmtree(spool)
    if not keep and not os.listdir(made):
        os.rmdir(made)
    return runs


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--report", default=os.path.join(ROOT, "build/rtrack-report"))
    parser.add_argument("--runs", type=int)
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--below", action="store_true")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--keep")
    parser.add_argument("places", nargs="*")
    given = parser.parse_args()
    for name in [name for name in os.environ if name.startswith("RTRACK")]:
        del os.environ[name]
    checks, report, runs = Checks(), Report(given.report), 0
    if given.seed is not None:
        runs += check_random(checks, report, range(given.seed, given.seed + given.count), given.keep)
    for spool in spools_below(given.places) if given.below else given.places:
        runs += check_spool(checks, report, spool, given.runs, given.every)
    for line in checks.found:
        print(line)
    print(f"{runs} runs, {checks.count} checks, {len(checks.found)} contradictions, {report.calls} calls of rtrack-report")
    return 1 if checks.found else 0


if __name__ == "__main__":
    sys.exit(main())
