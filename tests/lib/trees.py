#!/usr/bin/env python3
"""Makes random process trees (tests/victims/work/tree.c), tracks each of them, and compares its run with the true
usage.

  trees.py --build DIR --tree FILE --account FILE [--static FILE] [--ways preload,launcher] [--first SEED] [--count N]
           [--seeds "SEED …"] [--jobs N] [--kill-roots] [--keep DIR]

A seed determines what its tree does, its limits, and how often it is sampled. Each tree has its own control group,
whose CPU time is the true usage. If no group can be made, the true usage is what wait4 returned to the nearest
subreaper (tests/victims/work/account.c), without the children of processes that ignore SIGCHLD. The true memory is what
the processes themselves noted.

For every tree, figures called exact must be exact, CPU time within 1 % and 20 ms and peaks within 1 % and 1 MiB, and
each bound must hold. On a busy machine anything may be late, so a tree that fails runs once more, and counts if it
fails again. A failure is one line: seed, way, figure, true value, and how to run the tree again. The last line counts
trees, exact figures and failures. Exit status: 0, or 1 if anything failed."""
import argparse
import concurrent.futures
import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from kernel import Account, number, table

CPU_SECONDS, CPU_PART = 0.02, 0.01
# When the root has read its control group's account, the kernel still uses this much CPU time to end the root. The time
# grows with the machine's load.
AFTER_SECONDS = 0.03
PEAK_MIB, PEAK_PART = 1, 0.01
INTERVALS = ["0.01", "0.03", "0.05", "0.09", "1"]
USERS = 100000  # From this user ID on, each tree with a limit on processes has its own user.


# -- control groups --------------------------------------------------------------------------------

def own_cgroup(controller):
    """Returns the directory of this process's control group for a controller of version 1, or of version 2 for ""."""
    with open("/proc/self/cgroup") as lines:
        paths = {name: path for line in lines for _, names, path in [line.rstrip("\n").split(":", 2)] for name in names.split(",")}
    if controller not in paths:
        return None
    with open("/proc/self/mountinfo") as lines:
        for line in lines:
            before, after = line.rstrip("\n").split(" - ")
            kind, _, options = after.split(" ", 2)
            root, place = before.split(" ")[3:5]
            if kind == ("cgroup2" if controller == "" else "cgroup") and (controller == "" or controller in options.split(",")):
                path = paths[controller]
                inside = "/" if path.startswith("/..") or root == path else os.path.relpath(path, root) if root != "/" else path
                return os.path.join(place, inside.lstrip("/"))
    return None


# PROC_PID_INIT_INO of the kernel
FIRST_PID_NAMESPACE = 0xEFFFFFFC


class Cgroups:
    """Makes a control group for each tree, if this machine allows it."""

    def __init__(self):
        self.problem = None
        self.cpu = self.memory = self.figure = None
        for controller, figure in (("cpuacct", "cpuacct.usage"), ("", "cpu.stat")):
            place = own_cgroup(controller)
            if place and self.works(place, figure):
                self.cpu, self.figure = place, figure
                break
        else:
            self.problem = "no control group for CPU time can be made here: the truth is what wait4 tells"
        # A group of version 1 lists no processes of outer PID namespaces, so rtrack cannot know there whether the group
        # is the run's own.
        self.is_known_to_be_own = bool(self.cpu) and (
            self.figure == "cpu.stat" or os.stat("/proc/self/ns/pid").st_ino == FIRST_PID_NAMESPACE)
        for controller, limit in (("memory", "memory.limit_in_bytes"), ("", "memory.max")):
            place = own_cgroup(controller)
            if place and (controller or self.figure == "cpu.stat") and self.works(place, limit):
                self.memory, self.limit = place, limit
                break

    @staticmethod
    def works(place, figure):
        path = os.path.join(place, "rtrack-test-%d" % os.getpid())
        try:
            os.mkdir(path)
            with open(os.path.join(path, figure)):
                return os.access(os.path.join(path, "cgroup.procs"), os.W_OK)
        except OSError:
            return False
        finally:
            if os.path.isdir(path):
                os.rmdir(path)

    def make(self, name, limit_mib):
        """In version 2 one hierarchy has both controllers. The limit then applies to an inner group, and account.c is
        in another group."""
        made = {}
        if self.cpu:
            made["cpu"] = os.path.join(self.cpu, name)
            os.mkdir(made["cpu"])
        if not self.memory or not limit_mib:
            return made
        place = self.memory
        if self.limit == "memory.max":
            place = made.setdefault("cpu", os.path.join(place, name))
            os.makedirs(place, exist_ok=True)
            self.write(place, "cgroup.subtree_control", "+memory")
            made["account"] = os.path.join(place, "account")
            os.mkdir(made["account"])
        made["memory"] = os.path.join(place, name)
        os.mkdir(made["memory"])
        self.write(made["memory"], self.limit, str(limit_mib << 20))
        return made

    @staticmethod
    def write(place, name, text):
        with open(os.path.join(place, name), "w") as file:
            file.write(text)

    @staticmethod
    def words(made):
        """Returns the groups that account.c enters."""
        return [place for kind, place in made.items() if kind != "cpu" or "account" not in made]

    def cpu_seconds(self, made):
        with open(os.path.join(made["cpu"], self.figure)) as file:
            text = file.read()
        return int(text) / 1e9 if self.figure == "cpuacct.usage" else int(text.split()[1]) / 1e6

    @staticmethod
    def remove(made):
        for path in reversed(made.values()):
            for _ in range(100):
                try:
                    os.rmdir(path)
                    break
                except OSError:
                    time.sleep(0.01)


