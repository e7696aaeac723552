#!/usr/bin/env python3
"""Makes the directory of a plausible run of any length, without running a job.

The page must be tested with more ticks than a test can wait for, with GPUs that no test machine has, and with unusual
names. The columns come from core/columns.def, so a run always has the current columns. Columns that are not filled here
stay empty."""
import argparse
import json
import math
import random
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
START = 1795226400.0  # 2026-11-21 02:00:00 UTC


def columns():
    tables = {}
    pattern = re.compile(r'^COLUMN\((\w+), (\w+), "[^"]*", (\d+), (\w+)', re.M)
    for table, name, digits, kind in pattern.findall((ROOT / "core/columns.def").read_text()):
        tables.setdefault(table, []).append((name, int(digits), kind))
    return tables


class Table:
    def __init__(self, directory, name, layout):
        self.file = open(directory / f"{name}.csv", "w", encoding="utf-8", errors="surrogateescape")
        self.layout = layout
        self.file.write(",".join(f'"{column}"' for column, _, _ in layout) + "\n")

    def row(self, **cells):
        out = []
        for name, digits, kind in self.layout:
            value = cells.get(name)
            if value is None:
                out.append("")
            elif kind == "TEXT":
                out.append('"' + str(value).replace('"', '""') + '"')
            else:
                out.append(f"{value:.{digits}f}")
        self.file.write(",".join(out) + "\n")


def run_json(options, stop):
    gpus = options.gpu
    ended = options.status != "running"
    return {
        "schema": 1, "id": options.out.name, "parent": None, "job": options.job,
        "command": ["Rscript", options.job, "--cores", "6"], "cwd": "/home/ada/forecast", "user": "ada",
        "host": "compute-7", "pid": 4242, "start_time": START, "stop_time": stop if ended else None,
        "interval": options.interval, "status": options.status,
        "exit_code": {"finished": 0, "failed": 3}.get(options.status),
        "exit_signal": 9 if options.status == "killed" else None, "labels": {"team": "forecast"},
        "server": {"os": "Linux 6.8.0 x86_64", "vcpus": 8, "memory_mib": 31_890.4, "gpu_count": gpus,
                   "gpu_names": ["NVIDIA L4"] * gpus, "gpu_name": "NVIDIA L4" if gpus else None,
                   "gpu_memory_mib": 23_034 * gpus, "allocation": None},
        "tracker": {"version": "0.1.0", "mode": "launcher"},
    }


def drawn(table, part):
    """Returns a figure for each column of a table that core/columns.def assigns to a chart."""
    pattern = re.compile(r'^COLUMN\(%s, (\w+), "[^"]*", \d+, \w+, \w+, (\w+),' % table, re.M)
    names = [name for name, chart in pattern.findall((ROOT / "core/columns.def").read_text()) if chart != "none"]
    return {name: 0.1 + part for name in names}


def shape(part, noise):
    """Returns the CPU usage, memory, reads and writes of a job that loads, trains and writes, at a part from 0 to 1."""
    if part < 0.18:
        return 0.9 + 0.2 * noise, 400 + 9000 * part, 120e6 * (0.6 + 0.4 * noise), 1e5
    if part < 0.85:
        wave = math.sin(part * 55)
        return 5.4 + 0.9 * wave + 0.5 * noise, 2600 + 900 * part + 160 * wave, 2e5, 2e6 * noise
    return 1.3 + 0.5 * noise, 3100 - 1200 * (part - 0.85), 1e4, 85e6 * noise


