#!/usr/bin/env python3
"""Runs real programs untracked and tracked both ways, each in its own control group, and checks the record.

  workloads.py --build DIR --account FILE --odd FILE --static FILE [NAME…]

The jobs are typical ones: shells with pipelines and background jobs, pools of processes, compilers, runtimes,
sandboxes, servers, daemons, debuggers, programs that exec others, and the unusual cases of tests/victims/work/odd.c.

For each job, status, stdout and stderr must be those of the untracked job, and the run must have that status. Figures
called exact must be exact within 1 % and 20 ms, and each bound must hold. No other process is in the control group.
Therefore the CPU time of jobs in EXACT must be called exact both ways, and that of jobs in EXACT_WITH_LAUNCHER under
rtrack-run.

On a busy machine anything may be late, so a problem must occur in two runs. A job whose program is not installed is
skipped, with a note. The last line counts runs and failures. Exit status: 0, or 1 if anything failed."""
import argparse
import json
import os
import re
import shlex
import shutil
import stat
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import trees  # pylint: disable=wrong-import-position
from kernel import Account  # pylint: disable=wrong-import-position

LOOP = "i=0; while [ $i -lt %d ]; do i=$((i+1)); done"
POOL = "import multiprocessing as m\ndef f(x): return sum(i * i for i in range(x * 10000))\n"

