# SPDX-License-Identifier: Apache-2.0
"""Finds the artifacts of the same step in earlier runs of the flow"""

LATEST = 5
LOOKED_AT = 50  # a limit, so that a flow that always fails is not searched completely


def kept_by(run, step_name, artifact_name):
    """Returns the artifact of the step in that run, or None if the step was not tracked to its end."""
    try:
        kept = run[step_name].task[artifact_name].data
    except Exception:
        return None
    return kept if isinstance(kept, dict) and not kept.get("error") and "tracker" in kept else None


def succeeded(run):
    """Returns run.successful, but faster. Only the last step may be named "end", so no request for its name is
    needed."""
    try:
        task = run["end"].task
        return task is not None and task.successful
    except KeyError:
        return run.successful


def earlier(flow_name, step_name, run_id, artifact_name):
    """Yields the artifacts of the last five successful runs, the latest first, each as soon as it is found."""
    from metaflow import Flow

    found = 0
    for seen, run in enumerate(Flow(flow_name)):
        if seen == LOOKED_AT or found == LATEST:
            break
        if str(run.id) != str(run_id) and succeeded(run):
            found += 1
            kept = kept_by(run, step_name, artifact_name)
            if kept is not None:
                yield kept
