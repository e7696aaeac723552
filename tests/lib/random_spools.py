#!/usr/bin/env python3
"""Makes random spools. Each seed gives a spool with one run, or with a few runs of one group.

    random_spools.py --seed N [--count M] --keep DIRECTORY     DIRECTORY/N, DIRECTORY/N+1, … are the spools

First a job is simulated: a tree of processes with CPU time and memory over time, within the machine's limits. Then it
is recorded as the tracker would have recorded it: rows at ticks, and records of starts and ends. Every second spool is
then damaged in realistic ways: rows are incomplete or missing, cells are empty, a clock is set, or a file is missing.
The file .truth.json of a spool lists these damages in `kinds`, and contains the true usage of each run.

The columns are those of core/columns.def."""
import argparse
import json
import math
import os
import random
import re
import shutil
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EPOCH = 1795226400  # 2026-11-21 02:00:00 UTC
SMALL_PEAK_MIB, CHILDREN_NAMED = 16, 16  # SPOOL_SMALL_PEAK_KIB and SPOOL_CHILDREN_NAMED in core/spool.h
PROGRAMS = ["bash", "python3.11", "R", "gcc", "cc1plus", "make", "sort", "java", "sh", "samtools", "ld"]


def layouts():
    found = {}
    with open(os.path.join(ROOT, "core/columns.def"), encoding="utf-8") as text:
        for table, name, digits, kind in re.findall(r'^COLUMN\((\w+), (\w+), "[^"]*", (\d+), (\w+)', text.read(), re.M):
            found.setdefault(table, []).append((name, int(digits), kind))
    return found


LAYOUT = layouts()


# -- the job ---------------------------------------------------------------------------------------


class Curve:
    """A figure over time, as (time, value) pairs. With `steps`, a value lasts until the next pair; else lines join them."""

    def __init__(self, points, steps):
        self.points, self.steps = points, steps

    def at(self, when):
        before = self.points[0]
        if when <= before[0]:
            return before[1]
        for point in self.points:
            if point[0] > when:
                if self.steps:
                    return before[1]
                share = (when - before[0]) / (point[0] - before[0])
                return before[1] + share * (point[1] - before[1])
            before = point
        return before[1]

    def most(self, begin, end):
        return max([self.at(begin), self.at(end)] + [value for when, value in self.points if begin <= when <= end])


class Process:
    def __init__(self, pid, parent, begin, end):
        self.pid, self.parent, self.begin, self.end = pid, parent, begin, end
        self.children = []
        self.images = []        # (time, exe, command); none before the first exec of a fork
        self.demand = []        # (time, CPUs that it would use)
        self.own = None         # private memory over time, MiB
        self.lent = 0.0         # MiB shared with its parent by fork, until its exec
        self.exec_time = math.inf
        self.used = None        # CPU seconds over time
        self.split = 0.8        # the part of CPU time that is user time
        self.how = "self"       # how its end is recorded: self, launcher, zombie, lost or none
        self.signal = None
        self.code = 0
        self.reaped = True      # whether its parent reaps it
        self.read = self.written = 0
        self.before = 0.0       # CPU seconds that the root used before the library was loaded

    def alive(self, when):
        return self.begin <= when < self.end

    def rss(self, when):
        return self.own.at(when) + (self.lent if when < self.exec_time else 0)

    def peak(self, until):
        """Returns the largest RSS that the process ever had, and the largest RSS of its last program."""
        until = min(until, self.end)
        forked = min(self.exec_time, until)
        whole = max(self.own.most(self.begin, forked) + self.lent, self.own.most(forked, until))
        image = max([self.begin] + [when for when, _, _ in self.images if when <= until])
        return whole, self.own.most(image, until) + (self.lent if until < self.exec_time else 0)


