# SPDX-License-Identifier: Apache-2.0
# Tracks each job of a workflow as a run that has the name of its rule. At the top of the Snakefile:
#
#     include: "/path/to/rtrack.smk"
#
# Works for shell, script, notebook, wrapper and run, without a change to the rules. Needs rtrack-run in PATH; without
# it, or in a container that lacks it, a job runs untracked. A later shell.prefix() turns the tracking off.
#
# Snakemake starts shell, script, notebook and wrapper by "bash -c PREFIX COMMAND", and reads PREFIX in the function of
# the rule, whose variables describe the job. The prefix lets rtrack-run start the same bash again. A job with "run", and
# each job on a cluster, is a process of Snakemake itself, which reads this file and starts itself again in rtrack-run.
import inspect
import os
import shlex
import shutil
import sys
import time

from snakemake.shell import shell


def _rtrack_workflow():
    """Returns the name of the Snakefile, or of the project's directory if the file is just called Snakefile."""
    directory, name = os.path.split(os.path.abspath(workflow.main_snakefile))
    if os.path.basename(directory) == "workflow":
        directory = os.path.dirname(directory)
    return (os.path.basename(directory) or name) if name == "Snakefile" else name


def _rtrack_command(rule, wildcards, attempt):
    tags = ["orchestrator=snakemake", f"rule={rule}", *(f"{key}={value}" for key, value in wildcards)]
    if attempt:
        tags.append(f"attempt={attempt}")
    if os.environ.get("RTRACK_SMK_RUN"):
        tags += [f"snakemake_run={os.environ['RTRACK_SMK_RUN']}", f"snakemake_workflow={_rtrack_workflow()}"]
    return ["rtrack-run", "--job", rule, *(word for tag in tags for word in ("--tag", tag)), "--"]


def _rtrack_request(threads, resources):
    request = {"CPU": threads}
    if isinstance(resources.get("mem_mb"), int):
        request["MEMORY_MIB"] = resources.get("mem_mb") * 10**6 / 2**20
    if isinstance(resources.get("runtime"), int):
        request["SECONDS"] = resources.get("runtime") * 60
    return [f"RTRACK_REQUEST_{key}={value:g}" for key, value in request.items()]


def _rtrack_attempt(frame):
    """Returns the attempt of the job whose rule this frame executes, or None. An outer frame has the job."""
    while frame and not hasattr(frame.f_locals.get("job"), "attempt"):
        frame = frame.f_back
    return frame and frame.f_locals["job"].attempt


class _RtrackPrefix:
    def __init__(self, before):
        self.before = before

    def __get__(self, instance, owner):
        before = "set -euo pipefail; " if self.before is None else self.before
        frame = inspect.currentframe()
        while frame and not frame.f_locals.get("__is_snakemake_rule_func"):
            frame = frame.f_back
        if not frame:
            return before
        job = frame.f_locals
        executable = job["resources"].get("shell_exec") or owner.get_executable() or "sh"
        if os.path.basename(executable) != "bash":
            return self.before or ""
        words = _rtrack_request(job["threads"], job["resources"])
        command = _rtrack_command(job["rule"], job["wildcards"].items(), _rtrack_attempt(frame))
        start = shlex.join([*words, "exec", *command])
        # Snakemake writes a long command to a file, which begins with this text, too. The recorded command of the run
        # does not contain this text.
        return (
            'if [ "${RTRACK_SMK:-}" ]; then unset RTRACK_SMK; '
            "elif ! command -v rtrack-run >/dev/null; then :; "
            'elif [ "${BASH_EXECUTION_STRING:-}" ]; then '
            + start
            + ' "$BASH" -c "${BASH_EXECUTION_STRING#*[:] rtrack; fi; }"; '
            + f'else RTRACK_SMK=1 {start} "$BASH" "$0"; : rtrack; fi; {before}'
        )


def _rtrack_target():
    """Returns the rule, wildcards and attempt of the one job of this process, or None if it runs the workflow."""
    if "--target-jobs" not in sys.argv:
        return None
    words = sys.argv[sys.argv.index("--target-jobs") + 1 :]
    if len(words) > 1 and not words[1].startswith("-"):
        return None
    name, _, wildcards = words[0].partition(":")
    attempt = sys.argv[sys.argv.index("--attempt") + 1] if "--attempt" in sys.argv[:-1] else None
    return name, [pair.split("=", 1) for pair in wildcards.split(",") if "=" in pair], attempt


if _rtrack_target() and os.environ.pop("RTRACK_SMK", None):
    pass  # rtrack-run has started this job
elif _rtrack_target() and shutil.which("rtrack-run"):
    os.environ["RTRACK_SMK"] = "1"
    _command = _rtrack_command(*_rtrack_target()) + [sys.executable, "-m", "snakemake", *sys.argv[1:]]
    os.execvp(_command[0], _command)
else:
    # Processes of single jobs inherit this name of the whole run.
    os.environ.setdefault("RTRACK_SMK_RUN", time.strftime("%Y%m%dT%H%M%SZ-", time.gmtime()) + str(os.getpid()))
    shell._process_prefix = _RtrackPrefix(shell.__dict__["_process_prefix"])
