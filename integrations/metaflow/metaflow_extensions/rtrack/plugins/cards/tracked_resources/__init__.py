# SPDX-License-Identifier: Apache-2.0
"""The card of @track_resources, which shows the page of the run, or an error"""

from html import escape

from metaflow.cards import MetaflowCard

ERROR = """<!DOCTYPE html>
<title>Not tracked</title>
<body style="font-family: sans-serif; margin: 2em">
<p>This attempt of the step was not tracked.</p>
<p><strong>{error_type}</strong>: {error_message}</p>
<pre>{traceback}</pre>
"""


class TrackedResourcesCard(MetaflowCard):
    type = "tracked_resources"

    def __init__(self, options=None, **kwargs):
        self.artifact_name = (options or {}).get("artifact_name", "resource_tracker_data")

    def render(self, task):
        try:
            kept = task[self.artifact_name].data
            if "error" not in kept:
                return kept["rtrack"]["page"]
            error = kept["error"]
        except Exception as exception:
            error = {"error_type": type(exception).__name__, "error_message": str(exception)}
        if not isinstance(error, dict):
            error = {"error_message": error}
        names = ("error_type", "error_message", "traceback")
        return ERROR.format(**{name: escape(str(error.get(name, ""))) for name in names})


CARDS = [TrackedResourcesCard]
