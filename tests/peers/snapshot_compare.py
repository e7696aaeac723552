"""Compares rtrack-report with resource-tracker on generated spools: PYTHON snapshot_compare.py REPORT DIRECTORY

For each run, resource-tracker loads our snapshot and has our statistics. Our import of its dump has the same
statistics, and so has our import of our own snapshot. Prints one line per difference, then the number of runs."""

import gzip
import json
import logging
import os
import random
import subprocess
import sys
import time

from resource_tracker import ResourceTracker

logging.disable(logging.CRITICAL)
report, place = sys.argv[1:]
PROCESS = ("timestamp pid children utime stime cpu_usage memory_mib disk_read_bytes disk_write_bytes gpu_usage "
           "gpu_vram_mib gpu_utilized rss_mib threads").split()
SYSTEM = ("timestamp processes utime stime cpu_usage memory_free_mib memory_used_mib memory_buffers_mib "
          "memory_cached_mib memory_active_mib memory_inactive_mib disk_read_bytes disk_write_bytes "
          "disk_space_total_gb disk_space_used_gb disk_space_free_gb net_recv_bytes net_sent_bytes gpu_usage "
          "gpu_vram_mib gpu_utilized swap_used_mib").split()
DIGITS = {"timestamp": 3, "cpu_usage": 4, "gpu_usage": 4, "utime": 6, "stime": 6}


def cell(name, choice, gpu):
    if name.startswith("gpu_") and not gpu:
        return ""
    if name == "pid":
        return "10"
    if name.endswith("_bytes"):
        return str(choice.choice((0, choice.randrange(1 << 20), choice.randrange(1 << 36))))
    if name in ("children", "processes", "threads", "gpu_utilized"):
        return str(choice.randrange(9))
    # Two programs may round a tie in the last decimal differently.
    digits = 2 if name.endswith("_gb") else DIGITS.get(name, 3)
    scale = 8 if "usage" in name else 3000
    return f"{choice.choice((0, 0.125, 2.675, 1.005, choice.uniform(0, scale))):.{digits}f}"


def write_table(path, columns, times, choice, gpu):
    with open(path, "w") as out:
        out.write(",".join(f'"{name}"' for name in columns) + "\n")
        for t in times:
            out.write(",".join([f"{t:.3f}"] + [cell(name, choice, gpu) for name in columns[1:]]) + "\n")


def make_run(spool, number):
    choice = random.Random(number)
    rows = {0: 1, 1: 2, 2: 20000}.get(number, choice.randrange(1, 60))
    interval = choice.choice((1, 0.1, 10))
    start = 1700000000 + number * 100
    # Every third run has missing ticks. In every fourth run, one series is longer than the other.
    times = [start + (i + 1) * interval for i in range(rows) if i == 0 or number % 3 or choice.random() < 0.7]
    cut = max(1, len(times) - choice.randrange(4)) if number % 4 == 0 else len(times)
    name = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(start)) + f"-host-10-{number:04x}"
    directory = os.path.join(spool, name)
    os.makedirs(directory)
    gpu = number % 5 == 0
    both = [times, times[:cut]] if number % 8 else [times[:cut], times]
    write_table(os.path.join(directory, "process.csv"), PROCESS, both[0], choice, gpu)
    write_table(os.path.join(directory, "system.csv"), SYSTEM, both[1], choice, gpu)
    run = {"schema": 1, "id": name, "job": f"job-{number}", "command": ["x"], "pid": 10, "start_time": start,
           "stop_time": times[-1], "interval": interval, "status": "finished", "exit_code": 0, "labels": {"a": "ü"},
           "server": {"os": "Linux", "vcpus": 8, "memory_mib": 16000}, "tracker": {"mode": "preload"}}
    with open(os.path.join(directory, "run.json"), "w") as out:
        json.dump(run, out)
    return directory


def call(*arguments):
    return subprocess.run([report, *arguments], check=True, stdout=subprocess.PIPE).stdout


def content(run):
    return json.loads(gzip.decompress(call("export", run)))


def our_stats(run):
    return json.loads(call("stats", "--format", "json", run))["stats"]


def flat(stats, known):
    """Returns the statistics that resource-tracker has. It has 0 for figures that were not measured, and only for
    those."""
    result = {}
    for name, figures in stats.items():
        if name not in known:
            continue
        for kind, value in figures.items():
            if value is None:
                assert "gpu" in name, f"{name} is unknown"
                value = 0
            result[name, kind] = round(value, 2)
    return result


def compare(number, what, theirs, ours):
    for key in sorted(theirs.keys() | ours.keys()):
        if theirs.get(key) != ours.get(key):
            print(f"run {number}, {what}: {key} is {theirs.get(key)} and {ours.get(key)}")


def check(number):
    run = make_run(os.path.join(place, "spool"), number)
    ours = our_stats(run)
    file, again = (os.path.join(place, f"{number}.{name}.gz") for name in ("ours", "theirs"))
    call("export", run, "-o", file)
    tracker = ResourceTracker.load(file)
    theirs = tracker.stats()
    compare(number, "their load of our snapshot", flat(theirs, theirs), flat(ours, theirs))
    tracker.dump(again)
    spool = os.path.join(place, "imported")
    imported = call("import", again, "--spool", spool).decode().strip()
    compare(number, "our import of their dump", flat(our_stats(os.path.join(spool, imported)), theirs),
            flat(ours, theirs))
    spool = os.path.join(place, "own")
    imported = os.path.join(spool, call("import", file, "--spool", spool).decode().strip())
    if our_stats(imported) != ours or content(imported) != content(run):
        print(f"run {number}: our import of our snapshot is another run")


for number in range(50):
    check(number)
print("50 runs compared")