def make_members(table, options, step):
    """Gives 0.55 of the usage to the first process, and 0.55 of the share before to each further one."""
    held = {}
    for tick in range(1, options.ticks + 1):
        part, now = tick / options.ticks, START + tick * step
        cpu, memory, read, write = shape(part, 0.5)
        for i in range(min(options.commands, 4)):
            share = 0.55 ** (i + 1)
            rounded = round(memory * share)
            if cpu * share < 0.05 and held.get(i) == rounded:
                continue
            held[i] = rounded
            table.row(timestamp=now, pid=4242 + i, utime=cpu * share * step, stime=0, cpu_usage=cpu * share,
                      memory_mib=rounded, rss_mib=rounded * 1.1, disk_read_bytes=0, disk_write_bytes=0, threads=4)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--ticks", type=int, default=723)
    parser.add_argument("--interval", type=float, default=1.0)
    parser.add_argument("--job", default="forecast.R")
    parser.add_argument("--status", default="finished", choices=["finished", "failed", "killed", "running"])
    parser.add_argument("--gpu", type=int, default=0)
    parser.add_argument("--crowd", type=int, default=0, help="so many processes in all, for the timeline")
    parser.add_argument("--marks", type=int, default=0)
    parser.add_argument("--commands", type=int, default=7)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    layout, step, draw = columns(), options.interval, random.Random(7)
    stop = START + options.ticks * step
    run = json.dumps(run_json(options, stop), indent=2, ensure_ascii=False)
    (options.out / "run.json").write_bytes(run.encode("utf-8", "surrogateescape"))

    tables = {table: Table(options.out, table, layout[table]) for table in layout}
    used = 0.0
    for tick in range(1, options.ticks + 1):
        part, noise, now = tick / options.ticks, draw.random(), START + tick * step
        cpu, memory, read, write = shape(part, noise)
        spike = 2.1 if tick == options.ticks * 2 // 3 else 1.0
        memory *= spike
        used += cpu * step
        gpu = {"gpu_usage": options.gpu * (0.5 + 0.4 * noise) if 0.18 < part < 0.85 else 0.0,
               "gpu_vram_mib": 14_000.0 * options.gpu if part > 0.18 else 0.0,
               "gpu_utilized": options.gpu if 0.18 < part < 0.85 else 0} if options.gpu else {}
        tables["process"].row(
            timestamp=now, pid=4242, children=6, utime=cpu * step * 0.93, stime=cpu * step * 0.07, cpu_usage=cpu,
            memory_mib=memory, disk_read_bytes=read * step, disk_write_bytes=write * step, rss_mib=memory * 1.15,
            threads=12, members=7, read_chars=read * step, write_chars=write * step, major_faults=0, **gpu,
            **drawn("process", part))
        tables["system"].row(
            timestamp=now, processes=312, utime=(cpu + 0.2) * step, stime=0.1 * step, cpu_usage=cpu + 0.3 + 0.2 * draw.random(),
            memory_free_mib=9000 - memory, memory_used_mib=5200 + memory + 40 * noise, memory_buffers_mib=210,
            memory_cached_mib=12_000 + 2000 * part, memory_active_mib=8000, memory_inactive_mib=9000,
            disk_read_bytes=read * step * 1.02, disk_write_bytes=write * step + 4e5 * draw.random(),
            disk_space_total_gb=494.1, disk_space_used_gb=181 + 9 * part, disk_space_free_gb=313 - 9 * part,
            net_recv_bytes=(2e6 if part < 0.18 else 3e4) * noise * step, net_sent_bytes=9e3 * noise * step,
            memory_available_mib=26_000 - memory, swap_used_mib=0, psi_cpu=max(0, (cpu - 5) * 9 * noise),
            psi_memory=0, psi_io=read / 6e6 * noise, tracker_cpu=0.0004, **gpu,
            **drawn("system", part))

    make_members(tables["member"], options, step)
    for i in range(options.marks):
        tables["mark"].row(timestamp=START + (stop - START) * (i + 1) / (options.marks + 1), pid=4242, label=f"<b>epoch {i + 1}</b>, \"done\"")
    names = ["R", "bash", "gcc", "cc1", "as", "ld", "gzip"] + [f"tool-{i}" for i in range(options.commands)]
    for i, program in enumerate(names[: options.commands]):
        pid, share = 4242 + i, used * 0.55 ** (i + 1)
        count = 1 if i == 0 else (options.crowd - 1) // 6 + (i <= (options.crowd - 1) % 6) if options.crowd else i * 3
        for copy in range(count):
            born, died = START, stop - 0.5
            if copy > 0:
                born += (stop - START) * (0.2 + 0.6 * copy / count)
                died = min(born + (stop - START) * 3 / (i + 3) / count, died)
            key = {"pid": pid + 10 * copy, "start_ticks": 90_000 + round((born - START) * 100), "ppid": 4242 if i else 1}
            tables["start"].row(timestamp=born, exe=f"/usr/bin/{program}", command=f"{program} {'-c' if i else '-f'} {options.job}", **key)
            if options.status != "running":
                tables["exit"].row(timestamp=died, utime=share / count * 0.9, stime=share / count * 0.1,
                                   peak_rss_mib=3000 / (i + 1) + copy, disk_read_bytes=1e6 // (i + 1) // count, disk_write_bytes=1e5 * i // count,
                                   minor_faults=10, major_faults=0, voluntary_switches=3, involuntary_switches=1,
                                   exit_code=0, source="self", exact=1, **key)


if __name__ == "__main__":
    main()
