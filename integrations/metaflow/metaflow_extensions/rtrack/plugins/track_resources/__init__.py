# SPDX-License-Identifier: Apache-2.0
"""The decorator @track_resources."""
