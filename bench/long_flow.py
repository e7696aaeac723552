# SPDX-License-Identifier: Apache-2.0
"""A Metaflow flow with two steps that each compute for some seconds. The work is the same with every tracker."""
import hashlib

from metaflow import FlowSpec, step

ROUNDS = 4_000_000


def compute():
    found = b""
    for _ in range(ROUNDS):
        found = hashlib.sha256(found).digest()
    return found.hex()


class LongFlow(FlowSpec):
    @step
    def start(self):
        self.found = compute()
        self.next(self.end)

    @step
    def end(self):
        self.found = compute()


if __name__ == "__main__":
    LongFlow()