class Stranger:
    """A stranger is a process in a tree's control group that uses as much CPU time as most trees. Then no sampler can
    use the group's account to find what it missed. If the stranger also forks, no sampler can subtract its children's
    usage either."""

    BEGIN = "echo $$ >$0/cgroup.procs; echo; "
    BURN = "i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; exec sleep 1000"
    FORK = "i=0; while [ $i -lt 300 ]; do i=$((i + 1)); /bin/true; done; exec sleep 1000"

    def __init__(self, made, forks):
        job = self.BEGIN + (self.FORK if forks else self.BURN)
        self.process = subprocess.Popen(["nice", "-n", "19", "sh", "-c", job, made["cpu"]], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE)
        self.process.stdout.readline()

    def end(self):
        """Ends the stranger, and returns its CPU time."""
        self.process.kill()
        _, _, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = 0
        self.process.stdout.close()
        return usage.ru_utime + usage.ru_stime


def become(user):
    return ["setpriv", "--reuid", str(user), "--regid", str(user), "--clear-groups"]


def find_out(options):
    """Returns what this machine can do."""
    def works(words):
        return subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0
    os.chmod(options.place, 0o711)
    library = os.path.join(options.build, "librtrack.so")
    may = {"namespaces": works(["unshare", "--pid", "--fork", "--mount-proc", "true"]),
           "times": works(["unshare", "--time", "--boottime", "2", "true"]),
           "users": works(become(USERS) + ["test", "-r", library, "-a", "-x", options.tree, "-a", "-x", options.place])}
    if not may["namespaces"]:
        print("NOTE: no PID namespace can be made here: no tree begins one or is in one")
    if not may["times"]:
        print("NOTE: no time namespace can be made here: no tree has any")
    if not may["users"]:
        print("NOTE: no other user may run this here: no tree has a limit on processes")
    return may


# -- one tree --------------------------------------------------------------------------------------

