# SPDX-License-Identifier: Apache-2.0
"""Ordinary jobs for scripts/bench-memory: how people use several CPUs and memory in R, Python, shell, Java and C.

Each row: a name, the command (argv), and whether the quick half has it. {python} is an interpreter with the packages of
bench/memory-packages.txt. Each job takes 100 to 600 MiB and 2 to 5 s. bench/package_jobs.py has more jobs."""
import os
import sys

POOL = """
import multiprocessing as mp, time
def work(n):
    x = list(range(n)); time.sleep(0.3); return len(x)
if __name__ == "__main__":
    mp.set_start_method("{method}")
    with mp.Pool(4) as pool:
        print(sum(pool.map(work, [1_500_000] * 8, chunksize=1)))
"""
PARENT_POOL = """
import multiprocessing as mp, time
data = bytearray(400 << 20)
for i in range(0, len(data), 4096): data[i] = 1
def work(n):
    x = bytearray(20 << 20)
    for i in range(0, len(x), 4096): x[i] = 1
    time.sleep(0.4); return sum(data[:100])
if __name__ == "__main__":
    with mp.get_context("fork").Pool(8) as pool:
        print(sum(pool.map(work, range(16), chunksize=1)))
"""
LIST_POOL = """
import multiprocessing as mp, time
data = list(range(6_000_000))
def work(part):
    time.sleep(0.3); return sum(data[part::4])
if __name__ == "__main__":
    with mp.get_context("fork").Pool(4) as pool:
        print(sum(pool.map(work, range(4))))
"""
FORKS = """
import os, time
data = bytearray(300 << 20)
for i in range(0, len(data), 4096): data[i] = 1
for _ in range(6):
    pids = []
    for _ in range(4):
        pid = os.fork()
        if pid == 0:
            x = bytearray(5 << 20)
            for i in range(0, len(x), 4096): x[i] = 1
            time.sleep(0.2); os._exit(0)
        pids.append(pid)
    for pid in pids: os.waitpid(pid, 0)
"""
SUBPROCESS = """
import subprocess, sys
data = bytearray(300 << 20)
for i in range(0, len(data), 4096): data[i] = 1
for _ in range(8): subprocess.run(["sh", "-c", "seq 200000 | sort -n | tail -1"], check=True, stdout=subprocess.DEVNULL)
"""
SPIKE = """
import time
keep = bytearray(60 << 20)
for i in range(0, len(keep), 4096): keep[i] = 1
time.sleep(1.3)
x = bytearray(300 << 20)
for i in range(0, len(x), 4096): x[i] = 1
time.sleep(0.05); del x
time.sleep(1.3)
"""
THREADS = """
import threading, time
def work():
    x = bytearray(50 << 20)
    for i in range(0, len(x), 4096): x[i] = 1
    time.sleep(1)
threads = [threading.Thread(target=work) for _ in range(6)]
for t in threads: t.start()
for t in threads: t.join()
"""
MMAP = """
import mmap, tempfile, os, time
f = tempfile.NamedTemporaryFile(dir=os.environ.get("RTRACK_BENCH_DISK", "/var/tmp"))
for _ in range(400): f.write(bytes(1 << 20))
f.flush()
m = mmap.mmap(f.fileno(), 0, access=mmap.ACCESS_READ)
s = 0
for _ in range(3):
    for i in range(0, len(m), 4096): s += m[i]
x = bytearray(100 << 20)
for i in range(0, len(x), 4096): x[i] = 1
time.sleep(1.5)
"""
MEMFD = """
import mmap, os, time
fd = os.memfd_create("shared"); os.ftruncate(fd, 300 << 20)
m = mmap.mmap(fd, 300 << 20)
for i in range(0, len(m), 4096): m[i] = 1
for _ in range(3):
    if os.fork() == 0:
        s = 0
        for i in range(0, len(m), 4096): s += m[i]
        time.sleep(1); os._exit(0)
for _ in range(3): os.wait()
"""
SHARED_MEMORY = """
from multiprocessing import shared_memory, Process
import time
def work(name):
    m = shared_memory.SharedMemory(name)
    s = 0
    for i in range(0, len(m.buf), 4096): s += m.buf[i]
    time.sleep(1); m.close()
if __name__ == "__main__":
    m = shared_memory.SharedMemory(create=True, size=250 << 20)
    for i in range(0, len(m.buf), 4096): m.buf[i] = 1
    ps = [Process(target=work, args=(m.name,)) for _ in range(3)]
    for p in ps: p.start()
    for p in ps: p.join()
    m.close(); m.unlink()
"""
HUGE = """
import mmap, time
m = mmap.mmap(-1, 300 << 20)
m.madvise(mmap.MADV_HUGEPAGE)
for i in range(0, len(m), 4096): m[i] = 1
time.sleep(1.5)
"""
SYSV = """
import ctypes, os, time
c = ctypes.CDLL(None)
c.shmat.restype = ctypes.c_void_p
c.shmat.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
size = 250 << 20
id = c.shmget(0, size, 0o1600)
at = c.shmat(id, None, 0)
c.shmctl(id, 0, None)
ctypes.memset(at, 1, size)
for _ in range(3):
    if os.fork() == 0:
        sum(ctypes.string_at(at + i, 1)[0] for i in range(0, size, 4096))
        time.sleep(1); os._exit(0)
for _ in range(3): os.wait()
"""
MAP_SHARED = """
import mmap, os, time
size = 200 << 20
m = mmap.mmap(-1, size)
for k in range(4):
    if os.fork() == 0:
        {first}
        for i in range(first, last, 4096): m[i] = 1
        time.sleep(1); os._exit(0)
for _ in range(4): os.wait()
"""
SHARED_WRITERS = """
from multiprocessing import shared_memory, get_context
import numpy, time
def work(name, k):
    m = shared_memory.SharedMemory(name)
    x = numpy.ndarray(25 << 20, dtype="d", buffer=m.buf)
    x[:] = k; time.sleep(1.2); del x; m.close()
if __name__ == "__main__":
    m = shared_memory.SharedMemory(create=True, size=200 << 20)
    ps = [get_context("spawn").Process(target=work, args=(m.name, k)) for k in range(4)]
    for p in ps: p.start()
    for p in ps: p.join()
    m.close(); m.unlink()
"""
RAW_ARRAY = """
import multiprocessing as mp, numpy, time
def work(k):
    x = numpy.frombuffer(shared, dtype="d")
    x[k::8] = numpy.random.rand(len(x[k::8])); time.sleep(0.4); return float(x[k])
if __name__ == "__main__":
    mp.set_start_method("fork")
    shared = mp.RawArray("d", 25 << 20)
    with mp.Pool(4) as pool:
        print(sum(pool.map(work, range(8), chunksize=1)))
"""
HUGETLB = """
import mmap, time
m = mmap.mmap(-1, 120 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)
m[:] = bytes(len(m))
time.sleep(1.5)
"""
JOBLIB = """
from joblib import Parallel, delayed
import time
def work(i):
    x = bytearray(40 << 20)
    for k in range(0, len(x), 4096): x[k] = 1
    time.sleep(0.5); return i
print(sum(Parallel(n_jobs=4, backend="{backend}")(delayed(work)(i) for i in range(8))))
"""
NUMPY = """
import numpy as np
a = np.random.rand(2500, 2500)
for _ in range(3): b = a @ a
c = np.linalg.svd(a[:600, :600]); print(b.sum())
"""
DUCKDB = """
import duckdb
c = duckdb.connect()
c.sql("set threads = 2")
c.sql("create table t as select range as i, hash(range) % 100000 as k, random() as v from range(4000000)")
print(c.sql("select count(*) from (select k, sum(v), max(i) from t group by k)").fetchone())
"""
GUNICORN = """
import subprocess, sys, time, urllib.request, os, tempfile
d = tempfile.mkdtemp()
open(d + "/app.py", "w").write('''
data = bytearray(150 << 20)
for i in range(0, len(data), 4096): data[i] = 1
def app(environ, start):
    x = bytearray(10 << 20)
    for i in range(0, len(x), 4096): x[i] = 1
    start("200 OK", []); return [b"ok"]
''')
p = subprocess.Popen([sys.executable, "-m", "gunicorn", "--preload", "-w", "4", "-b", "unix:" + d + "/s", "app:app"], cwd=d, stderr=subprocess.DEVNULL)
import socket
end = time.time() + 3
while time.time() < end:
    try:
        s = socket.socket(socket.AF_UNIX); s.connect(d + "/s"); s.sendall(b"GET / HTTP/1.0\\r\\n\\r\\n"); s.recv(1000); s.close()
    except OSError: pass
    time.sleep(0.02)
p.terminate(); p.wait()
"""
MCLAPPLY = """
x <- runif(3e7)
r <- parallel::mclapply(1:4, function(i) { Sys.sleep(0.5); sum(x[seq(i, length(x), 40)]) }, mc.cores = 4)
cat(sum(unlist(r)), "\\n")
"""
PSOCK = """
cl <- parallel::makeCluster(3)
r <- parallel::parLapply(cl, 1:6, function(i) { x <- runif(4e6); Sys.sleep(0.4); sum(x) })
parallel::stopCluster(cl); cat(sum(unlist(r)), "\\n")
"""
FUTURE = """
library(future); plan(multisession, workers = 3)
fs <- lapply(1:3, function(i) future({ x <- runif(5e6); Sys.sleep(0.6); sum(x) }, seed = TRUE))
cat(sum(sapply(fs, value)), "\\n")
"""
CALLR = """
for (i in 1:3) callr::r(function() { x <- runif(1e7); Sys.sleep(0.3); sum(x) })
"""
NODE = """
const cluster = require("cluster");
if (cluster.isPrimary) { for (let i = 0; i < 3; i++) cluster.fork(); }
else { const x = Buffer.alloc(60 << 20, 1); setTimeout(() => process.exit(x[5] - 1), 1200); }
"""
JAVA = """
public class Job { public static void main(String[] a) throws Exception {
  java.util.List<byte[]> keep = new java.util.ArrayList<>();
  for (int i = 0; i < 600; i++) { byte[] b = new byte[1 << 18]; java.util.Arrays.fill(b, (byte) 1); keep.add(b); }
  for (int i = 0; i < 2000; i++) { byte[] b = new byte[1 << 19]; b[7] = 1; }
  Thread.sleep(800); System.out.println(keep.size()); } }
"""