class Job:
    def __init__(self, chance, start, machine, share):
        self.chance = chance
        self.cpus, self.machine_mib = machine
        self.share = share  # its part of the machine; other jobs may use the machine as well
        self.start = start
        self.length = chance.choice([0.004, 0.08, 0.6, 2.3, 7.5, 31.0, 140.0]) * chance.uniform(0.7, 1.4)
        self.boot = start - chance.uniform(500, 1e6)
        self.next_pid = chance.randint(300, 30000)
        self.processes = []
        self.grow()
        self.stop = max(process.end for process in self.processes)
        self.use_memory()
        self.use_cpu()

    def pid(self):
        self.next_pid += self.chance.choice([1, 1, 1, 2, 7])
        gone = [process.pid for process in self.processes if process.end < self.start + self.length / 2]
        return self.chance.choice(gone) if gone and self.chance.random() < self.reuse else self.next_pid

    def ticks(self, process):
        return int((process.begin - self.boot) * 100)

    def add(self, parent, begin, end):
        process = Process(self.pid(), parent, round(begin, 6), round(max(end, begin + 1e-4), 6))
        self.processes.append(process)
        if parent:
            parent.children.append(process)
        forked = parent is not None and self.chance.random() < self.forks
        if not forked:
            when = process.begin if parent is None else min(process.begin + 0.001, process.end)
            self.execute(process, when)
            while self.chance.random() < 0.15:
                self.execute(process, self.chance.uniform(process.begin, process.end))
        process.images.sort()
        process.exec_time = process.images[0][0] if process.images else math.inf
        return process

    def execute(self, process, when):
        name = self.chance.choice(PROGRAMS)
        process.images.append((when, "/usr/bin/" + name, f"{name} -n {self.chance.randint(1, 9)}"))

    def grow(self):
        """Makes children of children, each within the run. Some outlive their parents, and some outlive the root."""
        chance = self.chance
        self.forks = chance.choice([0, 0.2, 1])
        self.reuse = chance.choice([0, 0, 0.3])
        root = self.add(None, self.start, self.start + self.length)
        for _ in range(int(chance.choice([0, 1, 3, 8, 40]) * chance.random() + 0.5)):
            parent = chance.choice(self.processes[:8])
            begin = chance.uniform(parent.begin, parent.end)
            lives = chance.expovariate(1 / (self.length * chance.choice([0.01, 0.1, 0.4])))
            child = self.add(parent, begin, begin + lives)
            if child.end > parent.end:
                if chance.random() < 0.7:
                    child.end = max(parent.end - 1e-4, child.begin + 5e-5)
                else:
                    child.reaped = False
                    child.end = min(child.end, root.end + self.length * 0.3)
            child.reaped = child.reaped and child.end <= parent.end and chance.random() < 0.95
        quiet = chance.choice([0, 0, 0.15, 0.6])
        for process in self.processes:
            if chance.random() < quiet:
                process.how = chance.choice(["zombie", "lost", "none"])
                process.signal = chance.choice([None, 9, 15])
            elif chance.random() < 0.1:
                process.code = chance.randint(1, 130)

    def use_memory(self):
        chance, room = self.chance, 0.85 * self.machine_mib * self.share / (len(self.processes) + 2)
        scale = min(room, chance.choice([3, 40, 600, 20000]))
        for process in self.processes:
            life, points = process.end - process.begin, [(process.begin, chance.uniform(0.5, 2))]
            for _ in range(chance.choice([0, 1, 2, 4])):
                points.append((process.begin + life * chance.random(), chance.uniform(0.1, 1) ** 2 * scale))
            process.own = Curve(sorted(points), True)
            if process.parent and process.exec_time > process.begin and chance.random() < 0.9:
                process.lent = min(process.parent.rss(process.begin), room)

    def use_cpu(self):
        """Scales the demand of all processes to what the machine has, at each moment."""
        chance = self.chance
        for process in self.processes:
            cuts = sorted([process.begin] + [chance.uniform(process.begin, process.end) for _ in range(chance.choice([0, 1, 3]))])
            busy = chance.choice([0.02, 1, 1, self.cpus, 2 * self.cpus])
            process.demand = [(when, chance.random() * busy) for when in cuts]
            process.split = chance.choice([1, 0.9, 0.5, 0])
            process.read, process.written = (chance.choice([0, 4096 * chance.randint(0, 5000)]) for _ in "rw")
        moments = sorted({when for process in self.processes for when, _ in process.demand + [(process.end, 0)]})
        used = {process: [(process.begin, 0.0)] for process in self.processes}
        for begin, end in zip(moments, moments[1:]):
            wants = {process: Curve(process.demand, True).at(begin) for process in self.processes if process.alive(begin)}
            share = min(1, self.cpus * self.share / max(sum(wants.values()), 1e-9))
            for process, want in wants.items():
                used[process].append((end, used[process][-1][1] + want * share * (end - begin)))
        for process, points in used.items():
            process.used = Curve(points, False)
        if chance.random() < 0.1:
            self.processes[0].before = chance.choice([0.003, 1.2, 60])

    def together(self, when):
        """Returns the memory of all processes at one time. Memory lent by fork counts once while an ancestor has it."""
        total = 0.0
        for process in self.processes:
            if process.alive(when):
                total += process.own.at(when)
                if when < process.exec_time and not (process.parent and process.parent.alive(when)):
                    total += process.lent
        return total


