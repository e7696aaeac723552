#!/usr/bin/env bats
# Tests that memory of one object that several processes map counts once in the upper bound. The object is a System V
# segment, MAP_SHARED memory, or a file in tmpfs. Most of these jobs end before the first tick.
# bats file_tags=waits

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup() {
	need python3
	[ "$(awk '$1 == "MemAvailable:" { print int($2 / 1024) }' /proc/meminfo)" -gt 1500 ] || skip "not 1.5 GB of memory free"
	export PYTHONPATH=$BATS_TEST_TMPDIR PYTHONDONTWRITEBYTECODE=1
	cat >"$PYTHONPATH/together.py" <<-'END'
		import csv
		import os
		import time

		MIB = 1 << 20

		def until_read():
		    """Returns when a tick has read that this process has 200 MiB of an object."""
		    def is_read(row):
		        return row["pid"] == str(os.getpid()) and float(row["shared_mib"] or 0) > 190
		    members = os.environ["RTRACK_RUN"] + "/member.csv"
		    while True:
		        if os.path.exists(members):
		            with open(members, encoding="utf-8") as table:
		                if any(is_read(row) for row in csv.DictReader(table)):
		                    return
		        time.sleep(0.1)

		def fill(memory, begin, end):
		    for at in range(begin, end, 4096):
		        memory[at] = 1

		def together(work, then=lambda k: None):
		    """Calls work(k) in four forks, all of which live until the last has done it, and then(k)."""
		    done, say = os.pipe()
		    wait, go = os.pipe()
		    for k in range(4):
		        if os.fork() == 0:
		            os.close(go)
		            work(k)
		            os.write(say, b".")
		            os.read(wait, 1)
		            then(k)
		            os._exit(0)
		    for k in range(4):
		        os.read(done, 1)
		    os.close(go)
		    for k in range(4):
		        os.wait()
	END
}

# bounds LEAST MOST SCRIPT…: runs a Python job both ways, and fails unless the upper bound of its peak is between LEAST
# and MOST, in MiB.
bounds() {
	local most way
	for way in preload launcher; do
		one_way $way python3 -c "${@:3}"
		[ "$(cat "$BATS_TEST_TMPDIR/$way.status")" = 0 ]
		run=$(run_of $way)
		most=$(total "$run" peak_memory_at_most_mib)
		at_least "$most" "$1"
		at_least "$2" "$most"
		at_least "$most" "$(total "$run" peak_memory_mib)"
	done
}

@test "a mapping that four forks write completely is counted once" {
	bounds 200 260 '
from together import *
import mmap
shared = mmap.mmap(-1, 200 * MIB)
together(lambda k: fill(shared, 0, 200 * MIB))'
}

@test "a mapping of which four forks write a quarter each is counted once" {
	bounds 200 260 '
from together import *
import mmap
shared = mmap.mmap(-1, 200 * MIB)
together(lambda k: fill(shared, k * 50 * MIB, (k + 1) * 50 * MIB))'
}

@test "a mapping that each fork makes for itself is counted for each fork" {
	bounds 400 500 '
from together import *
import mmap
def work(k):
    global own
    own = mmap.mmap(-1, 100 * MIB)
    fill(own, 0, 100 * MIB)
together(work)'
}


@test "private memory that forks have before shared memory is counted for each fork" {
	bounds 600 750 '
from together import *
import mmap
shared = mmap.mmap(-1, 100 * MIB)
def work(k):
    global before
    before = mmap.mmap(-1, 150 * MIB, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    fill(before, 0, 150 * MIB)
def then(k):
    before.close()
    fill(shared, 0, 100 * MIB)
together(work, then)'
}

@test "a System V segment that forks read is counted once" {
	bounds 200 280 '
from together import *
import ctypes
libc = ctypes.CDLL(None)
libc.shmat.restype = ctypes.c_void_p
libc.shmat.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int]
segment = libc.shmget(0, 200 * MIB, 0o1600)
at = libc.shmat(segment, None, 0)
libc.shmctl(segment, 0, None)
shared = (ctypes.c_char * (200 * MIB)).from_address(at)
fill(shared, 0, 200 * MIB)
together(lambda k: [shared[at] for at in range(0, 200 * MIB, 4096)])'
}

@test "an array that workers of a Python pool share counts once" {
	export RTRACK_INTERVAL=0.1
	bounds 200 330 '
from together import *
import multiprocessing
def work(k):
    view = memoryview(shared).cast("B")
    for at in range(0, len(view), 4096):
        view[at] = 1
    until_read()
shared = multiprocessing.RawArray("b", 200 << 20)
with multiprocessing.get_context("fork").Pool(4) as pool:
    pool.map(work, range(4), chunksize=1)'
}

@test "a tmpfs file that spawned processes write is counted once if it was sampled" {
	export RTRACK_INTERVAL=0.1
	cat >"$BATS_TEST_TMPDIR/writers.py" <<-'END'
		import multiprocessing
		from multiprocessing import shared_memory
		from together import until_read

		def work(name):
		    memory = shared_memory.SharedMemory(name)
		    for at in range(0, 200 << 20, 4096):
		        memory.buf[at] = 1
		    until_read()
		    memory.close()

		if __name__ == "__main__":
		    memory = shared_memory.SharedMemory(create=True, size=200 << 20)
		    spawn = multiprocessing.get_context("spawn")
		    writers = [spawn.Process(target=work, args=(memory.name,)) for _ in range(4)]
		    for writer in writers:
		        writer.start()
		    for writer in writers:
		        writer.join()
		    memory.close()
		    memory.unlink()
	END
	bounds 200 330 'import runpy, sys; sys.argv = ["writers"]; runpy.run_path("'"$BATS_TEST_TMPDIR"'/writers.py", run_name="__main__")'
}
