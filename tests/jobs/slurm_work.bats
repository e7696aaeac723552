#!/usr/bin/env bats
# Tests that every command includes all work of a Slurm job exactly once: the work of the script itself together with srun,
# mpirun, steps in the background, a clean environment or a second node. The jobs belong to an ordinary user, on a /proc that
# shows the processes of all users (hidepid=0) or only those of the user (hidepid=2), and are tracked in three ways. A
# real cluster of two nodes runs them (tests/servers/slurm).
# bats file_tags=waits,root

load ../lib/helper
load ../lib/jobs
load ../lib/exact
load ../lib/slurm

setup_file() {
	need_slurm
	need mpirun
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	# The user must reach this folder.
	chmod a+rx "$BATS_TEST_TMPDIR" "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR"/*
	mkdir cluster spools out
	chmod 1777 spools out
	unset RTRACK_SPOOL
	touch cluster/own-names
	burn=$(victim burn) touch=$(victim touch) account=$(victim account)
	REPORT="$BUILD/rtrack-report"
	JOB_SPOOL=$PWD/spools/rtrack-user
	COLUMNS=200
	export COLUMNS
}

# Each row is a job: its name, the options of sbatch, and what its script does after its own work of 200 MiB and 0.5 s.
# COUNT is replaced by a command that writes the kernel's account of a step into a file of its own.
JOBS="none|-N1 -n1|
srun|-N1 -n2|srun -n2 COUNT BURN 0.4
mpirun|-N1 -n2|mpirun --oversubscribe --mca btl self,tcp --mca btl_tcp_if_include lo --mca oob_tcp_if_include lo -np 2 BURN 0.4
steps|-N1 -n2|srun --exact -n1 --mem=150 COUNT TOUCH 120 4000 & srun --exact -n1 --mem=150 COUNT TOUCH 120 4000 & wait
clean|-N1 -n1|env -i PATH=\$PATH setsid sh -c \"BURN 0.4; true\"
nodes|-N2 -n2|srun -N2 -n2 COUNT BURN 0.4"

# make_jobs: writes the script of each job, and the commands that submit them to submit.sh. The whole script runs under
# `account`, which is therefore the kernel's account of the script and of what it starts on the same node without srun.
make_jobs() {
	local name options rest number=0 export=
	[ "$1" != preload ] || export="--export=ALL,LD_PRELOAD=$LIBRARY,RTRACK_SPOOL=$JOB_SPOOL"
	printf '#!/bin/sh\nexec %s %s/out/$SLURM_JOB_ID.step.$SLURM_STEP_ID.$SLURM_PROCID "$@"\n' "$account" "$PWD" >count
	chmod +x count
	while IFS='|' read -r name options rest; do
		number=$((number + 1))
		rest=${rest//COUNT/$PWD/count}
		rest=${rest//BURN/$burn}
		printf '%s 200 300\n%s 0.5\n%s\n' "$touch" "$burn" "${rest//TOUCH/$touch}" >$name.work
		printf '#!/bin/sh\nexec %s %s/out/$SLURM_JOB_ID.script sh %s/%s.work\n' "$account" "$PWD" "$PWD" $name >$name.job
		echo "sbatch -J $name -D $PWD/out -o $PWD/out/%j.out --mem=500 -t 5 $options $export $PWD/$name.job"
	done <<<"$JOBS" >submit.sh
	echo 'while [ -n "$(squeue -h)" ]; do sleep 0.2; done' >>submit.sh
}

# run_jobs HIDEPID: runs submit.sh as an ordinary user.
run_jobs() {
	cat >inside.sh <<-END
		mount -t proc -o hidepid=$1 proc /proc || exit 77
		for table in passwd group; do
			cp /etc/\$table \$table
			chmod 644 \$table
		done
		echo 'rtrack-user:x:59999:59999::$PWD:/bin/sh' >>passwd
		echo 'rtrack-user:x:59999:' >>group
		mount --bind passwd /etc/passwd && mount --bind group /etc/group || exit 77
		exec $PROJECT/tests/servers/slurm cluster setpriv --reuid 59999 --regid 59999 --clear-groups \
			env HOME=$PWD USER=rtrack-user sh -eu $PWD/submit.sh
	END
	local status=0
	timeout -k 10 "${CLUSTER_SECONDS:-300}" unshare --mount sh inside.sh >log 2>&1 3>&- || status=$?
	[ $status != 77 ] || skip "no cluster on a /proc with hidepid=$1 here"
	[ $status = 0 ] || { cat log; tail -n 5 cluster/*.log; false; }
}

# seconds TEXT: prints "1.55 s" or "725 ms" as seconds.
seconds() {
	awk '{ printf "%.4f\n", $2 == "ms" ? $1 / 1000 : $2 == "min" ? 60 * $1 + $3 : $1 }' <<<"$1"
}

# truth_of, trackers_of NUMBER: print the CPU time of a job's programs by the kernel's account, and of its trackers.
truth_of() {
	cat out/$1.script out/$1.step.* 2>/dev/null | awk '{ sum += $1 - $4 } END { printf "%.6f\n", sum }'
}

trackers_of() {
	jq -r --arg number $1 'select(.labels.slurm_job_id == $number) | .id' "$JOB_SPOOL"/*/run.json | while read -r id; do
		column "$JOB_SPOOL/$id/system.csv" tracker_cpu
	done | awk '{ sum += $1 } END { printf "%.6f\n", sum }'
}

