#!/usr/bin/env bats
# Tests of Dask, from PyPI: the workers of a LocalCluster are in the run of the program that starts them.

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

setup() {
	venv dask -r "$PROJECT/tests/jobs/locks/dask.txt"
	cd "$BATS_TEST_TMPDIR"
	export HOME=$PWD PATH=${PYTHON%/*}:$BUILD:$PATH PYTHONPATH=$PROJECT/integrations/python/src PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$BUILD/pycache
}

@test "Dask: workers of a LocalCluster share a run, and a part they share counts once" {
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

@test "Dask: a worker that is started separately has its own run" {
	cat >job.py <<-'END'
		import json

		from dask.distributed import Client

		with Client(json.load(open("scheduler.json"))["address"]) as client:
		    client.wait_for_workers(1, timeout=60)
		    print(client.submit(sum, range(1000)).result())
		    client.shutdown()
	END
	mkfifo ready
	dask scheduler --host 127.0.0.1 --port 0 --no-dashboard --scheduler-file scheduler.json >ready 2>&1 3>&- &
	grep -q 'Scheduler at' ready
	recipe Dask sh 2 | sed "s|tcp://scheduler:8786|$(jq -r .address scheduler.json) --no-dashboard --nworkers 1|" >command
	sh -e command >out 2>&1 3>&- &
	[ "$(python job.py 2>err)" = 499500 ] || { cat err out; false; }
	wait %1 %2 || :
	[ "$(json job "$(only_run)/run.json")" = dask ]
	[ "$(json status "$(only_run)/run.json")" = finished ]
}
