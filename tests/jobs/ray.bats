#!/usr/bin/env bats
# Tests of Ray, from PyPI, in a separate network namespace: each worker process is a run.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

setup() {
	need ip
	unshare -rn true 2>/dev/null || skip "no network namespace of its own here"
	venv ray -r "$PROJECT/tests/jobs/locks/ray.txt"
	cd "$BATS_TEST_TMPDIR"
	# Ray's socket paths must be short. Its agent imports many Python modules, and 30 s, the default, may be too
	# short for its start.
	export RAY_agent_register_timeout_ms=240000
	export HOME=$PWD PATH=${PYTHON%/*}:$PATH RAY_TMPDIR=$BATS_RUN_TMPDIR RAY_USAGE_STATS_ENABLED=0
}

# write_job BEGIN: writes a program that begins with the text BEGIN.
write_job() {
	{
		echo "$1"
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
}

@test "Ray: runtime_env of docs/integrations.md gives each worker a run, in one group" {
	write_job "$(recipe Ray python)"
	[ "$(unshare -rn sh -c 'ip link set lo up && exec timeout 300 python job.py' 2>err | tail -n 1)" = 2000004000004 ] || { cat err; false; }
	"$BUILD/rtrack-report" list --limit 0 --format json >runs
	jq -e 'length > 0 and all(.[]; .job == "ray/worker" and .labels.orchestrator == "ray" and .parent == null)' runs
	# Ray ends its workers with exit status 1 when the job is over.
	jq -e 'all(.[]; .exit_code != 1 or .status == "finished")' runs
	[ "$(jq -r '.[].group' runs | sort -u | grep -c '^session_.*/01000000$')" = 1 ]
	for run in "$RTRACK_SPOOL"/*/; do
		total "$run" processes
	done | jq -s -e 'add > length'
}

@test "Ray: LD_PRELOAD for the program gives one run that contains the workers' runs" {
	write_job $'import ray\n\nray.init()'
	recipe Ray sh >command
	[ "$(unshare -rn sh -c 'ip link set lo up && exec timeout 300 sh -e command' 2>err | tail -n 1)" = 2000004000004 ] || { cat err; false; }
	"$BUILD/rtrack-report" list --limit 0 --format json >runs
	[ "$(jq -r '.[] | select(.parent == null) | .job' runs)" = job.py ]
	jq -e '(map(select(.parent == null))[0].id) as $whole | map(select(.parent)) | length > 0 and all(.[]; .job == "ray/worker" and .parent == $whole)' runs
	# Ray has started the workers before it knew the job.
	jq -e 'map(select(.labels.job == "01000000")) | length > 0 and all(.[]; .group | endswith("/01000000"))' runs || { jq -c '.[] | [.labels, .group]' runs; false; }
	PATH=$BUILD:$PATH
	rtrack-report show ray:01000000 >shown
}
