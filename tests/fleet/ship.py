#!/usr/bin/env python3
"""Compares the shipped objects with a spool.

    ship.py same SPOOL OBJECTS           every row of every table of every run is in OBJECTS exactly once, under its key
    ship.py kills PROGRAM SPOOL TO COUNT SEED
                                         sends a growing run, and kills the sender COUNT times at random instants;
                                         in the end a sender that is not killed sends the rest"""
import datetime
import gzip
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

TABLES = ("system", "process", "member", "start", "exit", "mark", "gpu", "line", "stack")


def rows_of(run, table):
    path = Path(run, table + ".csv")
    return path.read_bytes().split(b"\n", 1) if path.exists() else [b"", b""]


def check_run(run, objects):
    day = datetime.datetime.strptime(run.name[:8], "%Y%m%d").strftime("%Y-%m-%d")
    for table in TABLES:
        header, rows = rows_of(run, table)
        place = Path(objects, table, f"date={day}", f"run={run.name}")
        arrived = b""
        for batch in sorted(place.glob("*.csv.gz")):
            first, rest = gzip.decompress(batch.read_bytes()).split(b"\n", 1)
            assert first == header, f"{batch}: another header"
            assert rest.endswith(b"\n"), f"{batch}: a torn row"
            arrived += rest
        assert arrived == rows, f"{run.name}: {table} has {len(rows)} bytes of rows, {len(arrived)} arrived"
    found = json.loads(gzip.decompress(Path(objects, "runs", f"date={day}", f"run={run.name}", "run.json.gz").read_bytes()))
    assert found == json.loads(Path(run, "run.json").read_bytes()), f"{run.name}: another run.json"


def same(spool, objects):
    runs = sorted(path for path in Path(spool).iterdir() if not path.name.startswith("."))
    assert runs
    for run in runs:
        check_run(run, objects)
    print(f"{len(runs)} runs are there")


def kills(program, spool, to, count, seed):
    chance = random.Random(seed)
    run = next(path for path in Path(spool).iterdir() if not path.name.startswith("."))
    ended = Path(run, "run.json").read_text()
    Path(run, "run.json").write_text(json.dumps({**json.loads(ended), "status": "running", "stop_time": None}))
    whole = {table: rows_of(run, table) for table in ("process", "system", "member")}
    for table, (header, _) in whole.items():
        Path(run, table + ".csv").write_bytes(header + b"\n")
    done = dict.fromkeys(whole, 0)
    killed = 0
    # The next kill comes within about the time that a sender needs. If the last sender had already ended, the window is
    # shortened; otherwise it is lengthened.
    window = 0.12
    for _ in range(20 * count):
        if killed == count:
            break
        for table, (_, rows) in whole.items():
            # The file may be cut anywhere, so its last row may be incomplete.
            upto = len(rows) * (killed + 1) // count
            with open(Path(run, table + ".csv"), "ab") as file:
                file.write(rows[done[table]:upto])
            done[table] = upto
        sender = subprocess.Popen([program, "ship", str(run), "--to", to], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, start_new_session=True)
        time.sleep(chance.random() ** 2 * window)
        sender.kill()
        in_time = sender.wait() == -signal.SIGKILL
        window = min(window * 1.1, 0.12) if in_time else window * 0.9
        killed += in_time
    Path(run, "run.json").write_text(ended)
    while subprocess.run([program, "ship", "--all", "--spool", spool, "--to", to], stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL, check=False).returncode != 0:
        pass
    print(f"{killed} of {count} were killed")
    assert killed == count


if sys.argv[1] == "same":
    same(sys.argv[2], sys.argv[3])
else:
    kills(*sys.argv[2:5], int(sys.argv[5]), int(sys.argv[6]))