# job_is_whole NUMBER NAME: each command includes all work of the job exactly once.
job_is_whole() {
	local number=$1 name=$2 mib=200 cpu peak truth trackers text
	[ $name != steps ] || mib=240
	"$REPORT" show -v slurm:$number --spool "$JOB_SPOOL" --format json >json
	cpu=$(jq .totals.cpu_seconds json) peak=$(jq .totals.peak_memory_mib json)
	truth=$(truth_of $number) trackers=$(trackers_of $number)
	echo "$name: $cpu of $truth s, trackers $trackers s; $peak of $mib MiB"
	# The kernel's account excludes the first shell and `account` itself.
	at_least "$cpu" "$(awk "BEGIN { print ($truth - $trackers) * 0.99 - 0.02 }")"
	at_least "$(awk "BEGIN { print $truth * 1.01 + 0.06 }")" "$cpu"
	# All of the memory is on one node, apart from the program of a rank on another node.
	at_least "$peak" $mib
	at_least "$(awk "BEGIN { print $mib * 1.06 + 10 }")" "$peak"
	# The CPU times of the counted members add up to the total.
	jq -e '([.group.members[] | select(.counted) | .totals.cpu_seconds] | add) - .totals.cpu_seconds | fabs < 1e-3' json
	# list
	text=$("$REPORT" list --fold --spool "$JOB_SPOOL" | grep -w "$name")
	near "$(seconds "$(sed 's/.*finished *\([0-9.]* m*s\) .*/\1/' <<<"$text")")" "$cpu" 0.006 0.01
	# html
	"$REPORT" html slurm:$number --spool "$JOB_SPOOL" -o page.html >/dev/null
	text=$("$REPORT" show -v slurm:$number --spool "$JOB_SPOOL" | sed -n 's/^CPU  *\([0-9.]* m*s\) .*/\1/p')
	grep -qF "${text/ /$'\u00a0'}" page.html || grep -qF "$text" page.html
	# waste adds up the peaks of runs that overlap, so its memory is an upper bound, like that of list.
	"$REPORT" waste --spool "$JOB_SPOOL" --job $name --format json >waste.json
	near "$(jq '.all.cpu_hours.used * 3600' waste.json)" "$cpu" 0.05 0.02
	text=$(jq '.jobs[0].memory_gib_hours.used_most' waste.json)
	at_least "$text" "$peak"
	at_least "$(awk "BEGIN { print $mib * 1.06 + (\"$name\" == \"steps\" ? 200 : 10) }")" "$text"
	"$REPORT" recommend --all --spool "$JOB_SPOOL" --job $name --format json >all.json
	jq -e --argjson peak "$peak" '.[0] | .basis.runs == 1 and .resources.memory > $peak' all.json || { cat all.json; false; }
	# recommend: the request is above the peak. On two nodes, the request is for each of them.
	"$REPORT" recommend slurm:$number --spool "$JOB_SPOOL" --offline --format json >request.json
	at_least "$(jq .memory_mib request.json)" "$peak"
	# SQL and sums over a spool: the runs that no other run includes. `list` stores the totals if the user calls it.
	jq -r --arg number $number 'select(.labels.slurm_job_id == $number) | .id' "$JOB_SPOOL"/*/run.json | while read -r id; do
		sed -n 's/^\({"wall_seconds".*\)/\1/p' "$JOB_SPOOL/$id/.summary"
	done | jq -s 'map(select(.counted_in == null).cpu_seconds) | add' >sql
	near "$(cat sql)" "$cpu" 0.001
}

# whole_jobs WAY HIDEPID: runs all jobs, and checks each.
whole_jobs() {
	local number=0 name rest
	case $1 in
	plugin)
		need slurm/spank.h
		"${CC:-cc}" -shared -fPIC -o spank_rtrack.so "$PROJECT/integrations/slurm/spank_rtrack.c"
		echo "optional $PWD/spank_rtrack.so library=$LIBRARY spool=$PWD/spools/%u" >cluster/plugstack.conf
		;;
	prolog)
		sed "s|^library=.*|library=$LIBRARY|; s|^shared=.*|shared=$PWD/spools|" "$PROJECT/integrations/slurm/task-prolog" >cluster/task-prolog
		;;
	preload) install -d -o 59999 -g 59999 -m 700 "$JOB_SPOOL" ;;
	esac
	make_jobs $1
	run_jobs $2
	setpriv --reuid 59999 --regid 59999 --clear-groups "$REPORT" list --fold --spool "$JOB_SPOOL" >list
	cat list
	while IFS='|' read -r name rest; do
		number=$((number + 1))
		job_is_whole $number $name
	done <<<"$JOBS"
}

@test "Slurm, plugin, hidepid=0: the figures of a job include all of its work once" {
	whole_jobs plugin 0
}

@test "Slurm, plugin, hidepid=2: the figures of a job include all of its work once" {
	whole_jobs plugin 2
}

@test "Slurm, TaskProlog, hidepid=0: the figures of a job include all of its work once" {
	whole_jobs prolog 0
}

@test "Slurm, TaskProlog, hidepid=2: the figures of a job include all of its work once" {
	whole_jobs prolog 2
}

@test "Slurm, preload, hidepid=0: the figures of a job include all of its work once" {
	whole_jobs preload 0
}

@test "Slurm, preload, hidepid=2: the figures of a job include all of its work once" {
	whole_jobs preload 2
}
