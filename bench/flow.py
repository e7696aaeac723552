# SPDX-License-Identifier: Apache-2.0
"""A Metaflow flow with five consecutive steps that do almost nothing."""
from metaflow import FlowSpec, step


class BenchFlow(FlowSpec):
    @step
    def start(self):
        self.next(self.one)

    @step
    def one(self):
        self.next(self.two)

    @step
    def two(self):
        self.next(self.three)

    @step
    def three(self):
        self.next(self.end)

    @step
    def end(self):
        pass


if __name__ == "__main__":
    BenchFlow()