# name of the job: the programs that it needs, and its command
EXACT = {
    "a pipeline": ("sort", ["sh", "-c", "seq 200000 | sort -r | md5sum | cut -c1-8"]),
    "a pipeline that SIGPIPE ends": ("sort", ["sh", "-c", "yes | head -n 2000000 | tail -n 1; seq 200000 | sort | head -n 2"]),
    "many short programs": ("bash", ["bash", "-c", "for i in $(seq 40); do x=$(echo $i | sed s/1/2/ | tr 2 3); done; echo $x"]),
    "subshells in the background": ("bash", ["bash", "-c", "f() { for i in $(seq 30000); do :; done; echo $1; }; for i in 1 2 3; do (f $i) & done | sort; wait; echo done"]),
    "a process substitution": ("bash", ["bash", "-c", "diff <(seq 50000 | sort) <(seq 50000 | sort -r | sort) && echo same"]),
    "make -j": ("make cc", ["sh", "-c", r'cd $(mktemp -d); for i in 1 2 3 4 5 6; do printf "int f$i(int a) { return a * $i; }\n" >f$i.c; done; '
                            r'printf "all: f1.o f2.o f3.o f4.o f5.o f6.o\n\tar rc l.a *.o\n%%.o: %%.c\n\tcc -O2 -c -o \$@ $<\n" >Makefile; make -s -j4 && ls | wc -l']),
    "multiprocessing": ("python3", ["python3", "-c", POOL + "p = m.get_context('fork').Pool(3); print(sum(p.map(f, range(12)))); p.close(); p.join()"]),
    "a pool of workers that a signal ends": ("python3", ["python3", "-c", POOL + "with m.get_context('fork').Pool(3) as p: print(sum(p.map(f, range(12))))"]),
    "concurrent.futures": ("python3", ["python3", "-c", "from concurrent.futures import ProcessPoolExecutor as P\n" + POOL + "with P(3) as p: print(sum(p.map(f, range(12))))"]),
    "a pool of spawned workers": ("python3", ["python3", "-c", "import multiprocessing as m\nif __name__ == '__main__':\n  with m.get_context('spawn').Pool(2) as p: print(p.map(eval, ['sum(i * i for i in range(300000))'] * 4)); p.close(); p.join()"]),
    "workers that share memory": ("python3", ["python3", "-c", "import multiprocessing as m\nfrom multiprocessing import shared_memory as s\ndef f(n): b = s.SharedMemory(n); b.buf[0] = sum(i * i for i in range(300000)) % 100; b.close()\nb = s.SharedMemory(create=True, size=1 << 20)\nq = [m.get_context('fork').Process(target=f, args=(b.name,)) for _ in range(3)]\n[x.start() for x in q]; [x.join() for x in q]\nprint(b.buf[0]); b.close(); b.unlink()"]),
    "parallel": ("parallel", ["sh", "-c", "seq 100000 | parallel --will-cite --pipe --block 100k -j2 wc -l | awk '{ s += $1 } END { print s }'"]),
    "a first process that adopts, and leaves one": ("tini", ["tini", "-s", "--", "sh", "-c", "sleep 0.3 & " + LOOP % 40000 + "; exit 3"]),
    "subprocess": ("python3", ["python3", "-c", "import subprocess\nfor _ in range(10): subprocess.run(['sh', '-c', 'seq 20000 | wc -l'], check=True)"]),
    "something that goes on behind Python": ("python3", ["python3", "-c", "import os; os.system('sh -c \"" + (LOOP % 100000).replace("$", "\\$") + "\" &'); print(sum(i * i for i in range(3000000)))"]),
    "xargs -P": ("xargs", ["sh", "-c", "seq 24 | xargs -P4 -I{} sh -c '" + LOOP % 5000 + "; echo x' | wc -l"]),
    "tar and gzip": ("tar gzip", ["sh", "-c", "tar cf - /usr/include/linux 2>/dev/null | gzip -1 | wc -c | awk '{ print ($1 > 1000) }'"]),
    "zstd -T0": ("zstd", ["sh", "-c", "head -c 30000000 /dev/zero | zstd -T0 -5 -q | zstd -d -q | wc -c"]),
    "nohup in the background": ("nohup", ["sh", "-c", "nohup sh -c '" + LOOP % 100000 + "' >/dev/null 2>&1 & " + LOOP % 20000 + "; echo $i"]),
    "three in the background": ("sh", ["sh", "-c", "for k in 1 2 3; do sh -c '" + LOOP % 50000 + "' & done; wait; echo ok"]),
    "timeout, in time": ("timeout", ["timeout", "60", "sh", "-c", LOOP % 100000 + "; echo $i"]),
    "timeout, too late": ("timeout", ["timeout", "0.5", "sh", "-c", "while :; do :; done"]),
    "env -i below a shell": ("env", ["sh", "-c", "env -i /bin/sh -c '" + LOOP % 100000 + "; echo $i'"]),
    "shells that execute each other": ("bash setpriv", ["sh", "-c", "seq 100000 | sort -n | tail -n 1; exec bash -c 'seq 100000 | sort -n | tail -n 1; exec setpriv --no-new-privs nice sh -c \"seq 200000 | sort | tail -n 1\"'"]),
    "node": ("node", ["node", "-e", "let s = 0; for (let i = 0; i < 2e7; i++) s += i; console.log(s); require('child_process').execSync('seq 10000 | sort -n | tail -n 1', {stdio: 'inherit'})"]),
    "a cluster of node": ("node", ["node", "-e", "const c = require('cluster'); if (c.isPrimary) { let n = 3; for (let i = 0; i < 3; i++) c.fork(); c.on('exit', () => { if (--n == 0) console.log('all') }) } else { let s = 0; for (let i = 0; i < 1e7; i++) s += i; process.exit(0) }"]),
    "perl that forks": ("perl", ["perl", "-e", "for (1 .. 6) { if (!fork) { my $s = 0; $s += $_ for 1 .. 300000; exit 0 } } 1 while wait > 0; print qq(ok\\n)"]),
    "perl that ends its workers": ("perl", ["perl", "-e", "my @k; for (1 .. 3) { my $p = fork; if (!$p) { my $s = 0; $s += $_ for 1 .. 200000; sleep 600; exit } push @k, $p } my $s = 0; $s += $_ for 1 .. 2000000; kill TERM => @k; waitpid $_, 0 for @k; print qq(down\\n)"]),
    "a daemon of perl": ("perl", ["perl", "-e", "use POSIX; if (!fork) { setsid; if (!fork) { my $s = 0; $s += $_ for 1 .. 2000000; exit 0 } exit 0 } wait; my $s = 0; $s += $_ for 1 .. 1000000; print qq(ok\\n)"]),
    "ruby that forks": ("ruby", ["ruby", "-e", "3.times { fork { (1 .. 500000).sum { |i| i * i }; exit! } }; Process.waitall; puts 1"]),
    "setsid in the background": ("setsid", ["sh", "-c", "setsid sh -c '" + LOOP % 100000 + "' >/dev/null 2>&1 & " + LOOP % 20000 + "; echo $i"]),
    "a job of a shell, killed": ("bash", ["bash", "-c", "set -m; (while :; do :; done) & p=$!; sleep 0.3; kill -- -$p; wait $p 2>/dev/null; echo $?"]),
    "sqlite": ("sqlite3", ["sqlite3", ":memory:", "create table t(a); with recursive c(x) as (select 1 union all select x + 1 from c where x < 200000) insert into t select x from c; select sum(a) from t;"]),
    "git": ("git", ["sh", "-c", "cd $(mktemp -d); git init -q . 2>/dev/null; for i in 1 2 3 4 5 6; do seq $i 2000 >f$i; git add .; git -c user.name=a -c user.email=a@b commit -qm $i; done; git gc -q; git log --oneline | wc -l"]),
    "a namespace of processes": ("unshare", ["unshare", "--pid", "--fork", "--mount-proc", "sh", "-c", "sh -c '" + LOOP % 60000 + "' & " + LOOP % 60000 + "; wait; echo ok"]),
    "tmux": ("tmux", ["sh", "-c", "S=$(mktemp -d)/s; tmux -f /dev/null -S $S new-session -d '" + LOOP % 60000 + "'; while tmux -S $S ls >/dev/null 2>&1; do sleep 0.1; done; echo ok"]),
    "a shell with a last command that takes its place": ("bash", ["bash", "-c", "cd $(mktemp -d); STATIC 0.2; seq 300000 | head -n 1 >x; cat x"]),
    "programs that execute others, and static children": ("env nice", ["env", "nice", "env", "sh", "-c", "seq 100000 | sort | head -n 1; STATIC 0.2; exit 3"]),
    "a shell that executes itself and others for seconds": ("sh", ["sh", "-c", "STATIC 0.6; sleep 0.7; exec sh -c 'STATIC 0.1; sleep 1.2; exec sh -c \"STATIC 0.1; exit 9\"'"]),
    "static children": ("sh", ["sh", "-c", "for i in 1 2 3 4; do STATIC 0.05; done; echo ok"]),
    "awk that reads from a program": ("awk", ["awk", 'BEGIN { while (("seq 50000 | sort" | getline l) > 0) n++; print n }']),
    "find -exec": ("find", ["sh", "-c", r"find /usr/include/linux -name 'i*.h' -exec wc -l {} \; | wc -l"]),
    "asyncio": ("python3", ["python3", "-c", "import asyncio\nasync def go():\n  await asyncio.gather(*[(await asyncio.create_subprocess_exec('sh', '-c', 'seq 30000 | sort | wc -l')).wait() for _ in range(3)])\nasyncio.run(go())"]),
    "threads that fork": ("python3", ["python3", "-c", "import threading, os\ndef g():\n  p = os.fork()\n  if p == 0:\n    sum(i * i for i in range(500000)); os._exit(0)\n  os.waitpid(p, 0)\nts = [threading.Thread(target=g) for _ in range(3)]\n[t.start() for t in ts]; [t.join() for t in ts]; print('ok')"]),
    "a subreaper": ("python3", ["python3", "-c", "import os, ctypes\nctypes.CDLL(None).prctl(36, 1, 0, 0, 0)\nif os.fork() == 0:\n  for _ in range(3):\n    if os.fork() == 0:\n      sum(i * i for i in range(500000)); os._exit(0)\n  os._exit(0)\nn = 0\ntry:\n  while 1: os.wait(); n += 1\nexcept OSError: print(n)"]),
    "every descriptor closed": ("python3", ["python3", "-c", "import os\nos.closerange(0, 4096)\nsum(i * i for i in range(1000000))\nif os.fork() == 0:\n  sum(i * i for i in range(1000000)); os._exit(0)\nos.wait()"]),
    "wait -n": ("bash", ["bash", "-c", "for k in 1 2 3; do (" + LOOP % 30000 + "; exit $k) & done; for k in 1 2 3; do wait -n; done; echo done"]),
    "a coprocess": ("bash", ["bash", "-c", "coproc C { sort; }; seq 50000 >&${C[1]}; eval \"exec ${C[1]}>&-\"; wc -l <&${C[0]}; wait"]),
    "stopped and continued": ("bash", ["bash", "-c", "(" + LOOP % 100000 + ") & p=$!; kill -STOP $p; " + LOOP % 20000 + "; kill -CONT $p; wait $p; echo $?"]),
    "make -k with a target that fails": ("make", ["sh", "-c", r"cd $(mktemp -d); printf 'all: a b c\na c:\n\t@seq 50000 | sort >/dev/null\nb:\n\t@seq 50000 | sort >/dev/null; false\n' >Makefile; make -k -j2 2>/dev/null"]),
    "ninja": ("ninja", ["sh", "-c", r"cd $(mktemp -d); printf 'rule r\n command = seq 50000 | sort > $out\n' >build.ninja; for i in 1 2 3 4; do echo build o$i: r >>build.ninja; done; ninja -j2 >/dev/null; ls o* | wc -l"]),
    "xz -T0": ("xz", ["sh", "-c", "tar cf - /usr/include/linux 2>/dev/null | xz -T0 -1 | xz -d | tar tf - | tail -n 1"]),
    "threads of node": ("node", ["node", "-e", "const {Worker} = require('worker_threads'); let n = 0; for (let i = 0; i < 3; i++) new Worker('let s = 0; for (let i = 0; i < 1e7; i++) s += i', {eval: true}).on('exit', () => { if (++n == 3) console.log('done') })"]),
    "runuser": ("runuser", ["sh", "-c", "runuser -u nobody -- sh -c '" + LOOP % 60000 + "; exit 4'; echo $?"]),
    "a limit on CPU time": ("sh", ["sh", "-c", "(ulimit -t 1; while :; do :; done) 2>/dev/null; echo $?"]),
    "namespaces in each other": ("unshare", ["unshare", "-pf", "--mount-proc", "unshare", "-pf", "--mount-proc", "sh", "-c", "(" + LOOP % 60000 + ") & " + LOOP % 60000 + "; wait"]),
    "busybox": ("busybox", ["sh", "-c", "busybox sh -c '" + LOOP % 60000 + "; busybox seq 30000 | busybox sort | busybox wc -l; exit 3'; echo $?"]),
    "a daemon that renames itself": ("python3", ["python3", "-c", "import os, ctypes\nl = ctypes.CDLL(None)\nif os.fork() == 0:\n  os.setsid(); l.prctl(15, b'renamed', 0, 0, 0); sum(i * i for i in range(2000000)); os._exit(0)\nos._exit(0)"]),
    "expect": ("expect", ["expect", "-c", "log_user 0; spawn sh -c {seq 20000 | sort | tail -n 1; read x; exit 3}; expect 9999; send a\\n; expect eof; puts [lindex [wait] 3]"]),
    "a terminal": ("script", ["sh", "-c", "script -qec 'seq 30000 | sort | tail -n 1; exit 3' /dev/null; echo $?"]),
    "turns by flock": ("flock", ["sh", "-c", "cd $(mktemp -d); for i in 1 2 3; do flock l sh -c '" + LOOP % 15000 + "; echo x >>o' & done; wait; wc -l <o"]),
    "a priority of real time": ("chrt", ["sh", "-c", "chrt -b 0 nice -n 5 sh -c '" + LOOP % 60000 + "; seq 10000 | sort | tail -n 1; exit 3'; echo $?"]),
    "a debugger that comes and goes": ("gdb", ["sh", "-c", "sh -c '" + LOOP % 200000 + "; exit 3' & p=$!; gdb -nx -q -batch -p $p -ex detach >/dev/null 2>&1; wait $p; echo $?"]),
    "php that forks": ("php", ["php", "-r", "for ($i = 0; $i < 3; $i++) { if (!pcntl_fork()) { for ($k = $s = 0; $k < 1000000; $k++) $s += $k; exit($i); } } $t = 0; while (pcntl_wait($st) > 0) $t += pcntl_wexitstatus($st); echo $t;"]),
    "lua that opens pipes": ("lua", ["lua", "-e", "for i = 1, 4 do local f = io.popen('seq 5000 | sort -n | tail -n 1'); print(f:read('a')); f:close() end os.exit(6)"]),
    "a server by socat": ("socat", ["sh", "-c", "cd $(mktemp -d); socat UNIX-LISTEN:s,fork SYSTEM:'seq 5000 | sort | tail -n 1' & p=$!; while [ ! -S s ]; do sleep 0.02; done; for i in 1 2 3; do socat -u UNIX-CONNECT:s -; done; kill $p; wait $p; echo $?"]),
    **{"odd: " + what: ("sh", ["ODD", what]) for what in (
        "a thread executes", "a thread outlives the main one", "little threads fork", "executes itself", "clones",
        "vforks", "lodgers fork", "traces", "a file that is gone")},
    "a failure": ("sort", ["sh", "-c", "seq 100000 | sort >/dev/null; exit 3"]),
}
# These programs are known to lack something, or cannot be exact under the library alone. Totals called exact must be
# exact nevertheless, and bounds must hold.
OTHERS = {
    "R": ("Rscript", ["Rscript", "-e", "x <- 0; for (i in 1:200) x <- x + sum(sqrt(1:20000)); cat(round(x)); print(unlist(parallel::mclapply(1:4, function(i) sum(as.numeric(1:1e5)) * i, mc.cores = 2)))"]),
    "java": ("java", ["java", "-XX:+UseSerialGC", "-version"]),
    "timeout -s KILL, which ends itself as well": ("timeout", ["sh", "-c", "timeout -s KILL 0.5 sh -c 'while :; do :; done'; echo $?"]),
    "timeout -k": ("timeout", ["sh", "-c", "timeout -k 0.2 0.2 sh -c 'trap \"\" TERM; while :; do :; done'; echo $?"]),
    "env -i as the first": ("env", ["env", "-i", "/bin/sh", "-c", LOOP % 100000 + "; echo $i"]),
    "perl that ignores SIGCHLD": ("perl", ["perl", "-e", "$SIG{CHLD} = 'IGNORE'; for (1 .. 4) { if (!fork) { my $s = 0; $s += $_ for 1 .. 300000; exit 0 } } 1 while wait > 0; print qq(ok\\n)"]),
    "a crash": ("perl", ["perl", "-e", "my $s = 0; $s += $_ for 1 .. 500000; kill 11, $$; sleep 1"]),
    "sandboxes": ("bwrap", ["sh", "-c", "for i in 1 2 3; do bwrap --ro-bind / / --unshare-pid --proc /proc --dev /dev sh -c '" + LOOP % 30000 + "'; done; echo ok"]),
    "what a trap ends": ("bash", ["bash", "-c", "while :; do :; done & trap \"kill $!\" EXIT; sleep 0.3; echo bye"]),
    "valgrind": ("valgrind", ["valgrind", "-q", "ls", "/usr/include/linux/if.h"]),
    "a pool that a server forks": ("python3", ["python3", "-c", POOL + "p = m.get_context('forkserver').Pool(2); print(sum(p.map(int, '1234'))); p.close(); p.join()"]),
    "a limit on files": ("bash", ["bash", "-c", "ulimit -n 8; for k in 1 2 3; do (" + LOOP % 30000 + ") & done; wait; seq 30000 | sort | wc -l"]),
    "a limit on the size of files": ("sort", ["sh", "-c", "ulimit -f 1; " + LOOP % 60000 + "; seq 30000 | sort | tail -n 1; echo $i >$TMPDIR/o || echo no"]),
    "a first process that Perl replaces": ("perl busybox", ["perl", "-e", "my $s = 0; $s += $_ for 1 .. 500000; exec {'busybox'} 'sh', '-c', 'i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done; exit 3'"]),
    "a cluster of R": ("Rscript", ["Rscript", "-e", "cl <- parallel::makeCluster(2); print(unlist(parallel::parLapply(cl, 1:4, function(i) sum(as.numeric(1:2e5)) * i))); parallel::stopCluster(cl)"]),
    "a shell that becomes a static program": ("sh", ["sh", "-c", LOOP % 30000 + "; exec STATIC 0.3"]),
    "a shell that becomes one without LD_PRELOAD": ("bash", ["bash", "-c", LOOP % 30000 + "; unset LD_PRELOAD; exec sh -c '" + LOOP % 100000 + "; exit 3'"]),
    "a shell that becomes one with another library": ("bash", ["bash", "-c", LOOP % 30000 + "; export LD_PRELOAD=libm.so.6; exec sh -c '" + LOOP % 100000 + "; exit 3'"]),
    "a shell that kills itself": ("bash", ["bash", "-c", LOOP % 60000 + "; kill -9 $$"]),
    "zombies": ("python3", ["python3", "-c", "import os, time\nfor _ in range(4): os.posix_spawn('/bin/sh', ['sh', '-c', '" + LOOP % 30000 + "'], os.environ)\ntime.sleep(0.6); os._exit(2)"]),
    "bwrap with an empty /tmp": ("bwrap", ["bwrap", "--ro-bind", "/", "/", "--tmpfs", "/tmp", "--unshare-pid", "--dev", "/dev", "--proc", "/proc", "sh", "-c", LOOP % 60000 + "; seq 30000 | sort | wc -l; exit 3"]),
    "firejail": ("firejail", ["firejail", "--quiet", "--noprofile", "--private-tmp", "sh", "-c", LOOP % 60000 + "; seq 30000 | sort | wc -l; exit 3"]),
    "proot": ("proot", ["proot", "-r", "/", "sh", "-c", LOOP % 10000 + "; seq 3000 | sort | wc -l; exit 3"]),
    "SIGXCPU of the first": ("prlimit", ["prlimit", "--cpu=1:3", "sh", "-c", "while :; do :; done"]),
    "erlang": ("erl", ["erl", "-noshell", "-eval", "L = [spawn_monitor(fun() -> lists:sum(lists:seq(1, 200000)) end) || _ <- lists:seq(1, 8)], [receive {'DOWN', R, _, _, _} -> ok end || {_, R} <- L], io:format(\"~s\", [os:cmd(\"seq 3000 | sort | tail -n 1\")]), halt(3)."]),
    "R with a worker that fails": ("Rscript", ["Rscript", "-e", "r <- suppressWarnings(parallel::mclapply(1:4, function(i) { x <- sum(sqrt(1:2e5)); if (i == 2) stop('no'); x }, mc.cores = 2)); cat(sum(sapply(r, inherits, 'try-error')) > 0)"]),
    "a first process that adopts": ("tini", ["tini", "-s", "--", "sh", "-c", "(sh -c '" + LOOP % 60000 + "' &); " + LOOP % 40000 + "; exit 3"]),
    **{"odd: " + what: ("sh", ["ODD", what]) for what in ("daemon", "seccomp", "no environment", "no descriptor", "a parent's death", "ends its group")},
    "an ssh-agent": ("ssh-agent", ["sh", "-c", "eval $(ssh-agent) >/dev/null; " + LOOP % 50000 + "; ssh-agent -k >/dev/null; echo ok"]),
}
# Here the first process continues without the library, and another process takes over sampling. On a busy machine, its
# parent may reap it before the new process has read its end. Under rtrack-run, rtrack-run is that parent.
EXACT_WITH_LAUNCHER = {"env -i as the first", "odd: no environment"}