class Plan:
    """Everything that a seed determines besides the tree itself."""

    def __init__(self, seed, kill_roots):
        chance = random.Random(seed)
        self.interval = chance.choice(INTERVALS)
        self.classes = "".join(letter for letter, one_in in (("c", 4), ("d", 8), ("k", 3), ("n", 8), ("p", 3), ("w", 2))
                               if chance.randrange(one_in) == 0)
        self.limit_mib = 24 + chance.randrange(50) if chance.randrange(12) == 0 else None
        if chance.randrange(6) == 0 and kill_roots:
            self.classes += "r"
        # Bounds refer to the time until the run's end. Only a group without strangers shows an unknown process that
        # lives on. Therefore, if the root may be killed, the tree has no stranger.
        self.has_stranger = chance.randrange(3) == 0 and "r" not in self.classes and not self.limit_mib
        if self.has_stranger and "w" not in self.classes:
            self.classes += "w"
        # Newer choices are drawn last, so that a seed still gives the same tree as before.
        self.is_first = chance.randrange(10) == 0 and not self.has_stranger
        self.sees_others = chance.randrange(3) == 0
        self.processes = 6 + chance.randrange(24) if chance.randrange(8) == 0 and not self.is_first else None
        if chance.randrange(10) == 0 and not self.processes and not self.is_first:
            self.classes += "b"
        if chance.randrange(6) == 0:
            self.classes += "t"
        self.stranger_forks = chance.randrange(2) == 0 and self.has_stranger

    def leave_out(self, may):
        """Removes from the plan what this machine cannot do."""
        self.is_first = self.is_first and may["namespaces"]
        self.processes = self.processes if may["users"] else None
        if not may["namespaces"]:
            self.classes = self.classes.replace("b", "")
        if not may["times"]:
            self.classes = self.classes.replace("t", "")

    def prefix(self, user):
        """Returns the words before the tracker."""
        if self.is_first:
            return ["unshare", "--pid", "--fork"] + ([] if self.sees_others else ["--mount-proc"])
        if self.processes:
            return become(user) + ["prlimit", "--nproc=%d:%d" % (self.processes, self.processes)]
        return []

    def words(self):
        """Describes the special properties of the tree."""
        return "".join([
            "classes %s, interval %s" % (self.classes or "none", self.interval),
            ", limit %d MiB" % self.limit_mib if self.limit_mib else "",
            ", with a stranger%s" % (" that forks" if self.stranger_forks else "") if self.has_stranger else "",
            ", process 1%s" % (" with the /proc of others" if self.sees_others else "") if self.is_first else "",
            ", %d processes at most" % self.processes if self.processes else ""])


def read_notes(place):
    """Returns for each pid: a lower and an upper bound of its peak (MiB), and its CPU seconds."""
    processes = {}
    with open(os.path.join(place, "notes")) as lines:
        for line in lines:
            what, cpu, maxrss, pid, _, mib = line.split()
            process = processes.setdefault(int(pid), {"least": 0.0, "most": 0.0, "cpu": 0.0, "touching": False, "last": ""})
            process["cpu"] = max(process["cpu"], float(cpu))
            process["most"] = max(process["most"], int(maxrss) / 1024)
            if what == "touched":
                process["least"] = max(process["least"], float(mib))
            process["touching"] = what == "touching"
            process["last"] = what
    return processes


def least_cpu(truth, way):
    """Returns the least CPU time that a run may have if it is called complete."""
    after = AFTER_SECONDS if way == "preload" else 0
    return truth.with_ends * (1 - CPU_PART) - CPU_SECONDS - after


