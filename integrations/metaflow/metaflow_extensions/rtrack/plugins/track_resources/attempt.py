# SPDX-License-Identifier: Apache-2.0
"""The artifact of one attempt of a step.

The run still goes on while the artifact is made, and its spool may later be deleted with the pod. Therefore everything
is made at once in a temporary spool. It holds a copy of the run as if it had ended, and the earlier runs: from the
original spool if they are still there, otherwise from their artifacts. So the page and the advice have the history
wherever the step ran. The step waits for all this, so independent commands run in parallel.
"""

import gzip
import json
import os
import shutil
import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from . import rtrack

TABLES = (
    "process.csv",
    "system.csv",
    "member.csv",
    "start.csv",
    "exit.csv",
    "mark.csv",
    "gpu.csv",
    "line.csv",
    "stack.csv",
)
PATIENCE = 30  # seconds for one answer


class Question:
    """A command of rtrack-report that starts at once. `answer` waits for its output."""

    def __init__(self, command, environment):
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment,
        )

    def __enter__(self):
        return self

    def answer(self):
        out, err = self.process.communicate(timeout=PATIENCE)
        if self.process.returncode != 0:
            raise RuntimeError(err.decode("utf-8", "replace").strip())
        return out

    def __exit__(self, *exception):
        self.process.kill()
        # Popen.__exit__ closes the pipes and waits.
        self.process.__exit__(*exception)


class Spool:
    """A temporary spool for the commands of rtrack-report in a `with` block."""

    def __enter__(self):
        self.questions = ExitStack()
        self.path = Path(self.questions.enter_context(tempfile.TemporaryDirectory(prefix="rtrack-")))
        self.program = rtrack.path("rtrack-report")
        self.environment = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
        self.environment.update(RTRACK="off", RTRACK_SPOOL=str(self.path), LC_ALL="C.UTF-8")
        return self

    def ask(self, *arguments):
        command = [self.program, *map(str, arguments)]
        return self.questions.enter_context(Question(command, self.environment))

    def __exit__(self, *exception):
        return self.questions.__exit__(*exception)


def copy_ended(directory, spool, failed):
    """Copies the run as if it had ended now, and returns its run.json."""
    source, copy = Path(directory), spool / Path(directory).name
    copy.mkdir()
    run = json.loads((source / "run.json").read_text(errors="replace"))
    run.update(status="failed" if failed else "finished", exit_code=int(failed), stop_time=round(time.time(), 3))
    (copy / "run.json").write_text(json.dumps(run))
    for name in TABLES:
        if (source / name).exists():
            shutil.copyfile(source / name, copy / name)
    # Adds the exit record that the root would write if it ended now (docs/spool.md).
    last = source / ".last"
    lines = last.read_text(errors="replace").splitlines() if last.exists() else []
    if len(lines) > 1 and lines[1].count(",") > 10:
        with (copy / "exit.csv").open("a") as file:
            file.write(lines[1] + "\n")
    return run


def others(_, names):
    """Returns the files of a run that a report does not need."""
    return set(names) - {"run.json", ".summary", *TABLES}


def take_in(kept, spool, number, job, beside):
    """Adds an earlier run to the spool: from the spool `beside` if the run is still there, otherwise from its artifact.
    Returns a function that waits for the import and returns the id."""
    run = str(kept.get("rtrack", {}).get("run") or "")
    if run and run == Path(run).name and (beside / run / "run.json").exists():
        shutil.copytree(beside / run, spool.path / run, ignore=others)
        return lambda: run
    tracker = dict(kept["tracker"])
    # A snapshot of resource-tracker does not contain the name of the job.
    tracker.setdefault("rtrack", {}).setdefault("run", {}).setdefault("job", job)
    file = spool.path / f"earlier-{number}.json"
    file.write_text(json.dumps(tracker))
    question = spool.ask("import", file)
    return lambda: question.answer().decode().strip()


def statistics(answer):
    """Returns the statistics in the format of resource-tracker, which has 0 for figures that were not measured."""
    found = json.loads(answer)["stats"]
    return {name: {kind: value or 0 for kind, value in figures.items()} for name, figures in found.items()}


def history(before, spool, job, beside):
    """Adds the earlier runs that can be read, and returns their statistics."""
    taken = [(kept, take_in(kept, spool, number, job, beside)) for number, kept in enumerate(before)]
    past = []
    for kept, name in taken:
        try:
            run = name()
        except RuntimeError:
            continue
        stats = kept.get("rtrack", {}).get("stats")
        past.append(stats or statistics(spool.ask("stats", run, "--format", "json").answer()))
    return past


def describe(directory, failed, before):
    """Returns the artifact: the keys of resource-tracker, and "rtrack" with everything else. `before` is an iterator
    that may still search for earlier artifacts."""
    rtrack.flush()
    with Spool() as spool:
        facts = copy_ended(directory, spool.path, failed)
        run, job = facts["id"], facts["job"]
        snapshot = spool.ask("export", run, "--to", "snapshot", "-o", "-")
        stats = spool.ask("stats", run, "--format", "json")
        past = history(before, spool, job, Path(directory).parent)
        page = spool.ask("html", run, "-o", "-")
        advice = spool.ask("recommend", run, "--for", "metaflow", "--offline")
        return {
            "step_failed": failed,
            "tracker": json.loads(gzip.decompress(snapshot.answer())),
            "historical_stats": past,
            "rtrack": {
                "run": run,
                "stats": statistics(stats.answer()),
                "advice": advice.answer().decode(),
                "page": page.answer().decode("utf-8", "replace"),
            },
        }
