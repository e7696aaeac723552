#!/usr/bin/env python3
"""Makes a spool of many small runs, without running anything.

    fleet_spool.py SPOOL RUNS [ROWS]     RUNS runs, a minute apart, with ROWS rows (default 3) in each series

Run N belongs to the job `job N%10` and the user `ann` or `bob`. Each fourth run is in the group `g N/4` of 4 ranks;
rank 3 is missing in each fifth group. Each 25th run was killed by the OOM killer. Columns are those of
core/columns.def."""
import datetime
import json
import os
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START = 1795219200  # 2026-11-21 00:00:00 UTC


def layouts():
    found = {}
    text = (ROOT / "core/columns.def").read_text()
    for table, name, digits, kind in re.findall(r'^COLUMN\((\w+), (\w+), "[^"]*", (\d+), (\w+)', text, re.M):
        found.setdefault(table, []).append((name, int(digits), kind))
    return found


def cell(value, digits, kind):
    if value is None:
        return ""
    return '"' + str(value).replace('"', '""') + '"' if kind == "TEXT" else f"{value:.{digits}f}"


def table(layout, rows):
    lines = [",".join(f'"{name}"' for name, _, _ in layout)]
    lines += [",".join(cell(row.get(name), digits, kind) for name, digits, kind in layout) for row in rows]
    return "\n".join(lines) + "\n"


def describe(number, id, start, rows):
    oom = number % 25 == 24
    grouped = number // 4 % 4 == 0
    return {
        "schema": 1, "id": id, "parent": None, "job": f"job {number % 10}", "command": ["sh", "-c", "it's \"so\""],
        "cwd": "/srv", "user": ["ann", "bob"][number % 2], "host": f"node{number % 8}", "pid": 100,
        "start_time": start + 0.25, "stop_time": start + rows + 0.5, "interval": 1.0,
        "status": "killed" if oom else "finished", "exit_code": None if oom else 0,
        "exit_signal": 9 if oom else None, "killed_by": "oom" if oom else None, "labels": {"team": f"t{number % 3}"},
        "group": f"g{number // 4}" if grouped else None,
        "member": {"rank": number % 4 if grouped else None, "node": number % 2 if grouped else None,
                   "of": 4 if grouped else None},
        "requested": {"cpu": 2, "memory_mib": 1024.0, "gpu": None, "seconds": 3600},
        "server": {"os": "Linux", "vcpus": 4, "memory_mib": 8192.0, "cpu_model": "A CPU"},
        "tracker": {"version": "0.1.0", "mode": "launcher", "truncated": 0, "reaped_peak_mib": 50.5,
                    "cgroup_cpu": None, "cgroup_shared": None},
    }


def write_run(spool, number, rows, layout):
    start = START + 60 * number
    stamp = datetime.datetime.fromtimestamp(start, datetime.timezone.utc).strftime("%Y%m%dT%H%M%SZ")
    id = f"{stamp}-node{number % 8}-100-{number % 65536:04x}"
    if number // 4 % 20 == 0 and number % 4 == 3:
        return
    place = os.path.join(spool, id)
    os.mkdir(place, 0o700)
    series = [{"timestamp": start + 1 + row, "pid": 100, "children": 1, "utime": 0.5 + number % 4 / 8,
               "stime": 0.125, "cpu_usage": 0.625, "memory_mib": 10.5 + row + number % 10, "rss_mib": 12,
               "disk_read_bytes": 4096, "disk_write_bytes": 2 ** 40, "members": 2} for row in range(rows)]
    machine = [{"timestamp": row["timestamp"], "processes": 100, "utime": 1, "stime": 0.5, "cpu_usage": 1.5,
                "tracker_cpu": 0.001} for row in series]
    member = [{"timestamp": row["timestamp"], "pid": 101, "utime": 0.25, "memory_mib": 5} for row in series]
    starts = [{"timestamp": start + 0.25, "pid": 100, "start_ticks": 5, "ppid": 1, "exe": "/bin/sh",
               "command": "sh -c it's, \"so\""},
              {"timestamp": start + 0.5, "pid": 101, "start_ticks": 6, "ppid": 100, "exe": f"/opt/tool{number % 3}",
               "command": "tool, é"}]
    exits = [{"timestamp": start + rows, "pid": pid, "start_ticks": ticks, "ppid": ppid, "utime": 0.25, "stime": 0.0625,
              "peak_rss_mib": 20 + ticks, "exit_code": 0, "source": "self", "exact": 1, "exact_peak": 1,
              "children_left": 0} for pid, ticks, ppid in ((101, 6, 100), (100, 5, 1))]
    for name, lines in (("system", machine), ("process", series), ("member", member), ("start", starts),
                        ("exit", exits)):
        Path(place, f"{name}.csv").write_text(table(layout[name], lines))
    Path(place, "run.json").write_text(json.dumps(describe(number, id, start, rows), indent=2) + "\n")


def main():
    spool, runs = sys.argv[1], int(sys.argv[2])
    rows = int(sys.argv[3]) if len(sys.argv) > 3 else 3
    layout = layouts()
    os.makedirs(spool, mode=0o700, exist_ok=True)
    for number in range(runs):
        write_run(spool, number, rows, layout)


main()
