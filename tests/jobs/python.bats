#!/usr/bin/env bats
# Tests of typical Python jobs: subprocess and multiprocessing, forked and spawned. The workers exit by os._exit, so
# destructors do not run in them.
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

setup() {
	PYTHON=/usr/bin/python3
	need python3
	[ -x $PYTHON ] || PYTHON=$(command -v python3)
	cd "$BATS_TEST_TMPDIR"
	cat >pool.py <<-'END'
		import multiprocessing, sys

		def square(number):
		    return number * number

		if __name__ == "__main__":
		    context = multiprocessing.get_context(sys.argv[1])
		    with context.Pool(2) as pool:
		        print(pool.map(square, range(8)))
		        pool.close()
		        pool.join()
		    worker = context.Process(target=sys.exit, args=(7,))
		    worker.start()
		    worker.join()
		    print("a worker's status:", worker.exitcode)
		    print("a word on stderr", file=sys.stderr)
		    sys.exit(4)
	END
	cat >children.py <<-'END'
		import os, subprocess

		print(subprocess.run(["sh", "-c", "echo spoken by a shell; exit 9"], capture_output=True, text=True))
		print(subprocess.run("cat | tr a-z A-Z", shell=True, input="piped", capture_output=True, text=True).stdout)
		print(subprocess.run(["/bin/true"], close_fds=False, start_new_session=True).returncode)
		print(os.system("exit 5") >> 8, flush=True)
		child = os.fork()
		if child == 0:
		    os._exit(6)
		print(os.waitpid(child, 0)[1] >> 8)
	END
}

@test "Python with subprocess, os.system and os.fork behaves the same when tracked" {
	same_every_way "$PYTHON" children.py
	bare_status_is 0
	bare_says PIPED
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(json job "$run/run.json")" = children.py ]
		[ "$(starts_with_text "$run" 'spoken by a shell')" -ge 1 ]
		[ "$(starts_with_text "$run" 'tr a-z A-Z')" -ge 1 ]
	done
}

@test "Python multiprocessing by fork runs as if untracked, and workers are recorded" {
	same_every_way "$PYTHON" pool.py fork
	bare_status_is 4
	bare_says 'status: 7'
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(json status "$run/run.json")" = failed ]
		[ "$(json exit_code "$run/run.json")" = 4 ]
		[ "$(cut -d, -f2,3 "$run/exit.csv" | tail -n +2 | sort -u | wc -l)" -ge 4 ]
	done
}

@test "Python multiprocessing by spawn runs as if untracked, and workers are recorded" {
	same_every_way "$PYTHON" pool.py spawn
	bare_status_is 4
	bare_says 'status: 7'
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(starts_with_text "$run" 'multiprocessing-fork')" -ge 3 ]
	done
}

@test "an uncaught exception ends Python as if untracked, and the run counts as failed" {
	echo 'raise ValueError("no such thing")' >job.py
	same_every_way "$PYTHON" job.py
	bare_status_is 1
	bare_says 'ValueError: no such thing'
	for way in preload launcher; do
		[ "$(json status "$(run_of $way)/run.json")" = failed ]
	done
}

@test "a threaded Python program behaves the same when tracked" {
	cat >threads.py <<-'END'
		import concurrent.futures, subprocess

		with concurrent.futures.ThreadPoolExecutor(4) as pool:
		    print(sorted(pool.map(lambda n: subprocess.run(["sh", "-c", f"exit {n}"]).returncode, range(12))))
	END
	same_every_way "$PYTHON" threads.py
	bare_status_is 0
	bare_says '10, 11'
}
