#!/usr/bin/env bats
# Tests of Debian's Open MPI: each rank has its own run inside the run of mpirun.

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

setup() {
	need mpirun
	cd "$BATS_TEST_TMPDIR"
	export RTRACK_SPOOL=$PWD/spool OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
}

@test "Open MPI: each rank has a run inside the run of mpirun" {
	for way in "env LD_PRELOAD=$LIBRARY" "$BUILD/rtrack-run"; do
		rm -rf spool
		# Open MPI uses only the loopback interface, and runs more ranks than there are processors.
		$way mpirun --oversubscribe --mca btl self,tcp --mca btl_tcp_if_include lo --mca oob_tcp_if_include lo -np 3 \
			sh -c '/bin/true; exec sh -c "echo rank \$OMPI_COMM_WORLD_RANK"' >out 2>errors || { cat errors; false; }
		[ "$(sort out | paste -sd' ')" = "rank 0 rank 1 rank 2" ]
		[ ! -s errors ]
		[ "$(jq -c 'select(.parent) | [.job, .labels.orchestrator, .member.rank, .member.of, .status]' spool/*/run.json | sort)" = \
			'["sh","openmpi",0,3,"finished"]
["sh","openmpi",1,3,"finished"]
["sh","openmpi",2,3,"finished"]' ]
		[ "$(jq -r 'select(.parent) | .group' spool/*/run.json | uniq -c | wc -l)" = 1 ]
		[ "$(jq -r 'select(.parent == null) | .job' spool/*/run.json)" = sh ]
	done
}

@test "Open MPI: both commands of docs/integrations.md work" {
	# These variables set the options that the first test passes as arguments.
	export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo
	printf '#!/bin/sh\n' >job
	chmod +x job
	for block in 1 2; do
		recipe "Open MPI" sh $block >command
		RTRACK_SPOOL=$PWD/spool-$block sh -e command >out 2>&1 || { cat out; false; }
		[ "$(jq -r .member.rank spool-$block/*/run.json | grep -v null | sort | paste -sd' ')" = "0 1 2 3" ]
	done
	[ "$(cat spool-1/*/run.json | jq -r 'select(.parent == null) | .job')" = job ]
	cat spool-2/*/run.json | jq -s -e 'length == 4 and all(.[]; .parent == null)'
}
