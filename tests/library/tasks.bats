#!/usr/bin/env bats
# Tests of orchestrators' tasks, simulated by their variables and command lines. The first process of a task starts its
# own run, even inside another run.
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
	export RTRACK_SPOOL=$PWD/spool
}

# runs FILTER: prints jq's output for each run.json, in the order in which the runs started.
runs() {
	jq -c "$1" "$RTRACK_SPOOL"/*/run.json
}

# two_tasks: writes a job that starts two Slurm tasks. Each task calls exec twice, forks, and starts a child.
two_tasks() {
	cat >task.sh <<-'END'
		SLURM_TASK_PID=$$ SLURM_PROCID=$1 exec sh -c 'exec bash -c "(:); /bin/true; env | grep -c ^RTRACK_RUN=; exit $SLURM_PROCID"'
	END
	cat >job.sh <<-'END'
		export SLURM_JOB_ID=12 SLURM_JOB_NAME=train SLURM_STEP_ID=0 SLURM_STEP_NUM_TASKS=2
		sh task.sh 0 & sh task.sh 1 & wait
	END
}

@test "each task of a Slurm job has its own run inside the job's run" {
	two_tasks
	for way in "env LD_PRELOAD=$LIBRARY" "$BUILD/rtrack-run"; do
		rm -rf spool
		$way bash job.sh >out
		[ "$(sort -u out)" = 1 ]
		[ "$(runs 'select(.parent == null) | .job')" = '"job.sh"' ]
		outer=$(jq -r 'select(.parent == null) | .id' spool/*/run.json)
		[ "$(runs "select(.parent == \"$outer\") | [.job, .group, .member.rank, .member.of, .exit_code, .status]" | sort)" = \
			'["train","12.0",0,2,0,"finished"]
["train","12.0",1,2,1,"failed"]' ]
		[ "$(runs 'select(.parent != null) | .labels' | sort -u)" = \
			'{"orchestrator":"slurm","slurm_job_id":"12","slurm_job_name":"train","slurm_step_id":"0"}' ]
		for run in spool/*/; do
			[ "$(jq .parent "$run/run.json")" = null ] || {
				grep -q '/true"' "$run/start.csv"
				# Only rows with an exit code are the end of a process. Other rows are programs that
				# exec replaced.
				[ "$(awk -F, 'NR > 1 && $14 != "" { print $2 }' "$run/exit.csv" | sort | uniq -d)" = "" ]
			}
		done
	done
}

@test "the run of a job includes the CPU time of its tasks" {
	burn=$(victim burn)
	cat >job.sh <<-END
		env SLURM_JOB_ID=1 sh -c 'SLURM_TASK_PID=\$\$ exec $burn 0.3'
		$burn 0.2
	END
	LD_PRELOAD=$LIBRARY bash job.sh
	[ "$(runs .job | wc -l)" = 2 ]
	near "$(total "$(ls -d spool/* | head -n 1)" cpu_seconds)" 0.5 0.1
	near "$(total "$(ls -d spool/* | tail -n 1)" cpu_seconds)" 0.3 0.05
}

@test "a task that is identified by environment variables ends when they change" {
	export AIRFLOW_CTX_DAG_ID=etl AIRFLOW_CTX_TASK_ID=load AIRFLOW_CTX_DAG_RUN_ID=m AIRFLOW_CTX_TRY_NUMBER=1
	LD_PRELOAD=$LIBRARY bash -c '/bin/true; AIRFLOW_CTX_TASK_ID=check sh -c "/bin/true; /bin/echo x"; /bin/true'
	[ "$(runs .job | sort)" = '"etl/check"
"etl/load"' ]
	"$BUILD/rtrack-report" list --label task=check | grep -q etl/check
	[ -z "$("$BUILD/rtrack-report" list --label task=nothing 2>/dev/null)" ]
}

@test "helper programs that Nextflow runs beside a task's script have no run" {
	mkdir task
	cd task
	printf '# NEXTFLOW TASK: align (3)\n' >.command.run
	printf 'echo done; /bin/true\n' >.command.sh
	export NXF_TASK_WORKDIR=$PWD
	{
		LD_PRELOAD=$LIBRARY bash -ue .command.sh | LD_PRELOAD=$LIBRARY tee .command.out
		LD_PRELOAD=$LIBRARY cp .command.out copy
	} >out
	[ "$(cat out copy)" = "done
done" ]
	[ "$(runs '[.job, .labels.process, .labels.index, .parent]')" = '["align","align","3",null]' ]
}

@test "a Ray worker started before its job gets the job from its log, even if killed" {
	cat >default_worker.py <<-'END'
		exec >>"worker-$1.out"
		echo starting
		echo :job_id:01000000
		[ "$1" = --startup-token=1 ] || exit 0
		for i in {1..600}; do
		    if grep -q '"job": "01000000"' "$RTRACK_SPOOL"/*/run.json; then kill -9 $$; fi
		    sleep 0.1
		done
	END
	export RAY_JOB_ID=ffffffff
	LD_PRELOAD=$LIBRARY bash default_worker.py --startup-token=1 --session-name=s || [ $? = 137 ]
	LD_PRELOAD=$LIBRARY bash default_worker.py --startup-token=2 --session-name=s
	LD_PRELOAD=$LIBRARY RTRACK_TAGS=job=ffffffff/ bash default_worker.py --startup-token=3 --session-name=s
	[ "$(runs '[.job, .labels.job, .group]' | sort)" = '["ray/worker","01000000","s/01000000"]
["ray/worker","01000000","s/01000000"]
["ray/worker","ffffffff/","s/ffffffff"]' ]
	"$BUILD/rtrack-report" show ray:s/01000000 --format json | jq -e '.group.members | length == 2'
}

@test "RTRACK_JOB, RTRACK_TAGS and RTRACK_GROUP override the orchestrator's values" {
	GITLAB_CI=true CI_JOB_ID=1 CI_JOB_NAME=test "$BUILD/rtrack-run" --job mine --tag run=x --group all /bin/true
	[ "$(runs '[.job, .labels.run, .labels.job, .group]')" = '["mine","x","test","all"]' ]
}
