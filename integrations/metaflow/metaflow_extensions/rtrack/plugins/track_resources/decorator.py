# SPDX-License-Identifier: Apache-2.0
"""@track_resources: each attempt of the step is a run of rtrack, stored as an artifact and shown as a card.

Tracking must never fail a step. Any error here is therefore stored as the artifact instead: {"error": {...}}.
"""

import os
import sys
import traceback

from metaflow.decorators import StepDecorator

from . import rtrack
from .attempt import describe
from .history import earlier

CARD_TYPE = "tracked_resources"
# These decorators run a step on another machine. The environment here is that of the process that waits for it.
ELSEWHERE = ("kubernetes", "batch")
# The path of the library in the image of a pod (docs/integrations.md), and the first command of a Metaflow pod.
# LD_PRELOAD is set only if the image has the library, because otherwise the loader would print a warning for each
# program.
LIBRARY_IN_POD = "/usr/local/lib/librtrack.so"
IN_POD = f"if [ -r {LIBRARY_IN_POD} ]; then export LD_PRELOAD={LIBRARY_IN_POD}${{LD_PRELOAD:+:$LD_PRELOAD}}; fi"


def error_of(exception):
    return {
        "error_type": type(exception).__name__,
        "error_message": str(exception),
        "traceback": "".join(traceback.format_exception(type(exception), exception, exception.__traceback__)),
    }


class TrackResources(StepDecorator):
    """
    Stores the resource usage of the step as an artifact and shows it as a card.

    Parameters
    ----------
    interval : float, default 1.0
        Seconds between two samples.
    artifact_name : str, default "resource_tracker_data"
        The artifact that holds the figures.
    create_card : bool, default True
        Whether to show a card.
    """

    name = "track_resources"
    defaults = {"interval": 1.0, "artifact_name": "resource_tracker_data", "create_card": True}

    error = None

    def card_id(self, step_name):
        return f"resource_tracker_{step_name}"

    def find_card(self, decorators, step_name):
        for decorator in decorators:
            if decorator.name == "card" and decorator.attributes.get("id") == self.card_id(step_name):
                return decorator
        return None

    # The card is added to the step's decorators, as if the user had written it there. Metaflow iterates over this list
    # in its later calls, so the new card is included.
    def step_init(self, flow, graph, step_name, decorators, environment, flow_datastore, logger):
        self.logger = logger
        self.runs_elsewhere = any(decorator.name in ELSEWHERE for decorator in decorators)
        if any(decorator.name == "kubernetes" for decorator in decorators):
            try:
                self.preload_pod(decorators)
            except Exception as exception:
                self.warn("cannot preload the pod", exception)
        if str(self.attributes["create_card"]) != "True" or self.find_card(decorators, step_name):
            return
        from metaflow.plugins.cards.card_decorator import CardDecorator

        options = {"artifact_name": self.attributes["artifact_name"]}
        attributes = {"type": CARD_TYPE, "id": self.card_id(step_name), "options": options}
        card = CardDecorator(attributes=attributes, statically_defined=True)
        card.external_init()
        decorators.append(card)

    def preload_pod(self, decorators):
        """Sets the variables of the pod as @environment would, unless the user has already set them."""
        from metaflow.metaflow_config import KUBERNETES_SANDBOX_INIT_SCRIPT
        from metaflow.plugins.environment_decorator import EnvironmentDecorator

        told = next((decorator for decorator in decorators if decorator.name == "environment"), None)
        if told is None:
            # Without @environment, Metaflow passes the name of the flow's file to a pod. With @environment, it passes
            # only those variables.
            told = EnvironmentDecorator(
                attributes={"vars": {"METAFLOW_FLOW_FILENAME": os.path.basename(sys.argv[0])}}, statically_defined=True
            )
            decorators.append(told)
        variables = told.attributes["vars"]
        if KUBERNETES_SANDBOX_INIT_SCRIPT or "METAFLOW_INIT_SCRIPT" in variables or "LD_PRELOAD" in variables:
            return
        wanted = {"METAFLOW_INIT_SCRIPT": IN_POD, "RTRACK_INTERVAL": str(self.attributes["interval"])}
        told.attributes["vars"] = {**wanted, **variables}

    def environment(self):
        """Returns the variables that track the interpreter of the step from its start."""
        library = rtrack.path()
        others = [file for file in os.environ.get("LD_PRELOAD", "").replace(":", " ").split() if file != library]
        wanted = {"LD_PRELOAD": ":".join([library, *others])}
        if "RTRACK_INTERVAL" not in os.environ or float(self.attributes["interval"]) != self.defaults["interval"]:
            wanted["RTRACK_INTERVAL"] = str(self.attributes["interval"])
        return wanted

    def runtime_step_cli(self, cli_args, retry_count, max_user_code_retries, ubf_context):
        try:
            if not self.runs_elsewhere:
                for name, value in self.environment().items():
                    cli_args.env.setdefault(name, value)
        except Exception as exception:
            self.warn("cannot be preloaded", exception)

    def task_pre_step(
        self,
        step_name,
        task_datastore,
        metadata,
        run_id,
        task_id,
        flow,
        graph,
        retry_count,
        max_user_code_retries,
        ubf_context,
        inputs,
    ):
        self.run_id = run_id
        try:
            # A step may import rtrack even if only this extension is installed.
            sys.modules.setdefault("rtrack", rtrack)
            # Tracking starts here in a pod, or if the interpreter was started without the library. In these cases the
            # run does not include earlier work.
            self.directory = rtrack.start(interval=self.attributes["interval"])
            if self.directory is None:
                raise RuntimeError("this process is not tracked: RTRACK=off, or its run could not be made")
        except Exception as exception:
            self.error = error_of(exception)
            self.warn("does not track", exception)

    def task_post_step(self, step_name, flow, graph, retry_count, max_user_code_retries):
        self.keep(flow, step_name, failed=False)

    def task_exception(self, exception, step_name, flow, graph, retry_count, max_user_code_retries):
        self.keep(flow, step_name, failed=True)

    def keep(self, flow, step_name, failed):
        try:
            if self.error is None:
                before = earlier(type(flow).__name__, step_name, self.run_id, self.attributes["artifact_name"])
                kept = describe(self.directory, failed, before)
        except Exception as exception:
            self.error = error_of(exception)
            self.warn("could not keep the figures", exception)
        setattr(flow, self.attributes["artifact_name"], kept if self.error is None else {"error": self.error})

    # Metaflow renders cards only of steps that succeeded.
    def task_finished(self, step_name, flow, graph, is_task_ok, retry_count, max_user_code_retries):
        try:
            card = None if is_task_ok else self.find_card(graph[step_name].decorators, step_name)
            if card and card.card_creator:
                card.card_creator.create(
                    mode="render",
                    final=True,
                    card_uuid=card._card_uuid,
                    user_set_card_id=card._user_set_card_id,
                    runtime_card=card._is_runtime_card,
                    decorator_attributes=card.attributes,
                    card_options=card.card_options,
                    logger=self.logger,
                )
        except Exception as exception:
            self.warn("could not make the card of a step that failed", exception)

    def warn(self, what, exception):
        self.logger(f"@track_resources {what}: {type(exception).__name__}: {exception}", timestamp=False)