def python(text, **words):
    for word, value in words.items():
        text = text.replace("{%s}" % word, value)
    return ["{python}", "-c", text]


# name, command, quick
JOBS = [
    ("Python Pool(4), fork, large lists", python(POOL, method="fork"), True),
    ("Python Pool(4), spawn, large lists", ["{script}", POOL.replace("{method}", "spawn")], True),
    ("Python Pool(4), fork, 6 million ints of the parent", python(LIST_POOL), True),
    ("Python Pool(8), parent of 400 MiB", python(PARENT_POOL), True),
    ("Python os.fork, 4 at a time", python(FORKS), True),
    ("Python subprocess from 300 MiB", python(SUBPROCESS), True),
    ("Python, a spike of 300 MiB", python(SPIKE), False),
    ("Python threads", python(THREADS), True),
    ("Python mmap of a file", python(MMAP), False),
    ("Python memfd, three readers", python(MEMFD), False),
    ("Python shared_memory", ["{script}", SHARED_MEMORY], False),
    ("Python transparent huge pages", python(HUGE), False),
    ("Python SysV shared memory", python(SYSV), False),
    ("Python MAP_SHARED, four write all of it", python(MAP_SHARED, first="first, last = 0, size"), False),
    ("Python MAP_SHARED, four write a quarter each", python(MAP_SHARED, first="first, last = k * size // 4, (k + 1) * size // 4"), False),
    ("Python shared_memory, four spawned writers", ["{script}", SHARED_WRITERS], False),
    ("Python RawArray, Pool(4)", ["{script}", RAW_ARRAY], False),
    ("Python huge pages of hugetlbfs", python(HUGETLB), False),
    ("joblib, loky", ["{script}", JOBLIB.replace("{backend}", "loky")], False),
    ("joblib, multiprocessing", ["{script}", JOBLIB.replace("{backend}", "multiprocessing")], False),
    ("numpy threads", python(NUMPY), False),
    ("DuckDB", python(DUCKDB), False),
    ("gunicorn, pre-fork", python(GUNICORN), False),
    ("R mclapply", ["Rscript", "-e", MCLAPPLY], True),
    ("R PSOCK cluster", ["Rscript", "-e", PSOCK], False),
    ("R future multisession", ["Rscript", "-e", FUTURE], False),
    ("R callr", ["Rscript", "-e", CALLR], False),
    ("node cluster", ["{file:job.js}", NODE, "node"], False),
    ("Java, -Xmx256m", ["{file:Job.java}", JAVA, "java", "-Xmx256m"], False),
    ("sort --parallel", ["sh", "-c", "seq 3000000 | sort --parallel=4 -S 200M -R | tail -1"], True),
    ("xargs -P 4", ["sh", "-c", "seq 8 | xargs -P 4 -I{} python3 -c 'import time; x = bytearray(40 << 20); "
                    "x[::4096] = bytes(len(x[::4096])); time.sleep(0.4)'"], True),
    ("GNU parallel", ["sh", "-c", "seq 8 | parallel -j 4 \"python3 -c 'import time; x = bytearray(40 << 20); "
                      "x[::4096] = bytes(len(x[::4096])); time.sleep(0.4)' #\""], False),
    ("make -j2 of this project", ["make", "-s", "-j2", "-C", os.path.dirname(os.path.dirname(os.path.abspath(__file__))),
                                  "BUILD={tmp}/build", "{tmp}/build/rtrack-run"], False),
]


def resolved(command, interpreter, folder):
    """Writes the script of a job into the folder. Returns the argv of the job."""
    if command[0] == "{entry}":
        for name, text in zip(["job.sh"] + command[2::2], command[1::2]):
            for word, value in (("{python}", interpreter), ("{bin}", os.path.dirname(interpreter)), ("{tmp}", folder)):
                text = text.replace(word, value)
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        return ["sh", os.path.join(folder, "job.sh")]
    if command[0] == "{script}":
        path = os.path.join(folder, "job.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(command[1])
        return [interpreter, path]
    if command[0].startswith("{file:"):
        path = os.path.join(folder, command[0][6:-1])
        with open(path, "w", encoding="utf-8") as file:
            file.write(command[1])
        return command[2:] + [path]
    return [word.replace("{python}", interpreter).replace("{tmp}", folder) if word != command[-1] or "{tmp}" in word
            else word for word in command]


if __name__ == "__main__":
    sys.exit("run scripts/bench-memory")
