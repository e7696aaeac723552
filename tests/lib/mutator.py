#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs commands of rtrack-report on damaged copies of real runs.

Each try copies a spool, changes bytes, cells, lines, JSON values and files in it, and runs some commands. A command fails
the test if it is killed by a signal, waits for something, or needs more CPU time or memory than the limits below.

    mutator.py REPORT SPOOL OUT [--tries N | --seconds N] [--seed N]

On a failure, prints the command, keeps the damaged spool in OUT, and exits with status 1. Try I of seed S always makes the
same spool: --seed S --first I --tries 1.
"""

import argparse
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

CPU_SECONDS = 20
WALL_SECONDS = 300  # a command that runs longer hangs, even on a busy machine
MEMORY_MIB = 200
COMMANDS_PER_TRY = 4

COMMANDS = [line.split() for line in """
    show RUN
    show RUN --format json
    show RUN --short
    show RUN --tree
    show RUN --by command
    show RUN --by process --format json
    show RUN --by line
    show RUN --by function --format json
    show RUN --by function --deep
    show --group fuzz
    show --group fuzz --format json
    stats RUN --format json
    stats RUN --runs 5
    stats --group fuzz
    recommend RUN --offline
    recommend --all --offline --format json
    recommend --all --offline --for slurm
    recommend --all --offline --for nextflow
    recommend --all --offline --for snakemake
    recommend --all --offline --for metaflow
    recommend --all --offline --for airflow
    recommend --all --offline --for kubernetes
    waste
    waste --by line
    list
    list --all
    list --trend
    list --fold
    list --format json
    html RUN --output page.html
    html --group fuzz --output page.html
    html --all --output site
    compare RUN OTHER
    compare OTHER RUN --align phase --format json
    compare RUN OTHER --by line --output page.html
    watch RUN --format json
    watch RUN --when cpu_usage>1
    export RUN --to snapshot --output snapshot.json.gz
    export RUN --to csv
    export RUN --to json
    export RUN --to openmetrics
    export RUN --to prometheus-textfile
    export --all --to prometheus-textfile
    export RUN --to speedscope
    export RUN --to collapsed
    prune --keep 1 --dry-run
    prune --older-than 1d
    import SNAPSHOT
    sql
    sql --engine clickhouse --status finished
