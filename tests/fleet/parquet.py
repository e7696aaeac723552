#!/usr/bin/env python3
"""Kills `rtrack-report export --to parquet` and checks its output: parquet.py PROGRAM SPOOL MORE OUT COUNT SEED

COUNT times, a run of MORE is moved to SPOOL, and an export to OUT begins, which SIGKILL ends. The kill comes at a
random time, with or without its engine in turn, or when the export renames the Nth file. After each kill, OUT contains
only complete files. In the end, an export that is not killed writes each row of each table once."""
import glob
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import duckdb

PROGRAM, SPOOL, MORE, OUT = sys.argv[1:5]
COUNT, SEED = map(int, sys.argv[5:])
TABLES = ("runs", "process", "system", "member", "start", "exit")
EXPORT = [PROGRAM, "export", "--to", "parquet", "--spool", SPOOL, "-o", OUT]


def export(before=()):
    return subprocess.Popen([*before, *EXPORT], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)


def rows_in_parquet(table):
    if not glob.glob(f"{OUT}/{table}/*/*.parquet"):
        return {}
    return dict(duckdb.execute(f"select run, count(*) from read_parquet('{OUT}/{table}/*/*.parquet') group by run").fetchall())


def rows_in_spool(run, table):
    if table == "runs":
        return 1
    with open(f"{SPOOL}/{run}/{table}.csv", encoding="utf-8") as file:
        return sum(1 for _ in file) - 1


def look(whole):
    listed = set()
    for path in glob.glob(f"{OUT}/_exported/*"):
        with open(path, encoding="utf-8") as file:
            lines = file.read().split()
        assert not listed & set(lines), f"{path}: a run that another list has"
        listed |= set(lines)
    for table in TABLES:
        found = rows_in_parquet(table)
        assert set(found) <= listed, f"{table}: {set(found) - listed} stand there and count in no list"
        assert not whole or set(found) == set(os.listdir(SPOOL)), f"{table}: {len(found)} runs"
        for run, count in found.items():
            assert count == rows_in_spool(run, table), f"{table}: {count} rows of {run}"


def main():
    chance = random.Random(SEED)
    begin = time.monotonic()
    assert export().wait() == 0
    usual = time.monotonic() - begin
    left = sorted(os.listdir(MORE))
    renames, killed = 0, 0
    for turn in range(COUNT):
        run = left.pop()
        shutil.move(os.path.join(MORE, run), os.path.join(SPOOL, run))
        if turn % 3 == 2 and shutil.which("strace"):
            renames += 1
            child = export(["strace", "-qq", "-o", "/dev/null", "-e", "trace=/^rename", "-e",
                            f"inject=/^rename:signal=KILL:when={renames}"])
            child.wait()
        else:
            child = export()
            time.sleep(chance.random() * usual)
            if turn % 3 == 0:
                os.killpg(child.pid, signal.SIGKILL)
            else:
                child.kill()
        killed += child.wait() != 0
        look(whole=False)
    assert export().wait() == 0
    look(whole=True)
    assert not os.path.exists(f"{OUT}/_new")
    print(f"{killed} of {COUNT} were killed")
    assert killed > COUNT / 3


main()
