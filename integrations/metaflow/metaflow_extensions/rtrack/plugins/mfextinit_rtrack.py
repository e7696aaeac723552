# SPDX-License-Identifier: Apache-2.0
"""What this extension adds to Metaflow: a decorator of steps. Its card is found by its folder."""

STEP_DECORATORS_DESC = [("track_resources", ".track_resources.decorator.TrackResources")]
__mf_promote_submodules__ = ["track_resources"]