# -- what the tracker writes -----------------------------------------------------------------------


def inclusive(process, figure):
    """Returns a figure of all reaped descendants, as in the kernel's account of reaped children."""
    return sum(figure(child) + inclusive(child, figure) for child in process.children if child.reaped)


def largest_child(process):
    peaks = [max(child.peak(child.end)[0], largest_child(child) or 0) for child in process.children if child.reaped]
    return max(peaks) if peaks else None


class Tracker:
    def __init__(self, job, chance):
        self.job, self.chance = job, chance
        self.interval = chance.choice([0.1, 1, 1, 1, 5])
        self.launched = chance.random() < 0.5
        self.root = job.processes[0]
        self.ticks = self.make_ticks()
        self.tables = {name: [] for name in ("system", "process", "member", "start", "exit", "mark")}

    def make_ticks(self):
        """Returns the times of rows: the multiples of the interval, and the run's end. Some multiples are missing,
        because a longer row covers them."""
        first = math.floor(self.job.start / self.interval) + 1
        last = math.ceil(self.job.stop / self.interval)
        ticks = [round(number * self.interval, 3) for number in range(first, last)]
        late = self.chance.choice([0, 0, 0.1])
        return [tick for tick in ticks if self.chance.random() >= late and tick < self.job.stop] + [round(self.job.stop + 0.0005, 3)]

    def seen(self, process, when):
        """Returns the CPU seconds of a process in the ledger. For a lost process, these are the seconds at its last
        tick."""
        if when >= process.end and process.how in ("lost", "none") and not self.accounted(process):
            ticks = [tick for tick in self.ticks if process.begin < tick < process.end]
            return process.used.at(ticks[-1]) if ticks else 0.0
        return process.used.at(when)

    def accounted(self, process):
        """Whether the recorded account of some process includes this process."""
        while process.reaped and process.parent:
            process = process.parent
            if process.how not in ("lost", "none"):
                return True
        return self.launched

    def sample(self):
        chance, job, shares = self.chance, self.job, {}
        before = dict.fromkeys(job.processes, 0.0)
        ledger, written, last = {process: (0.0, 0.0) for process in job.processes}, {}, job.start
        busy = chance.uniform(0, 0.5) * job.cpus
        memory = rss = 1.0
        for tick in self.ticks:
            over = tick >= job.stop
            alive = [process for process in job.processes if process.alive(tick) and not over]
            row = {"timestamp": tick, "pid": self.root.pid, "children": max(len(alive) - self.root.alive(tick), 0), "utime": 0.0,
                   "stime": 0.0, "disk_read_bytes": 0, "disk_write_bytes": 0, "members": len(alive), "threads": len(alive),
                   "read_chars": 0, "write_chars": 0, "major_faults": 0, "swap_mib": 0}
            for process in job.processes:
                if process.begin > tick:
                    continue
                used = self.seen(process, tick)
                share = min((tick - process.begin) / (process.end - process.begin), 1)
                io = (process.read * share // 4096 * 4096, process.written * share // 4096 * 4096)
                grown, (read, wrote) = used - before[process], ledger[process]
                row["utime"] += grown * process.split
                row["stime"] += grown * (1 - process.split)
                row["disk_read_bytes"] += io[0] - read
                row["disk_write_bytes"] += io[1] - wrote
                before[process], ledger[process] = used, io
                if process in alive:
                    self.member(process, tick, used, io, written, tick - last)
            if alive:
                memory, rss = job.together(tick), sum(process.rss(tick) for process in alive)
            elif last == job.start:
                memory = rss = max(process.peak(process.end)[0] for process in job.processes)
            row.update(memory_mib=memory, rss_mib=rss,
                       cpu_usage=min((row["utime"] + row["stime"]) / max(tick - last, 1e-3), job.cpus))
            self.tables["process"].append(row)
            mine = row["utime"] + row["stime"]
            self.tables["system"].append(self.machine(tick, tick - last, mine, memory, busy))
            last = tick

    def member(self, process, tick, used, io, written, length):
        had = written.get(process, (0.0, (0, 0)))
        base = process.before if process not in written else 0.0
        grown = used - had[0] + base
        if grown < 1e-4 and process in written and self.chance.random() < 0.7:
            return
        private = process.own.at(tick)
        self.tables["member"].append({
            "timestamp": tick, "pid": process.pid, "utime": grown * process.split, "stime": grown * (1 - process.split),
            "cpu_usage": min(grown / max(length, 1e-3), self.job.cpus), "memory_mib": private, "rss_mib": process.rss(tick),
            "disk_read_bytes": io[0] - had[1][0], "disk_write_bytes": io[1] - had[1][1], "threads": 1, "swap_mib": 0})
        written[process] = (used, io)

    def machine(self, tick, length, mine, memory, busy):
        cpu = min(mine + busy * length, self.job.cpus * length)
        used = min(memory + 300, self.job.machine_mib)
        return {"timestamp": tick, "processes": 120, "utime": cpu * 0.8, "stime": cpu * 0.2,
                "cpu_usage": min(cpu / max(length, 1e-3), self.job.cpus), "memory_free_mib": self.job.machine_mib - used,
                "memory_used_mib": used, "memory_available_mib": self.job.machine_mib - used, "disk_read_bytes": 4096,
                "disk_write_bytes": 8192, "disk_space_total_gb": 100, "disk_space_used_gb": 40, "disk_space_free_gb": 60,
                "net_recv_bytes": 100, "net_sent_bytes": 10, "swap_used_mib": 0, "cgroup_memory_mib": memory + 20, "cpu_throttled": 0,
                "psi_cpu": self.chance.choice([0, 3.5]), "psi_memory": 0, "psi_io": 0, "tracker_cpu": 0.0005,
                "cgroup_oom_kills": 0, "cpu_steal": 0}

    def start_rows(self, process):
        ticks, ppid = self.job.ticks(process), process.parent.pid if process.parent else 1
        row = {"pid": process.pid, "start_ticks": ticks, "ppid": ppid}
        if not process.images:
            if process.how != "none":
                exe = self.image_of(process.parent, process.begin)
                self.tables["start"].append(row | {"timestamp": process.begin, "exe": exe[1], "command": exe[2]})
            return
        for number, (when, exe, command) in enumerate(process.images):
            earlier = process.lent + 0.5 if number == 0 else process.peak(when)[0]
            self.tables["start"].append(row | {"timestamp": when, "exe": exe, "command": command, "earlier_peak_mib": earlier})

    def image_of(self, process, when):
        while process and not process.images:
            process = process.parent
        return max([image for image in process.images if image[0] <= when] or process.images[:1])

    def image_rows(self, process):
        """Writes the peak of each program that is replaced by another one, as the library does: ru_maxrss survives exec,
        so a peak below the inherited one would be lost."""
        starts = [when for when, _, _ in process.images]
        for start, end in zip(starts, starts[1:]):
            peak = process.own.most(start, end)
            if peak > SMALL_PEAK_MIB:
                self.tables["exit"].append({"timestamp": end, "pid": process.pid, "start_ticks": self.job.ticks(process),
                                            "ppid": process.parent.pid if process.parent else 1, "peak_rss_mib": peak,
                                            "source": "self", "exact": 0, "exact_peak": 0})

    def name_children(self, process):
        """Writes start rows for the first children that a process did not reap, as the library does at its end. Children
        with a reused pid are left out, because random jobs may have two living processes with one pid."""
        pids = [one.pid for one in self.job.processes]
        left = [child for child in process.children if (child.end > process.end or not child.reaped) and pids.count(child.pid) == 1]
        for child in left[:CHILDREN_NAMED]:
            self.tables["start"].append({"timestamp": process.end, "pid": child.pid, "start_ticks": self.job.ticks(child),
                                         "ppid": process.pid})

    def exit_row(self, process):
        """Writes the record of a process's end, as the tracker would."""
        job, final = self.job, process.how in ("self", "zombie", "launcher")
        if process.how == "none":
            return
        ticks = [tick for tick in self.ticks if process.begin < tick < process.end]
        if process.how == "lost" and not ticks:
            return
        seen = process.end if final else ticks[-1]
        used, whole, image = process.used.at(seen) + process.before, *process.peak(seen)
        row = {"timestamp": process.end if final else min(tick for tick in self.ticks if tick >= process.end), "pid": process.pid,
               "start_ticks": job.ticks(process), "ppid": process.parent.pid if process.parent else 1,
               "utime": used * process.split, "stime": used * (1 - process.split), "peak_rss_mib": image,
               "disk_read_bytes": process.read, "disk_write_bytes": process.written, "minor_faults": int(whole * 256) + 90,
               "major_faults": 0, "exact": int(final), "exact_peak": int(final and process.how != "zombie"),
               "children_ignored": 0, "source": {"self": "self", "launcher": "launcher"}.get(process.how, "sampler"),
               "exit_code": None if process.signal or not final else process.code, "exit_signal": process.signal if final else None,
               "missing_cpu": None if final else 0 if self.accounted(process) else (process.end - seen) * job.cpus}
        if process.how in ("self", "zombie"):
            cpu = inclusive(process, lambda child: child.used.at(child.end))
            row.update(children_utime=cpu * 0.75, children_stime=cpu * 0.25)
        if process.how == "self":
            self.image_rows(process)
            self.name_children(process)
            row.update(children_peak_mib=largest_child(process), voluntary_switches=3, involuntary_switches=1,
                       children_read_bytes=inclusive(process, lambda child: child.read),
                       children_write_bytes=inclusive(process, lambda child: child.written),
                       children_left=sum(child.end > process.end or not child.reaped for child in process.children),
                       children_minor_faults=int(inclusive(process, lambda child: child.peak(child.end)[0] * 256 + 90)))
        self.tables["exit"].append(row)

    def marks(self):
        for number in range(self.chance.choice([0, 0, 0, 1, 3])):
            process = self.chance.choice(self.job.processes)
            name = self.chance.choice(["load", "train", "save"])
            begin, end = sorted(self.chance.uniform(process.begin, process.end) for _ in "be")
            self.tables["mark"].append({"timestamp": begin, "pid": process.pid, "label": f"begin {name}"})
            if self.chance.random() < 0.8:
                self.tables["mark"].append({"timestamp": end, "pid": process.pid, "label": f"end {name}"})

    def write_down(self):
        self.sample()
        for process in self.job.processes:
            self.start_rows(process)
            self.exit_row(process)
        self.marks()
        for name in ("start", "exit", "mark"):
            self.tables[name].sort(key=lambda row: row["timestamp"])

    def describe(self, name, extra):
        job, root, chance = self.job, self.root, self.chance
        status, code, killer = "finished", root.code, None
        if root.signal or (root.how in ("lost", "none") and chance.random() < 0.7):
            status, code, killer = "killed", None, chance.choice(["oom", "signal", None])
            root.signal = root.signal or 9
        elif root.code:
            status = "failed"
        if killer == "oom" and self.tables["system"]:
            self.tables["system"][-1]["cgroup_oom_kills"] = 1
        true_cpu = sum(process.used.at(process.end) for process in job.processes)
        cgroup = chance.choice([None, 0, 1])
        return {
            "schema": 1, "id": name, "parent": None, "job": f"job {name[-4:]}", "command": ["job", name[-4:]], "cwd": "/srv",
            "user": "ann", "host": "node1", "pid": root.pid, "start_time": job.start, "stop_time": round(job.stop + 0.0005, 3),
            "interval": self.interval, "status": status, "exit_code": code, "exit_signal": root.signal if status == "killed" else None,
            "killed_by": killer, "labels": {}, "group": None, "member": {"rank": None, "node": None, "of": None},
            "requested": {"cpu": chance.choice([None, 2]), "memory_mib": chance.choice([None, 1024]), "gpu": None, "seconds": None},
            "server": {"os": "Linux", "vcpus": job.cpus, "memory_mib": job.machine_mib},
            "tracker": {"version": "0.1.0", "mode": "launcher" if self.launched else "preload", "start_ticks": job.ticks(root),
                        "baseline_utime": root.before * root.split, "baseline_stime": root.before * (1 - root.split),
                        "truncated": 0, "cpus": job.cpus, "births_known": None, "cgroup_shared": cgroup,
                        "cgroup_cpu": None if cgroup is None else true_cpu + 0.001 + cgroup * chance.choice([0, 3]),
                        "reaped_peak_mib": max(process.peak(process.end)[0] for process in job.processes) if self.launched else None,
                        "nameless_mib": None, "script_start": None, "script_pid": None}} | extra


# -- how it breaks ---------------------------------------------------------------------------------


def break_rows(chance, tables, run):
    """Rows are missing, as after a full disk or a stalled sampler."""
    rows = tables[chance.choice(["system", "process", "member", "start", "exit"])]
    if rows:
        first = chance.randrange(len(rows))
        del rows[first:first + chance.randint(1, len(rows))]


def break_cells(chance, tables, run):
    rows = tables[chance.choice(list(tables))]
    names = sorted({name for row in rows for name in row if name not in ("timestamp", "pid", "start_ticks")})
    for name in chance.sample(names, min(len(names), 3)):
        for row in rows:
            if chance.random() < 0.5:
                row[name] = None


def row_times(ticks, start, interval, wall):
    """Returns the times of rows as in sampler/clock.c. After the time of day was set back, rows continue from the last
    row, ahead by whole intervals."""
    times, last, seen, ahead = {}, start, start, 0
    for tick in ticks:
        day, expected = wall(tick), last + tick - seen
        if day >= last:
            ahead = 0
        elif not last <= day + ahead <= expected + interval:
            ahead = math.ceil((expected - day) / interval - 1e-9) * interval
        last, seen = day + ahead, tick
        times[tick] = last
    return times


def break_clock(chance, tables, run):
    """The clock is set. Rows of ticks are adjusted. All other records, and the end in run.json, have the time of
    day."""
    last = max([row["timestamp"] for rows in tables.values() for row in rows], default=run["start_time"])
    when, by = chance.uniform(run["start_time"], last), chance.choice([-3600, -2, -0.3, 0.3, 2, 3600])

    def wall(time):
        return time + by if time > when else time

    of_ticks = ("system", "process", "member")
    ticks = {row["timestamp"] for name in of_ticks for row in tables[name]} | {run["stop_time"] or last}
    times = row_times(sorted(ticks), run["start_time"], run["interval"], wall)
    for name, rows in tables.items():
        for row in rows:
            row["timestamp"] = times[row["timestamp"]] if name in of_ticks else wall(row["timestamp"])
    if run["stop_time"]:
        run["stop_time"] = times[run["stop_time"]]


def break_end(chance, tables, run):
    """The end was not written. run.json still has the status running, and the last rows are missing."""
    run.update(status="running", stop_time=None, exit_code=None, exit_signal=None, killed_by=None)
    for name in ("system", "process", "member"):
        del tables[name][max(len(tables[name]) - chance.randint(0, 3), 0):]


def break_twice(chance, tables, run):
    """A record appears twice."""
    rows = tables[chance.choice(["start", "exit"])]
    if rows:
        rows.append(dict(chance.choice(rows)))


BREAKS = {"rows": break_rows, "cells": break_cells, "clock": break_clock, "end": break_end, "twice": break_twice}


def break_files(chance, place, kinds):
    """A file is cut at any byte, or missing."""
    names = sorted(os.listdir(place))
    name = chance.choice(names)
    path = os.path.join(place, name)
    if chance.random() < 0.5:
        os.truncate(path, chance.randint(0, os.path.getsize(path)))
        kinds.append(f"torn {name}")
    else:
        os.remove(path)
        kinds.append(f"no {name}")


# -- files -----------------------------------------------------------------------------------------


def cell(value, digits, kind):
    if value is None:
        return ""
    return '"' + str(value).replace('"', '""') + '"' if kind == "TEXT" else f"{value:.{digits}f}"


def text_of(table, rows):
    lines = [",".join(f'"{name}"' for name, _, _ in LAYOUT[table])]
    lines += [",".join(cell(row.get(name), digits, kind) for name, digits, kind in LAYOUT[table]) for row in rows]
    return "\n".join(lines) + "\n"


def write_run(chance, spool, number, start, broken, machine, share, extra):
    job = Job(chance, start, machine, share)
    tracker = Tracker(job, chance)
    tracker.write_down()
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime(start))
    name = f"{stamp}-node1-{job.processes[0].pid}-{number % 65536:04x}"
    run, kinds = tracker.describe(name, extra), []
    if broken:
        for kind in chance.sample(sorted(BREAKS), chance.choice([0, 1, 1, 2])):
            BREAKS[kind](chance, tracker.tables, run)
            kinds.append(kind)
    place = os.path.join(spool, name)
    os.makedirs(place, mode=0o700)
    for table, rows in tracker.tables.items():
        if rows or table != "mark":
            with open(os.path.join(place, table + ".csv"), "w", encoding="utf-8") as out:
                out.write(text_of(table, rows))
    with open(os.path.join(place, "run.json"), "w", encoding="utf-8") as out:
        json.dump(run, out, indent=2)
        out.write("\n")
    if broken and (not kinds or chance.random() < 0.2):
        break_files(chance, place, kinds)
    for file in os.listdir(place):
        os.utime(os.path.join(place, file), (start + 1e5, start + 1e5))
    moments = sorted({when for process in job.processes for when, _ in process.own.points} |
                     {process.begin for process in job.processes})
    return {"id": name, "kinds": kinds, "cpu_seconds": sum(process.used.at(process.end) for process in job.processes),
            "peak_memory_mib": max(job.together(when) for when in moments), "processes": len(job.processes),
            "shortest_life": min(process.end - process.begin for process in job.processes)}