class Job:
    def __init__(self, options, cgroups, place):
        self.options, self.cgroups, self.place = options, cgroups, place

    def run(self, number, words, way):
        """Runs the command, and keeps its status, stdout, stderr, spool, and CPU time by the kernel's account."""
        place = os.path.join(self.place, "%s-%s" % (number, way))
        os.mkdir(place)
        self.spool = os.path.join(place, "spool")
        made = self.cgroups.make("rtrack-%d-%s-%s" % (os.getpid(), number, way), None)
        environment = {name: value for name, value in os.environ.items() if not name.startswith("RTRACK")}
        environment.update(RTRACK_SPOOL=self.spool, RTRACK_GPU="off", TMPDIR=place, HOME=place)
        tracker = {"bare": [], "preload": ["env", "LD_PRELOAD=" + os.path.join(self.options.build, "librtrack.so")],
                   "launcher": [os.path.join(self.options.build, "rtrack-run")]}[way]
        account = os.path.join(place, "account")
        done = subprocess.run([self.options.account, ",".join([account] + self.cgroups.words(made))] + tracker +
                              [word.replace("STATIC", self.options.static).replace("ODD", self.options.odd) for word in words],
                              env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=300, check=False)
        self.account = Account(account, self.cgroups.cpu_seconds(made) if made.get("cpu") else None)
        self.cgroups.remove(made)
        # Pids and times differ.
        self.look = (done.returncode, done.stdout, re.sub(rb"\d\d+", b"N", done.stderr))

    def judge(self, way, must_be_exact):
        """Yields a text for each problem in the run's record."""
        runs = [os.path.join(self.spool, name) for name in os.listdir(self.spool)]
        if len(runs) != 1:
            yield "%d runs" % len(runs)
            return
        said = subprocess.run([os.path.join(self.options.build, "rtrack-report"), "stats", "--format", "json", runs[0]],
                              stdout=subprocess.PIPE, check=True)
        totals, status = json.loads(said.stdout)["totals"], json.loads(said.stdout)["run"]["status"]
        code = self.look[0]
        if status not in ("finished",) * (code == 0) + ("failed",) * (code > 0) + ("killed",) * (code > 128) + ("unknown",) * (not must_be_exact):
            yield "status %s, and it ended with %d" % (status, code)
        truth = self.account.job_cpu(runs[0], way)
        cpu, missing = totals["cpu_seconds"] or 0, totals["missing_cpu_seconds_at_most"]
        least = trees.least_cpu(truth, way)
        if cpu > truth.without_tracker * (1 + trees.CPU_PART) + trees.CPU_SECONDS:
            yield "too much CPU: %.3f s of %.3f" % (cpu, truth.without_tracker)
        if totals["exact_cpu"] and cpu < least:
            yield "exact_cpu is false: %.3f s of %.3f" % (cpu, truth.with_ends)
        if missing is not None and cpu + missing < least:
            yield "missing_cpu_seconds_at_most is too small: %.3f + %.3f s of %.3f" % (cpu, missing, truth.with_ends)
        if must_be_exact and not totals["exact_cpu"]:
            yield "not called exact: %.3f s and at most %s missing, of %.3f" % (cpu, missing, truth.with_ends)


