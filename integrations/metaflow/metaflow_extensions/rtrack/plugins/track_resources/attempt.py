"""The artifact of one attempt of a step.

The run goes on while its figures are kept, and its spool may be gone with the pod tomorrow. Therefore all is made at
once, in a spool of its own that holds a copy of the run as if it had ended, and the earlier runs out of their
artifacts: then the page and the advice know the history wherever the step ran.
"""

import gzip
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from . import rtrack

TABLES = ("process.csv", "system.csv", "member.csv", "start.csv", "exit.csv", "mark.csv")
PATIENCE = 30  # seconds for one question


def ask(spool, *arguments):
    environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    environment.update(RTRACK="off", RTRACK_SPOOL=str(spool), LC_ALL="C.UTF-8")
    done = subprocess.run(
        [rtrack.path("rtrack-report"), *map(str, arguments)], capture_output=True, env=environment, timeout=PATIENCE
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr.decode("utf-8", "replace").strip())
    return done.stdout


def copy_ended(directory, spool, failed):
    """Copies the run as it would be if it ended now, and returns its run.json."""
    source, copy = Path(directory), spool / Path(directory).name
    copy.mkdir()
    run = json.loads((source / "run.json").read_text(errors="replace"))
    run.update(status="failed" if failed else "finished", exit_code=int(failed), stop_time=round(time.time(), 3))
    (copy / "run.json").write_text(json.dumps(run))
    for name in TABLES:
        if (source / name).exists():
            shutil.copyfile(source / name, copy / name)
    # The root's exit row, as it would be due now (docs/spool.md).
    last = source / ".last"
    lines = last.read_text(errors="replace").splitlines() if last.exists() else []
    if len(lines) > 1 and lines[1].count(",") > 10:
        with (copy / "exit.csv").open("a") as file:
            file.write(lines[1] + "\n")
    return run


def take_in(kept, spool, number, job):
    """Makes a run of an earlier artifact, and returns its id; None where it is none that can be read."""
    tracker = dict(kept["tracker"])
    # A snapshot of the predecessor names no job.
    tracker.setdefault("rtrack", {}).setdefault("run", {}).setdefault("job", job)
    file = spool / f"earlier-{number}.json.gz"
    with gzip.open(file, "wt", compresslevel=1) as packed:
        json.dump(tracker, packed)
    try:
        return ask(spool, "import", file).decode().strip()
    except RuntimeError:
        return None
    finally:
        file.unlink()


def statistics(spool, run):
    """As the predecessor has them, which knows no unknown: what nobody measured is 0."""
    found = json.loads(ask(spool, "stats", run, "--format", "json"))["stats"]
    return {name: {kind: value or 0 for kind, value in figures.items()} for name, figures in found.items()}


def describe(directory, failed, before):
    """The artifact: what the predecessor's has, and under "rtrack" what else there is."""
    rtrack.flush()
    with tempfile.TemporaryDirectory(prefix="rtrack-") as place:
        spool = Path(place)
        facts = copy_ended(directory, spool, failed)
        run, job = facts["id"], facts["job"]
        past = []
        for number, kept in enumerate(before):
            taken = take_in(kept, spool, number, job)
            if taken:
                past.append(kept.get("rtrack", {}).get("stats") or statistics(spool, taken))
        return {
            "step_failed": failed,
            "tracker": json.loads(gzip.decompress(ask(spool, "export", run, "--to", "snapshot", "-o", "-"))),
            "historical_stats": past,
            "rtrack": {
                "run": run,
                "stats": statistics(spool, run),
                "advice": ask(spool, "recommend", run, "--for", "metaflow", "--offline").decode(),
                "page": ask(spool, "html", run, "-o", "-").decode("utf-8", "replace"),
            },
        }