def make_spool(seed, spool):
    """Writes the spool of a seed and returns the true usage of its runs."""
    chance = random.Random(seed)
    start = round(EPOCH + seed * 60 + chance.random(), 3)
    broken, kind = seed % 2 == 1, chance.choice(["one"] * 7 + ["group", "script", "steps"])
    truth, count = [], 1 if kind == "one" else chance.randint(2, 4)
    os.makedirs(spool, mode=0o700, exist_ok=True)
    first, machine = None, (chance.choice([1, 2, 4, 8, 64]), chance.choice([2048.0, 8192.0, 16000.0, 262144.5]))
    for number in range(count):
        extra = {}
        if kind in ("group", "steps"):
            host = f"node{number if chance.random() < 0.5 else 0}"
            extra = {"group": f"g{seed}", "member": {"rank": number, "node": 0, "of": count}, "host": host}
        if kind == "steps" and first:
            extra["parent"] = first
        where = chance.uniform(0, 3) if number else 0
        truth.append(write_run(chance, spool, seed * 8 + number, round(start + where, 3), broken, machine, 1 / count, extra))
        first = first or truth[0]["id"]
        if kind == "script":
            path = os.path.join(spool, truth[-1]["id"], "run.json")
            if os.path.exists(path):
                with open(path, encoding="utf-8") as text:
                    content = text.read()
                content = content.replace('"script_start": null', '"script_start": 4711').replace('"script_pid": null', '"script_pid": 99')
                with open(path, "w", encoding="utf-8") as out:
                    out.write(content)
                os.utime(path, (start + 1e5, start + 1e5))
    with open(os.path.join(spool, ".truth.json"), "w", encoding="utf-8") as out:
        json.dump(truth, out, indent=2)
    return truth


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--count", type=int, default=1)
    parser.add_argument("--keep", required=True)
    given = parser.parse_args()
    for seed in range(given.seed, given.seed + given.count):
        place = os.path.join(given.keep, str(seed))
        shutil.rmtree(place, ignore_errors=True)
        make_spool(seed, place)


if __name__ == "__main__":
    main()
