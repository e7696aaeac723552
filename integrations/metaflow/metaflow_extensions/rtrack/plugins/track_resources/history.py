# SPDX-License-Identifier: Apache-2.0
"""What earlier runs of the flow kept of the same step."""

LATEST = 5
LOOKED_AT = 50  # a flow that fails all the time must not be gone through to its beginning


def kept_by(run, step_name, artifact_name):
    """What the step of that run kept, or None: it was not tracked, or not to the end."""
    try:
        kept = run[step_name].task[artifact_name].data
    except Exception:
        return None
    return kept if isinstance(kept, dict) and not kept.get("error") and "tracker" in kept else None


def succeeded(run):
    """As run.successful, which also asks how the last step is called; none but the last one may be called "end"."""
    try:
        task = run["end"].task
        return task is not None and task.successful
    except KeyError:
        return run.successful


def earlier(flow_name, step_name, run_id, artifact_name):
    """Looks for the artifacts of the last five successful runs, and yields each as it is found, the latest first."""
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
