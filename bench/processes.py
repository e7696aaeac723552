# SPDX-License-Identifier: Apache-2.0
"""What the kernel says of living processes."""
import os


def cpu_of(pid):
    """CPU time of a process' threads in ms, to the nanosecond."""
    total = 0
    for thread in os.listdir("/proc/%d/task" % pid):
        with open("/proc/%d/task/%s/schedstat" % (pid, thread), encoding="ascii") as file:
            total += int(file.read().split()[0])
    return total / 1e6


def status_of(pid, name):
    """A number of /proc/PID/status."""
    with open("/proc/%d/status" % pid, encoding="utf-8", errors="replace") as file:
        return next(int(text.split()[1]) for text in file if text.startswith(name + ":"))
