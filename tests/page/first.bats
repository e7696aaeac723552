#!/usr/bin/env bats
# Tests of the first screen of the page for the usual kinds of run. A reader must see within ten seconds what to request and
# what went wrong.
# bats file_tags=long

bats_require_minimum_version 1.5.0

load ../lib/helper
load ../lib/page
load ../lib/runs

setup() {
	PAGE="$BATS_TEST_TMPDIR/page.html"
	# The python3 of a version manager is a shell script, and would add programs to the page.
	PATH=$(dirname "$(python3 -c 'import sys; print(sys.executable)')"):$PATH
	cd "$BATS_TEST_TMPDIR"
}

teardown() {
	[ -z "${WORK:-}" ] || rm -r "$WORK"
}

# glance FLAGS [ARGUMENT of html]...: makes a page and checks it. FLAGS are those of the check "glance". The wait for CPUs
# is removed from real runs: on a busy machine the first screen has another warning.
glance() {
	[ $# -gt 1 ] || set_column "$(only_run)/process.csv" cpu_wait 0
	"$BUILD/rtrack-report" html -o "$PAGE" "${@:2}"
	valid "$PAGE"
	browse glance "$PAGE" "$1"
	browse plain,named "$PAGE"
}

# stopped STATUS COMMAND...: tracks a command that ends with that status.
stopped() {
	run "${@:2}"
	[ "$status" -eq "$1" ] || { echo "$output"; return 1; }
}

@test "first screen: a pool of Python workers" {
	cat >pool.py <<-'END'
		import multiprocessing, time
		def work(i):
		    held, until = bytearray(b"x") * (20 << 20), time.time() + 0.5
		    while time.time() < until: sum(range(10000))
		if __name__ == "__main__":
		    with multiprocessing.Pool(2) as pool: pool.map(work, range(4))
	END
	"$BUILD/rtrack-run" python3 pool.py
	glance ""
}

@test "first screen: a job in R that ran for twelve minutes" {
	made_run forecast
	glance "" "$RTRACK_SPOOL/forecast"
}

@test "first screen: a parallel build" {
	printf 'all: a b c\na b c:\n\t@echo %s >$@; gzip -c /bin/sh >$@.gz; sleep 0.1\n' one >Makefile
	"$BUILD/rtrack-run" make -j2
	glance ""
}

@test "first screen: the page of a command of 0.1 s fills at most three screens" {
	"$BUILD/rtrack-run" sleep 0.1
	glance short
}

@test "first screen: the error of a failed script comes first" {
	# The page has the path of the script three times, and its digits count as numbers.
	WORK=$(mktemp -du /tmp/job-XXXXXX | tr 0-9 a-j)
	mkdir "$WORK"
	cd "$WORK"
	cat >fail.py <<-'END'
		import time
		def load(frame):
		    time.sleep(0.3)
		    return frame["price"]
		def main():
		    load({})
		main()
	END
	stopped 1 sh -c '"$0" python3 fail.py 2>log' "$BUILD/rtrack-run"
	glance "error short"
	grep -q '<p class="error">KeyError: &#39;price&#39;</p>\|<p class="error">KeyError: .price.</p>' "$PAGE"
	grep -q '<code>fail.py:4</code> in <code>load</code>' "$PAGE"
	grep -q 'no run has finished yet' "$PAGE"
}

@test "first screen: a job that was killed at its memory limit" {
	cat >grow.py <<-'END'
		import time
		held = []
		while True:
		    held.append(bytearray(b"x") * (2 << 20))
		    time.sleep(0.02)
	END
	run "$BUILD/rtrack-run" --max-memory 80M python3 grow.py
	[ "$status" -ne 0 ]
	glance "error"
	grep -q '<p class="error lead">Out of memory at ' "$PAGE"
}

@test "first screen: a job that a signal killed" {
	stopped 137 "$BUILD/rtrack-run" sh -c 'sleep 0.3; kill -KILL $$'
	glance ""
	grep -q '<p class="error lead">Killed by signal 9 (Killed) after' "$PAGE"
}

@test "first screen: parts of a job are spans above the charts, and not marks" {
	made_run parts --ticks 60 --marks 4
	sed -i '2s/"<b>.*"/"begin load"/;3s/"<b>.*"/"end load"/;4s/"<b>.*"/"begin fit"/;5s/"<b>.*"/"end fit"/' "$RTRACK_SPOOL/parts/mark.csv"
	glance "" "$RTRACK_SPOOL/parts"
	grep -qx '"marks":\[\],' "$PAGE"
	fails grep -q 'id="marks"' "$PAGE"
}

@test "first screen: a run of 20,000 processes" {
	made_run crowd --ticks 60 --crowd 20000
	glance "" "$RTRACK_SPOOL/crowd"
}

@test "first screen: a job with many ranks" {
	local rank
	for rank in {0..15}; do
		made_run "20261121T020000Z-compute-7-42-00$((rank + 10))" --ticks 20 --job solver
		jq --argjson rank "$rank" '.labels = {slurm_job_id: "12"} | .group = "12.0" | .member = {rank: $rank, node: 0, of: 16}' \
			"$RTRACK_SPOOL/20261121T020000Z-compute-7-42-00$((rank + 10))/run.json" >changed
		cp changed "$RTRACK_SPOOL/20261121T020000Z-compute-7-42-00$((rank + 10))/run.json"
	done
	glance "" slurm:12
	grep -q '>16<small> ranks × </small>[0-9]*<small> CPUs*</small>' "$PAGE"
	grep -q -- '#SBATCH --ntasks=16' "$PAGE"
	# The line of the request in the chart agrees with it: 16 ranks with 1 CPU each.
	grep -q '"label":"Request","color":"advice","near":0,"note":"16",' "$PAGE"
	"$BUILD/rtrack-report" show slurm:12 | grep -q '^Request *16 ranks x [0-9]* CPUs* '
}

@test "first screen: a job on two GPUs" {
	made_run gpu --gpu 2
	glance "" "$RTRACK_SPOOL/gpu"
}

@test "first screen: the fifth run of a job, with more work than before" {
	local ticks
	for ticks in 30 32 31 33 99; do
		made_run "20261121T020000Z-compute-7-4242-00$ticks" --ticks "$ticks" --job etl.R
	done
	glance "" 20261121T020000Z-compute-7-4242-0099
	grep -q 'class="warning">Unusual: duration' "$PAGE"
}
