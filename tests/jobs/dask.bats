#!/usr/bin/env bats
# Dask, from PyPI: the workers of a LocalCluster are in the run of the program that starts them.

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

@test "Dask: the workers of a LocalCluster are in one run, and a part of their tasks counts once" {
	PYTHON=$("$PROJECT/scripts/venv" dask -r "$PROJECT/tests/jobs/locks/dask.txt" 2>"$BATS_TEST_TMPDIR/why") || skip "$(cat "$BATS_TEST_TMPDIR/why")"
	cd "$BATS_TEST_TMPDIR"
	export HOME=$PWD PATH=${PYTHON%/*}:$BUILD:$PATH PYTHONPATH=$PROJECT/integrations/python/src PYTHONDONTWRITEBYTECODE=1
	cat >job.py <<-'END'
		import rtrack
		from dask.distributed import Client, LocalCluster


		def work(number):
		    with rtrack.part("working"):
		        return sum(range(number))


		if __name__ == "__main__":
		    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
		        print(sum(client.gather(client.map(work, range(1000000, 1000004)))))
	END
	recipe Dask sh >command
	[ "$(sh -e command 2>err)" = 2000004000004 ] || { cat err; false; }
	[ "$(json job "$(only_run)/run.json")" = job.py ]
	"$BUILD/rtrack-report" show --format json | jq -e '.parts | length == 1 and .[0].times == 4 and .[0].ended'
	[ "$(grep -c 'multiprocessing' "$(only_run)/start.csv")" -ge 2 ]
}