""".strip().splitlines()]

EDGES = ["", "0", "-1", "1", "0.001", "nan", "inf", "-inf", "1e308", "-1e300", "1e18", "1e9", "4294967296", "4294967295",
         "9223372036854775808", "9007199254740993", "1767225600.000", "2147483647", "2147483648", '""', '"x"', " null",
         "0x10", "1e-300", "00000000000000000001", '"\x1b[2J"', '"</script>"', "x" * 5000]
VALUES = [None, True, 0, -1, 1e308, -1e300, 1e18, 2**31, 2**53 + 1, 0.001, "", "x", "\x1b[2J", "</script>", "x" * 70000, [],
          {}, [[[[[[]]]]]], ["x"] * 3000, {"a": {"b": {"c": None}}}]


JOBS = ["'; touch x; '", '"; touch x; "', "$(touch x)", "`touch x`", "${x}", "a\nb", "\n", "\x1b[2J", "\'\'\'\"\"\"", "-o",
        "../x", "*", "on", "{{ x }}", "\u2028x", "\\u0027", "</script>", "x" * 300]
TOOLS = ["nextflow", "snakemake", "metaflow", "airflow"]


def random_bytes(chance, data):
    at = chance.randrange(len(data) + 1)
    end = min(len(data), at + chance.choice([0, 1, 1, 4, 100]))
    return data[:at] + chance.randbytes(chance.choice([0, 1, 1, 2, 30])) + data[end:]


def random_bit(chance, data):
    if not data:
        return data
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1:]


def cut(chance, data):
    return data[:chance.randrange(len(data) + 1)]


def cell(chance, data):
    """Replaces a cell of a table, or a value of run.json, by an edge value or by another cell."""
    ends = [i for i, byte in enumerate(data) if byte in b",:\n"]
    if len(ends) < 3:
        return data
    at = chance.randrange(len(ends) - 1)
    new = chance.choice(EDGES).encode()
    if chance.random() < 0.3:
        other = chance.randrange(len(ends) - 1)
        new = data[ends[other] + 1:ends[other + 1]]
    return data[:ends[at] + 1] + new + data[ends[at + 1]:]


def column(chance, data):
    """Replaces a whole column by one value."""
    lines = data.decode("latin-1").split("\n")
    at, edge = chance.randrange(max(1, lines[0].count(",") + 1)), chance.choice(EDGES)
    for i in range(1, len(lines)):
        cells = lines[i].split(",")
        if at < len(cells) and len(cells) > 1:
            cells[at] = edge
            lines[i] = ",".join(cells)
    return "\n".join(lines).encode("latin-1")


def lines(chance, data):
    """Repeats, removes, moves or sorts lines."""
    rows = data.split(b"\n")
    at, other = chance.randrange(len(rows)), chance.randrange(len(rows))
    how = chance.randrange(5)
    if how == 0:
        rows[at:at] = [rows[other]] * chance.choice([1, 2, 2000])
    elif how == 1:
        del rows[at]
    elif how == 2:
        rows[at], rows[other] = rows[other], rows[at]
    elif how == 3:
        rows[1:] = sorted(rows[1:], reverse=chance.random() < 0.5)
    else:
        rows[1:] = chance.sample(rows[1:], len(rows) - 1)
    return b"\n".join(rows)


def value(chance, data):
    """Replaces, removes or adds a value of a JSON object."""
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        return data
    at = whole
    while isinstance(at, dict) and at:
        key = chance.choice(sorted(at))
        if not isinstance(at[key], dict) or not at[key] or chance.random() < 0.3:
            break
        at = at[key]
    if not isinstance(at, dict) or not at:
        return data
    how = chance.random()
    if how < 0.2:
        del at[key]
    elif how < 0.3:
        at[chance.choice(["", "id", "totals", "x" * 300])] = chance.choice(VALUES)
    else:
        at[key] = chance.choice(VALUES)
    return json.dumps(whole, indent=2).encode()


CHANGES = [random_bytes, random_bit, cut, cell, cell, cell, column, lines, lines, value, value]


def replace_file(chance, path, others):
    """Removes a file of a run, or replaces it by something that is not a file of the run."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        return
    how = chance.randrange(6)
    if how == 0:
        os.mkfifo(path)
    elif how == 1:
        path.mkdir()
    elif how == 2:
        path.symlink_to(chance.choice(["/dev/zero", "/etc/passwd", "missing", ".", str(chance.choice(others))]))
    elif how == 3:
        path.write_bytes(b"")
    elif how == 4:
        other = chance.choice(others)
        if other.is_file() and not other.is_symlink():
            shutil.copy(other, path)


def change_files(chance, files, snapshot):
    """Changes some files of the runs, or the snapshot. A user names the snapshot, so it remains a file."""
    for _ in range(chance.choice([1, 1, 1, 2, 3, 6])):
        path = chance.choice([*files, snapshot])
        if path != snapshot and chance.random() < 0.06:
            replace_file(chance, path, files)
        elif path.is_file() and not path.is_symlink():
            path.write_bytes(chance.choice(CHANGES)(chance, path.read_bytes()))


def claim(chance, runs):
    """Lets runs claim jobs and tools, name each other as parents, and have the processes of all runs."""
    starts = [run / "start.csv" for run in runs]
    starts = [path for path in starts if path.is_file() and not path.is_symlink()]
    rows = b"".join(path.read_bytes().partition(b"\n")[2] for path in starts)
    for path in starts:
        path.write_bytes(path.read_bytes().partition(b"\n")[0] + b"\n" + rows)
    for run in runs:
        path = run / "run.json"
        if not path.is_file() or path.is_symlink():
            continue
        try:
            whole = json.loads(path.read_bytes())
        except (ValueError, RecursionError):
            continue
        if isinstance(whole, dict):
            whole.update(job=chance.choice(JOBS), labels={"orchestrator": chance.choice(TOOLS)}, parent=chance.choice(runs).name)
            path.write_bytes(json.dumps(whole, indent=2).encode())


