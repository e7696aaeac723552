#!/usr/bin/env bats
# Tests of Slurm jobs on a real cluster of two nodes, which runs on this machine (tests/servers/slurm). The cluster's
# TaskProlog preloads the library, and each task is a run.
# bats file_tags=waits,root

load ../lib/helper
load ../lib/jobs
load ../lib/recipes
load ../lib/slurm

setup_file() {
	need_slurm
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	export RTRACK_SPOOL=$PWD/spool
	mkdir cluster
	{
		recipe Slurm sh
		echo "echo export RTRACK_SPOOL=$RTRACK_SPOOL"
	} >cluster/task-prolog
}

runs() {
	"$BUILD/rtrack-report" list --limit 0 --format json | jq -c ".[] | $1" | sort
}

@test "Slurm: srun on two nodes gives each task a run with its rank and node" {
	cluster <<-END
		srun -J fit -N2 -n4 --ntasks-per-node=2 sh -c 'test \$SLURM_PROCID != 2; exit \$?' || :
		srun -J other -N1 -n1 sh -c 'exec sh -c "true; /bin/true"'
	END
	[ "$(runs 'select(.job == "fit") | [.member.rank, .member.of, .status, .exit_code]')" = '[0,4,"finished",0]
[1,4,"finished",0]
[2,4,"failed",1]
[3,4,"finished",0]' ]
	[ "$(runs 'select(.job == "fit") | [.group, .labels.orchestrator]' | uniq -c | tr -s ' ')" = ' 4 ["1.0","slurm"]' ]
	[ "$(runs 'select(.job == "fit") | .member.node' | paste -sd' ')" = "0 0 1 1" ]
	[ "$(runs 'select(.job == "other") | [.labels.slurm_job_id, .group, .member.of]')" = '["2","2.0",1]' ]
	[ "$(runs . | wc -l)" = 5 ]
}

@test "Slurm: each task of a job array is a run of the same job" {
	printf '#!/bin/sh\n/bin/true\n' >array.sh
	cluster <<-END
		sbatch --wait -J scan --array=3-5 -o /dev/null $PWD/array.sh
	END
	[ "$(runs '[.job, .labels.slurm_array_job_id, .labels.slurm_array_task_id, .status]')" = '["scan","1","3","finished"]
["scan","1","4","finished"]
["scan","1","5","finished"]' ]
	[ "$(runs '.labels.slurm_job_id' | uniq | wc -l)" = 3 ]
}

@test "Slurm: a cancelled job and a job that ran out of memory have runs" {
	touched=$(victim touch)
	cluster <<-END
		sbatch -J long -o /dev/null --wrap 'touch $PWD/begun; exec sleep 600'
		while [ ! -e $PWD/begun ]; do sleep 0.1; done
		scancel 1
		sbatch --wait -J big --mem=60 -o /dev/null --wrap 'srun $touched 200 60000' || :
		while [ -n "\$(squeue -h)" ]; do sleep 0.1; done
	END
	[ "$(runs '[.job, .status, .requested.memory_mib]' | grep killed)" = '["big","killed",60]
["long","killed",null]' ]
	"$BUILD/rtrack-report" show -v long | grep -qi killed
}

@test "Slurm: a requeued job has a run for each attempt" {
	cluster <<-END
		sbatch --requeue -J again -o /dev/null --wrap 'if [ \${SLURM_RESTART_COUNT:-0} = 0 ]; then touch $PWD/begun; exec sleep 600; fi'
		while [ ! -e $PWD/begun ]; do sleep 0.1; done
		scontrol requeue 1
		scontrol update JobId=1 StartTime=now 2>/dev/null || :
		while [ -n "\$(squeue -h)" ]; do sleep 0.2; scontrol update JobId=1 StartTime=now 2>/dev/null || :; done
	END
	[ "$(runs '[.job, .labels.attempt, .status]')" = '["again","1","finished"]
["again",null,"killed"]' ] || { runs '[.id, .job, .labels, .status]'; cat cluster/slurmctld.log; false; }
}

@test "Slurm: the tasks and the script of a heterogeneous job are runs of that job" {
	printf '#!/bin/sh\n#SBATCH -n1\n#SBATCH hetjob\n#SBATCH -n1\nsrun --het-group=0,1 true\n' >pair.sh
	cluster <<-END
		sbatch --wait -J pair -o /dev/null $PWD/pair.sh
	END
	[ "$(runs '[.job, .labels.slurm_het_job_id, .labels.slurm_step_id, .member.rank, .member.of, .status]')" = '["pair","1","0",0,2,"finished"]
["pair","1","0",1,2,"finished"]
["pair","1",null,0,null,"finished"]' ]
}

@test "Slurm: without a TaskProlog, srun --export and srun rtrack-run track each task" {
	printf '#!/bin/sh\n' >cluster/task-prolog
	printf '#!/bin/sh\n' >job
	chmod +x job
	recipe Slurm sh 2 | sed "s|^srun --export|srun -J exported -n2 --export|; s|^srun rtrack-run|srun -J launched -n2 $BUILD/rtrack-run|" | cluster
	[ "$(runs 'select(.job != "task-prolog") | [.job, .member.rank, .member.of, .tracker.mode, .status]')" = '["exported",0,2,"preload","finished"]
["exported",1,2,"preload","finished"]
["launched",0,2,"launcher","finished"]
["launched",1,2,"launcher","finished"]' ]
}

@test "Slurm: --group adds up two nodes, and names slow, killed and missing ranks" {
	work=$(victim burn)
	touch cluster/own-names
	cluster <<-END
		srun -J fit -N2 -n5 --kill-on-bad-exit=0 sh -c '
			case \$SLURM_PROCID in
			0) exec $work 3 ;;
			2) $work 1.5; kill -9 \$\$ ;;
			*) exec $work 1.5 ;;
			esac' || :
	END
	rm -r "$(dirname "$(grep -l '"rank": 3' spool/*/run.json)")"
	"$BUILD/rtrack-report" show -v --group 1.0 --spool "$PWD/sp*l" --format json >json
	jq -e '.group | [.members[] | select(.slow).rank] == [0] and [.members[] | select(.status == "killed").rank] == [2]' json
	jq -e '.group | .missing_ranks == [3] and (.hosts | map(.members) | add) == 4' json
	jq -e '((.group.members | map(.totals.cpu_seconds) | add) - .totals.cpu_seconds | fabs) < 1e-3' json
	jq -e '.group.hosts | map(.host) | unique | length == 1 or . == ["n1", "n2"]' json
	"$BUILD/rtrack-report" show -v --group 1.0 >text
	tr -s ' \n' ' ' <text | grep 'slow: rank 0; killed: rank 2; no run: rank 3 '
}

@test "Slurm: show slurm:JOB adds up script, steps and ranks like one run" {
	touched=$(victim touch)
	printf '#!/bin/sh\nsrun -n4 %s 40 1000\nsrun -n1 -N1 true\n' "$touched" >job.sh
	cluster <<-END
		sbatch --wait -J fit -N2 -n4 --mem=200 -o /dev/null $PWD/job.sh
		sbatch --wait -J scan --array=3-4 -n1 --mem=50 -o /dev/null --wrap /bin/true
	END
	# The documented command is `rtrack-report show -v slurm:7`. The test calls it for job 1.
	"$BUILD/rtrack-report" show -v slurm:1 --format json >json
	jq -e '.totals.efficiency | .cpu > 0 and .memory > 0.1 and .memory < 1 and .gpu == null' json
	jq -e '[.group.members[] | .rank] | map(select(. != null)) == [0,1,2,3,0]' json
	"$BUILD/rtrack-report" show -v slurm:1 >text
	sed -n 4,6p text | grep -q '^CPU used .* of .* CPU time requested'
	grep -Eq '^Memory used .* of 400 MiB memory requested' text
	[ "$("$BUILD/rtrack-report" stats slurm:1.0 --format json | jq '.totals.processes')" = 4 ]
	"$BUILD/rtrack-report" list --fold | grep -q '^slurm:1  *6 runs: fit'
	[ "$("$BUILD/rtrack-report" list --group slurm:2 --format json | jq length)" = 2 ]
	[ "$("$BUILD/rtrack-report" list --group slurm:2_4 --format json | jq -c 'map(.labels.slurm_array_task_id)')" = '["4"]' ]
	"$BUILD/rtrack-report" compare slurm:2_3 slurm:2_4 | grep -q 'Peak memory'
	[ "$("$BUILD/rtrack-report" list --group slurm:1 --format json | jq -c '[.[].labels | [.partition, .user, .cluster]] | unique')" = '[["all","root","test"]]' ]
}

@test "Slurm: slurm:JOB counts the CPU time of the script and of each rank once" {
	work=$(victim burn)
	printf '#!/bin/sh\n%s 0.6\nsrun -n4 %s 0.4\nsrun -N1 -n1 %s 0.3\n' "$work" "$work" "$work" >job.sh
	cluster <<-END
		sbatch --wait -J fit -N2 -n4 -t 5 -o /dev/null $PWD/job.sh
	END
	"$BUILD/rtrack-report" show -v slurm:1 --format json >json
	# By their own clocks, the processes use 0.6 + 4 * 0.4 + 0.3 s. srun, sh and the loader use the rest.
	jq -e '.totals.cpu_seconds >= 2.5 and .totals.cpu_seconds < 2.8' json
	jq -e '.group.members | map(.counted) | all' json
}