def loads_no_library(program):
    """Whether the dynamic linker ignores LD_PRELOAD in this program."""
    path = shutil.which(program)
    return os.getuid() != 0 and path is not None and os.stat(path).st_mode & stat.S_ISUID


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", required=True)
    parser.add_argument("--account", required=True)
    parser.add_argument("--odd", required=True)
    parser.add_argument("--static", default="")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    place = tempfile.mkdtemp(prefix="rtrack-workloads-")
    cgroups = trees.Cgroups()
    count = failed = 0
    for number, (name, (programs, words)) in enumerate({**EXACT, **OTHERS}.items()):
        missing = [program for program in programs.split() if not shutil.which(program)]
        if (options.names and name not in options.names) or (not options.static and "STATIC" in shlex.join(words)):
            continue
        job = Job(options, cgroups, place)
        if not missing:
            job.run(number, words, "bare")
        if missing or job.look[0] in (126, 127) or (job.look[0] not in (0, 3) and words[0] in ("unshare", "bwrap", "firejail", "proot")):
            print("NOTE: left out: %s" % name)
            continue
        bare = job.look
        for way in ("preload", "launcher"):
            if way == "preload" and loads_no_library(words[0]):
                print("NOTE: left out: %s under preload, since it is a set-user-ID program" % name)
                continue
            for attempt in (number, "%d-again" % number):
                job.run(attempt, words, way)
                problems = ["%r, and bare %r" % pair for pair in zip(job.look, bare) if pair[0] != pair[1]]
                problems += job.judge(way, name in (EXACT if way == "preload" else EXACT.keys() | EXACT_WITH_LAUNCHER) and cgroups.is_known_to_be_own)
                # On a busy machine anything may be late, so a problem must occur twice.
                if not problems:
                    break
                if attempt == number:
                    print("NOTE: once: %s under %s: %s" % (name, way, "; ".join(problems)), flush=True)
            for problem in problems:
                print("%s under %s: %s" % (name, way, problem), flush=True)
            count += 1
            failed += bool(problems)
    shutil.rmtree(place, ignore_errors=True)
    print("%d runs: %d wrong" % (count, failed))
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
