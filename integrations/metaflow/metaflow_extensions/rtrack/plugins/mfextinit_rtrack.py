# SPDX-License-Identifier: Apache-2.0
"""Adds a step decorator to Metaflow. Metaflow finds its card by the name of the folder."""

STEP_DECORATORS_DESC = [("track_resources", ".track_resources.decorator.TrackResources")]
__mf_promote_submodules__ = ["track_resources"]
