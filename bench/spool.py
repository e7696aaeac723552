#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a spool of runs that never ran, for measuring rtrack-report: spool.py DIRECTORY RUNS [TICKS]

The runs begin a minute apart. Every hundredth run belongs to the job job.R; each other run has its own job."""

import json
import os
import sys
import time

START = 1600000000
TABLES = {
    "process": ("timestamp,pid,children,utime,stime,cpu_usage,memory_mib,disk_read_bytes,disk_write_bytes,"
                "gpu_usage,gpu_vram_mib,gpu_utilized,members"),
    "system": ("timestamp,processes,utime,stime,cpu_usage,memory_free_mib,memory_used_mib,memory_buffers_mib,"
               "memory_cached_mib,memory_active_mib,memory_inactive_mib,disk_read_bytes,disk_write_bytes,"
               "disk_space_total_gb,disk_space_used_gb,disk_space_free_gb,net_recv_bytes,net_sent_bytes,gpu_usage,"
               "gpu_vram_mib,gpu_utilized,memory_available_mib,psi_cpu,psi_memory,psi_io,tracker_cpu"),
    "member": "timestamp,pid,utime,stime,rss_mib",
    "start": "timestamp,pid,start_ticks,ppid,exe,command",
    "exit": ("timestamp,pid,start_ticks,ppid,utime,stime,peak_rss_mib,disk_read_bytes,disk_write_bytes,"
             "exit_code,exit_signal,source,exact"),
}


def rows(table, start, ticks):
    for i in range(1, ticks + 1):
        t = start + i
        if table == "process":
            yield f"{t}.000,10,0,0.700000,0.100000,{0.6 + i % 37 / 100:.4f},{100 + i % 50}.500,{i % 41}096,8192,,,,1"
        elif table == "system":
            yield (f"{t}.000,{300 + i % 7},1.10,0.10,{1.1 + i % 29 / 100:.4f},{9000 - i % 53}.000,{4000 + i % 53}.000,"
                   f"210.000,12000.000,8000.000,9000.000,{i % 43}096,{i % 13}192,494.10,100.00,394.10,{i % 31}000,10,,,,"
                   f"{11000 - i % 53}.000,{i % 17}.50,0.00,{i % 5}.25,0.000500")
        elif table == "member":
            yield f"{t}.000,10,0.700000,0.100000,{100 + i % 50}.500"
    if table == "start":
        yield f'{start}.000,10,100,1,"/usr/lib/R/bin/exec/R","R --file=job.R"'
    elif table == "exit":
        yield f'{start + ticks}.000,10,100,1,{0.7 * ticks:.6f},{0.1 * ticks:.6f},150.500,4096,8192,0,,"self",1'


def make_run(spool, number, ticks):
    start = START + 60 * number
    name = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(start)) + f"-host-10-{number % 65536:04x}"
    directory = os.path.join(spool, name)
    os.mkdir(directory, 0o700)
    run = {
        "schema": 1, "id": name, "parent": None, "job": "job.R" if number % 100 == 0 else f"job-{number}.R",
        "command": ["Rscript", "job.R"], "cwd": "/home/ada", "user": "ada", "host": "host", "pid": 10,
        "start_time": start, "stop_time": start + ticks, "interval": 1, "status": "finished", "exit_code": 0,
        "exit_signal": None, "labels": {}, "server": {"os": "Linux", "vcpus": 8, "memory_mib": 16000},
        "tracker": {"version": "0.1.0", "mode": "preload"},
    }
    with open(os.path.join(directory, "run.json"), "w") as out:
        json.dump(run, out, indent=2)
    for table, columns in TABLES.items():
        with open(os.path.join(directory, table + ".csv"), "w") as out:
            out.write(",".join(f'"{column}"' for column in columns.split(",")) + "\n")
            out.writelines(row + "\n" for row in rows(table, start, ticks))


def main():
    spool, runs, ticks = sys.argv[1], int(sys.argv[2]), int((sys.argv + ["4"])[3])
    os.makedirs(spool)
    for number in range(runs):
        make_run(spool, number, ticks)


main()
