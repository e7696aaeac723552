# SPDX-License-Identifier: Apache-2.0
"""Adds a step decorator to Metaflow. Metaflow finds the decorator's card by the name of its folder."""

STEP_DECORATORS_DESC = [("track_resources", ".track_resources.decorator.TrackResources")]
__mf_promote_submodules__ = ["track_resources"]
