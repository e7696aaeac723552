#!/usr/bin/env python3
"""Prints each problem in the records of a job on a system in bad shape: record.py REPORT CODE ACCOUNTS SPOOL…

Each run below a SPOOL must be right, or marked as incomplete. Its rows are complete and in order, and its end is the
job's (CODE) or unknown. Its CPU time is not above the kernel's account (ACCOUNTS/preload.account and launcher.account,
by tests/victims/work/account.c). If its CPU time is called exact, it is not below the account either; otherwise it is
below by at most its bound. A run that is missing or still running is accepted."""
import json
import os
import subprocess
import sys

from kernel import Account, number, table
from looks import read

SECONDS, SHARE = 0.03, 0.01
REPORT, CODE, ACCOUNTS = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def wrong_rows(run):
    for name in ("process", "system", "member", "start", "exit"):
        rows = table(run, name)
        if any(None in row or None in row.values() for row in rows):
            yield "%s.csv: a torn row" % name
            continue
        if name in ("process", "system"):
            times = [number(row["timestamp"]) for row in rows]
            if times != sorted(times):
                yield "%s.csv: rows are out of order" % name
        if name == "process" and any(number(row["utime"]) < 0 or number(row["stime"]) < 0 for row in rows):
            yield "%s.csv: a negative time" % name


def wrong_claims(run, facts, stats):
    totals, mode = stats["totals"], facts["tracker"]["mode"]
    account = os.path.join(ACCOUNTS, mode + ".account")
    if not read(account):
        yield "no account"
        return
    truth = Account(account).job_cpu(run, mode)
    used, missing = totals["cpu_seconds"] or 0, totals["missing_cpu_seconds_at_most"]
    least = truth.with_ends * (1 - SHARE) - SECONDS
    if used > truth.without_tracker * (1 + SHARE) + SECONDS:
        yield "%.3f s, which is more than %.3f s" % (used, truth.without_tracker)
    if totals["exact"] and used < least:
        yield "called exact: %.3f s of %.3f s" % (used, truth.with_ends)
    over = stats["run"]["status"] in ("finished", "failed", "killed")
    if over and missing is not None and used + missing < least:
        yield "%.3f s and at most %.3f s missing, of %.3f s" % (used, missing, truth.with_ends)


def wrong_run(run):
    yield from wrong_rows(run)
    try:
        facts = json.loads(read(os.path.join(run, "run.json")))
    except ValueError:
        return
    if facts["exit_code"] not in (None, CODE) or facts["status"] == ("failed" if CODE == 0 else "finished"):
        yield "status %s, exit code %s" % (facts["status"], facts["exit_code"])
    answer = subprocess.run([REPORT, "stats", "--format", "json", run], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, check=False)
    if answer.returncode == 0:
        yield from wrong_claims(run, facts, json.loads(answer.stdout))
    elif answer.returncode != 1:
        yield "rtrack-report: %s" % answer.stderr


def main():
    found = []
    for spool in sys.argv[4:]:
        for name in sorted(os.listdir(spool)) if os.path.isdir(spool) else []:
            run = os.path.join(spool, name)
            if os.path.isdir(run) and name[:1] == "2":
                found += ["%s: %s" % (run, text) for text in wrong_run(run)]
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
