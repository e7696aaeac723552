#!/usr/bin/env bats
# Ray, from PyPI, in a network of its own: each worker process is a run.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

@test "Ray: runtime_env as docs/integrations.md has it gives a run for each worker, all of one group" {
	unshare -n true 2>/dev/null || skip "no network namespace of its own here"
	PYTHON=$("$PROJECT/scripts/venv" ray -r "$PROJECT/tests/jobs/locks/ray.txt" 2>"$BATS_TEST_TMPDIR/why") || skip "$(cat "$BATS_TEST_TMPDIR/why")"
	cd "$BATS_TEST_TMPDIR"
	# Ray's sockets have paths that must be short.
	export HOME=$PWD PYTHON RAY_TMPDIR=$BATS_RUN_TMPDIR RAY_USAGE_STATS_ENABLED=0
	{
		recipe Ray python
		cat <<-'END'


			@ray.remote
			def work(number):
			    import subprocess

			    subprocess.run(["true"], check=True)
			    return sum(range(number))


			print(sum(ray.get([work.remote(1000000 + i) for i in range(4)])))
			ray.shutdown()
		END
	} >job.py
	[ "$(unshare -n sh -c 'ip link set lo up && exec timeout 300 "$PYTHON" job.py' 2>err | tail -n 1)" = 2000004000004 ] || { cat err; false; }
	"$BUILD/rtrack-report" list --limit 0 --format json >runs
	# Ray kills its workers when the job is over.
	jq -e 'length > 0 and all(.[]; .job == "ray/worker" and .labels.orchestrator == "ray" and .parent == null)' runs
	[ "$(jq -r '.[].group' runs | sort -u | grep -c '^session_.*/01000000$')" = 1 ]
	for run in "$RTRACK_SPOOL"/*/; do
		total "$run" processes
	done | jq -s -e 'add > length'
}
