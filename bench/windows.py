# SPDX-License-Identifier: Apache-2.0
"""A job that computes while its rtrack-run is alternately stopped (SIGSTOP) and running. For each pair of windows, it
prints the time for the same work with the tracker divided by the time without it. The two windows of a pair follow
each other at once, in random order, so that other load on the machine affects both equally.

    rtrack-run python3 windows.py PAIRS SECONDS"""
import os
import random
import signal
import sys
import time


def square(number):
    return number * number % 7


def work():
    total = 0
    for number in range(2000):
        total += square(number)
    return total


def rate(seconds):
    """Returns how often per second the work is done."""
    count, start = 0, time.monotonic()
    while True:
        work()
        count += 1
        now = time.monotonic()
        if now - start >= seconds:
            return count / (now - start)


def main():
    pairs, seconds = int(sys.argv[1]), float(sys.argv[2])
    tracker = os.getppid()
    drawn = random.Random(pairs)
    for _ in range(pairs):
        rates = {}
        for running in drawn.sample([True, False], 2):
            os.kill(tracker, signal.SIGCONT if running else signal.SIGSTOP)
            rates[running] = rate(seconds)
        os.kill(tracker, signal.SIGCONT)
        print(rates[False] / rates[True])


main()