class Tree:
    def __init__(self, options, cgroups, way, seed):
        self.way, self.seed, self.options = way, seed, options
        self.plan = Plan(seed, options.kill_roots)
        self.plan.leave_out(options.may)
        self.user = USERS + seed % 100000 * 2 + (way == "launcher")
        self.claims = {"cpu": 0, "memory": 0, "runs": 0, "modest": 0}
        self.problems = []
        self.low = None  # an upper bound that failed; a few per cent may, since private memory of forks is estimated from page faults
        self.place = os.path.join(options.place, "%s-%d" % (way, seed))
        self.cgroups = cgroups

    def wrong(self, text, *values):
        self.problems.append(text % values)

    def grow(self):
        plan, options = self.plan, self.options
        os.mkdir(self.place)
        if plan.processes:
            os.chown(self.place, self.user, self.user)
        made = self.cgroups.make("rtrack-%d-%s-%d" % (os.getpid(), self.way, self.seed), plan.limit_mib)
        command = [options.account, ",".join([os.path.join(self.place, "account")] + self.cgroups.words(made))]
        environment = {name: value for name, value in os.environ.items() if not name.startswith("RTRACK")}
        # CPU time of rtrack-gpu after the last row would be in the account, but in no record.
        environment.update(RTRACK_SPOOL=self.place, RTRACK_INTERVAL=plan.interval, RTRACK_GPU="off")
        stranger = Stranger(made, plan.stranger_forks) if plan.has_stranger and made.get("cpu") else None
        command += plan.prefix(self.user)
        if self.way == "preload":
            command += ["env", "LD_PRELOAD=" + os.path.join(options.build, "librtrack.so")]
        else:
            command += [os.path.join(options.build, "rtrack-run")]
        command += [options.tree, str(self.seed), self.place, options.static, plan.classes]
        try:
            done = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, timeout=100, check=False)
            # If pid 1 was killed, unshare itself prints an error.
            if done.stdout and not (plan.is_first and done.stdout.startswith(b"unshare: sigprocmask")):
                self.wrong("it says %r", done.stdout[:200])
            if done.returncode != 0 and not plan.limit_mib and "r" not in plan.classes:
                self.wrong("it ended with status %d", done.returncode)
            whole = self.cgroups.cpu_seconds(made) if made.get("cpu") else None
            if stranger:
                whole -= stranger.end()
                stranger = None
            self.truth_is_whole = bool(made.get("cpu")) or "c" not in plan.classes
            self.account = Account(os.path.join(self.place, "account"), whole)
        finally:
            if stranger:
                stranger.end()
            self.cgroups.remove(made)

    def judge(self):
        names = [name for name in os.listdir(self.place) if os.path.exists(os.path.join(self.place, name, "run.json"))]
        if len(names) != 1:
            self.wrong("%d runs", len(names))
            return
        run = os.path.join(self.place, names[0])
        said = subprocess.run([os.path.join(self.options.build, "rtrack-report"), "stats", "--format", "json", run],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        if said.returncode != 0 or said.stderr:
            self.wrong("rtrack-report ends with %d: %r", said.returncode, said.stderr[:200])
            return
        totals = json.loads(said.stdout)["totals"]
        self.claims["runs"] = 1
        self.judge_cpu(run, totals)
        self.judge_memory(run, totals)

    def knows_all(self, run):
        """Whether each process of the tree has a row in start.csv. Only known processes are part of exact totals.
        docs/spool.md lists what is not seen (children of a program without the library)."""
        known = {int(row["pid"]) for row in table(run, "start")}
        return all(pid in known for pid in read_notes(self.place))

    def judge_cpu(self, run, totals):
        truth = self.account.job_cpu(run, self.way)
        cpu = totals["cpu_seconds"] or 0
        # The last record of a killed root may be 50 ms old.
        old = 0.05 if self.options.kill_roots else 0
        least = least_cpu(truth, self.way) - old
        most = truth.without_tracker * (1 + CPU_PART) + CPU_SECONDS
        missing = totals["missing_cpu_seconds_at_most"]
        exact = totals.get("exact_cpu", totals["exact"])
        if self.truth_is_whole and cpu > most:
            self.wrong("too much CPU: %.3f s of %.3f", cpu, truth.without_tracker)
        if exact:
            self.claims["cpu"] = 1
            if cpu < least and self.knows_all(run):
                self.wrong("exact_cpu is false: %.3f s of %.3f", cpu, truth.with_ends)
        elif self.truth_is_whole and least <= cpu <= most:
            self.claims["modest"] = 1
        if missing is not None and cpu + missing < least and self.knows_all(run):
            self.wrong("missing_cpu_seconds_at_most is too small: %.3f + %.3f s of %.3f", cpu, missing, truth.with_ends)
        if totals["exact"] and not (exact and totals.get("exact_memory", True)):
            self.wrong("exact is more than exact_cpu and exact_memory")
        noted = read_notes(self.place)
        for row in table(run, "exit"):
            own = noted.get(int(row["pid"]))
            is_host = self.way == "preload" and run.endswith("-%s-%s" % (row["pid"], run.rsplit("-", 1)[1]))
            if own and not is_host and row["exact"] == "1" and number(row["utime"]) + number(row["stime"]) < own["cpu"] * (1 - CPU_PART) - CPU_SECONDS:
                self.wrong("exact of process %s (%s) is false: %.3f s of %.3f", row["pid"], row["source"],
                           number(row["utime"]) + number(row["stime"]), own["cpu"])

    def judge_memory(self, run, totals):
        noted = read_notes(self.place)
        least = max((process["least"] for process in noted.values()), default=0)
        most = max((process["most"] for process in noted.values()), default=0)
        unsure = any(process["touching"] for process in noted.values())
        largest = totals["peak_process_memory_mib"] or 0
        at_most = totals["peak_memory_at_most_mib"]
        if totals.get("exact_memory", totals["exact"]):
            self.claims["memory"] = 1
            if largest < least * (1 - PEAK_PART) - PEAK_MIB and self.knows_all(run):
                self.wrong("exact_memory is false: the largest process had %.1f MiB, not %.1f", least, largest)
        # rtrack-run itself may be the largest process of a small tree.
        if not unsure and most > 8 and largest > most * (1 + PEAK_PART) + PEAK_MIB:
            self.wrong("too much memory: the largest process had %.1f MiB, not %.1f", most, largest)
        with open(os.path.join(self.place, "table"), "rb") as file:
            tree = int.from_bytes(file.read(8)[4:], sys.byteorder)
        if at_most is not None and at_most < max(tree, least) * (1 - PEAK_PART) - PEAK_MIB and self.knows_all(run) and not self.options.kill_roots:
            self.low = "peak_memory_at_most_mib is too small: %.1f of %d" % (at_most, max(tree, least))
        peaks = {}
        for row in table(run, "start"):
            peaks.setdefault(row["pid"], []).append(number(row["earlier_peak_mib"]))
        for row in table(run, "exit"):
            own = noted.get(int(row["pid"]))
            if not own or row.get("exact_peak", row["exact"]) != "1":
                continue
            said = max([number(row["peak_rss_mib"])] + [peak for peak in peaks.get(row["pid"], [])])
            if said < own["least"] * (1 - PEAK_PART) - PEAK_MIB:
                self.wrong("exact_peak of process %s (%s) is false: %.1f MiB, not %.1f", row["pid"], row["source"], own["least"], said)

    def run(self):
        try:
            self.grow()
            self.judge()
        except Exception as error:  # pylint: disable=broad-except
            self.wrong("%s: %s", type(error).__name__, error)
        if not (self.problems and self.options.keep):
            shutil.rmtree(self.place, ignore_errors=True)
        return self


def problems_of(tree):
    """Yields a line for each problem."""
    return ["tree %d under %s (%s): %s; TREES=%d" % (tree.seed, tree.way, tree.plan.words(), problem, tree.seed)
            for problem in tree.problems]


# -- all of them -----------------------------------------------------------------------------------

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--tree", required=True)
    parser.add_argument("--account", required=True)
    parser.add_argument("--static", default="")
    parser.add_argument("--ways", default="preload,launcher")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seeds", default="")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--kill-roots", action="store_true")
    parser.add_argument("--keep", default="")
    options = parser.parse_args()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    options.place = options.keep or tempfile.mkdtemp(prefix="rtrack-trees-")
    os.makedirs(options.place, exist_ok=True)
    options.may = find_out(options)
    cgroups = Cgroups()
    if cgroups.problem:
        print("NOTE: " + cgroups.problem)
    if not cgroups.memory:
        print("NOTE: no control group for memory can be made here: no tree is killed for lack of it")
    if not options.static:
        print("NOTE: no static programs can be made here: no tree has any")
    seeds = [int(seed) for seed in options.seeds.split()] or range(options.first, options.first + options.count)
    trees = [(way, seed) for seed in seeds for way in options.ways.split(",")]

    def grow(pair):
        tree = Tree(options, cgroups, *pair).run()
        if not tree.problems or options.keep:
            return tree
        for line in problems_of(tree):
            print("NOTE: once: " + line, flush=True)
        return Tree(options, cgroups, *pair).run()

    counts = {"runs": 0, "cpu": 0, "memory": 0, "modest": 0}
    failed = low = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for tree in pool.map(grow, trees):
            for claim, count in tree.claims.items():
                counts[claim] += count
            failed += bool(tree.problems)
            low += bool(tree.low)
            if tree.low:
                print("NOTE: tree %d under %s: %s" % (tree.seed, tree.way, tree.low), flush=True)
            for line in problems_of(tree):
                print(line, flush=True)
    if not options.keep:
        shutil.rmtree(options.place, ignore_errors=True)
    print("%d trees: %d claim exact CPU time (%d more could have), %d exact memory; %d wrong" % (
        counts["runs"], counts["cpu"], counts["modest"], counts["memory"], failed))
    return failed > 0 or low > max(5, counts["runs"] * 4 // 100)


if __name__ == "__main__":
    sys.exit(main())