def make_spool(chance, spool, directory):
    """Copies the spool and damages the copy. Returns its runs."""
    shutil.copytree(spool, directory / "spool", symlinks=True)
    shutil.copy(spool.parent / "snapshot.json", directory / "snapshot.json")
    runs = sorted(path for path in (directory / "spool").iterdir() if path.is_dir())
    change_files(chance, sorted(path for run in runs for path in run.iterdir()), directory / "snapshot.json")
    if chance.random() < 0.2:
        claim(chance, runs)
    if chance.random() < 0.1:
        shutil.copytree(chance.choice(runs), f"{runs[0]}-old", symlinks=True,
                        ignore=lambda at, names: [n for n in names if (pathlib.Path(at) / n).is_fifo()])
    return runs


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def problem_of(words, directory, memory_mib):
    """Runs a command. Returns what is wrong with its end, or None."""
    with open(directory / "errors", "wb") as errors, open(directory / "printed", "wb") as printed:
        child = subprocess.Popen(words, cwd=directory, stdin=subprocess.DEVNULL, stdout=printed, stderr=errors,
                                 preexec_fn=limit, start_new_session=True)
        waits = threading.Timer(WALL_SECONDS, child.kill)
        waits.start()
        _, status, usage = os.wait4(child.pid, 0)
        waits.cancel()
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode == -signal.SIGXCPU:
        return f"needed more than {CPU_SECONDS} s of CPU time"
    if child.returncode == -signal.SIGKILL:
        return f"needed more than {CPU_SECONDS} s of CPU time, or waited for {WALL_SECONDS} s"
    if child.returncode < 0:
        return f"ended by signal {-child.returncode}"
    if child.returncode > 2:
        return f"ended with status {child.returncode}"
    if memory_mib and usage.ru_maxrss > memory_mib * 1024:
        return f"needed {usage.ru_maxrss // 1024} MiB"
    return None


def run_try(chance, arguments, directory):
    """Returns the number of commands that were run, and the failure or None."""
    runs = make_spool(chance, arguments.spool, directory)
    for count, command in enumerate(chance.sample(COMMANDS, COMMANDS_PER_TRY), 1):
        run, other = chance.sample(runs, 2) if len(runs) > 1 else runs * 2
        names = {"RUN": run.name, "OTHER": other.name, "SNAPSHOT": "snapshot.json"}
        words = [names.get(word, word) for word in command]
        words += ["--spool", "imported" if command[0] == "import" else "spool"]
        problem = problem_of([arguments.report, *words], directory, arguments.memory)
        if problem:
            errors = (directory / "errors").read_text(errors="replace")[-2000:]
            return count, f"rtrack-report {' '.join(words)}: {problem}\n{errors}"
    return COMMANDS_PER_TRY, None


def parse_arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("report", type=os.path.abspath)
    parser.add_argument("spool", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--tries", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--memory", type=int, default=MEMORY_MIB, help="MiB; 0 for a report with a sanitizer")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    arguments.spool = arguments.spool.resolve()
    for name in [name for name in os.environ if name.startswith("RTRACK")]:
        del os.environ[name]
    end = time.monotonic() + arguments.seconds
    executed = failures = 0
    at = arguments.first
    while at < arguments.first + arguments.tries or time.monotonic() < end:
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None) as name:
            directory = pathlib.Path(name)
            os.environ["HOME"] = os.environ["XDG_CACHE_HOME"] = name
            count, failure = run_try(random.Random(f"{arguments.seed}/{at}"), arguments, directory)
            executed += count
            if failure:
                failures += 1
                kept = arguments.out / f"{arguments.seed}-{at}"
                shutil.rmtree(kept, ignore_errors=True)
                shutil.copytree(directory, kept, symlinks=True,
                                ignore=lambda at, names: [n for n in names if (pathlib.Path(at) / n).is_fifo()])
                print(f"{kept}: {failure}", flush=True)
        at += 1
    print(f"{executed} commands on {at - arguments.first} damaged spools: {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
