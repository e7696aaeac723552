#!/usr/bin/env bats
# Tests of Slurm jobs in control groups of version 2, with a group for each job, step and task. They need all
# controllers in version 2, not managed by systemd. Therefore `make check-groups` runs them on an emulated machine.
# bats file_tags=group,root

load ../lib/helper
load ../lib/jobs
load ../lib/slurm

is_emulated() {
	grep -q 'commands=.*/build/vm/' /proc/cmdline
}

setup_file() {
	is_emulated || return 0
	# Slurm needs a host name whose address is not loopback.
	hostname vm
	grep -qw vm /etc/hosts || echo '127.0.0.1 vm' >>/etc/hosts
	ip address add 10.9.9.9/32 dev lo 2>/dev/null || true
	mkdir -p /sys/fs/cgroup/system.slice
	# Slurm 22.05 ignores the last controller in the list.
	for group in /sys/fs/cgroup /sys/fs/cgroup/system.slice; do
		echo '+memory +cpu +cpuset +pids' >$group/cgroup.subtree_control
	done
}

setup() {
	is_emulated || skip "this is no machine of scripts/vm: make check-groups"
	need_slurm
	cd "$BATS_TEST_TMPDIR"
	chmod 755 "$BATS_TEST_TMPDIR"
	export RTRACK_SPOOL=$PWD/spool
	mkdir cluster
	printf '%s\n' CgroupPlugin=cgroup/v2 IgnoreSystemd=yes ConstrainRAMSpace=yes >cluster/cgroup.conf
}

export CLUSTER_SECONDS=800
tracked="env LD_PRELOAD=$LIBRARY"

@test "Slurm, cgroup 2: CPU time matches cpu.stat, and memory.peak is within bounds" {
	cat >usage.sh <<-'END'
		group=/sys/fs/cgroup$(sed s/0::// /proc/self/cgroup)
		cpu() { while read -r key value; do [ $key != usage_usec ] || usage=$value; done <$group/cpu.stat; }
		cpu; before=$usage
		"$@"
		cpu; echo $((usage - before)) >used
		cat $group/memory.peak >peak
	END
	cluster <<-END
		srun -N1 -n1 --mem=300 sh usage.sh $tracked $(victim hog) 10 5 2 5
	END
	"$BUILD/rtrack-report" stats --format json >json
	# On an emulated processor, starting and ending a program takes tens of milliseconds.
	jq -e --argjson used "$(cat used)" --argjson tracker "$(sum_of "$(only_run)/system.csv" tracker_cpu)" \
		'.totals.cpu_seconds + $tracker | . <= $used / 1e6 * 1.001 and . > $used / 1e6 * 0.97' json ||
		{ cat used; jq .totals json; false; }
	jq -e '.run.requested.memory_mib == 300 and .totals.exact_cpu' json
	jq -e --argjson peak "$(cat peak)" '.totals | .peak_memory_at_most_mib >= $peak / 1048576 - 4 and .peak_memory_needed_mib <= $peak / 1048576 + 4' json
}

@test "Slurm, cgroup 2: four kills at memory limits of jobs and steps are reported" {
	cat >grows.py <<-'END'
		import time
		held = []
		while True:
		    held.append(bytearray(5 << 20))
		    time.sleep(0.05)
	END
	printf '#!/bin/sh\nsrun -n1 %s python3 grows.py\nsrun -n1 --mem=80 %s python3 grows.py\necho went on\n' "$tracked" "$tracked" >batch.sh
	cluster <<-END
		srun -N1 -n1 --mem=100 $tracked python3 grows.py || :
		srun -N1 -n1 --mem=100 $tracked sh -c 'python3 grows.py; true' || :
		sbatch --wait -N1 -n1 --mem=120 -o batch.out batch.sh || :
	END
	grep 'went on' batch.out
	"$BUILD/rtrack-report" list --all --status oom --format json >json
	jq -e 'length == 4' json || { "$BUILD/rtrack-report" list --all; false; }
	[ "$(jq -c '[.[] | [.labels.slurm_job_id, .labels.slurm_step_id, .status]] | sort' json)" = \
		'[["1","0","killed"],["2","0","finished"],["3","0","killed"],["3","1","killed"]]' ]
	# No variable contains the limit of a step. It is in the control group above the group of the task.
	[ "$(jq -c '[.[].requested.memory_mib] | sort' json)" = '[80,100,100,120]' ]
}

@test "Slurm, cgroup 2: two ranks of 200 MiB finish with the recommended memory" {
	printf 'import time\nheld = bytearray(200 << 20)\ntime.sleep(2)\n' >holds.py
	cluster <<-END
		srun -N1 -n2 --mem=800 $tracked python3 holds.py
		"$BUILD/rtrack-report" recommend --offline --for slurm slurm:1 >request
		srun -N1 -n2 --mem=\$(sed -n 's/^#SBATCH --mem=//p' request) $tracked python3 holds.py
	END
	cat request
	mib=$(sed -n 's/^#SBATCH --mem=\([0-9]*\)M$/\1/p' request)
	[ "$mib" -ge 404 ] && [ "$mib" -le 800 ]
	"$BUILD/rtrack-report" list --all --format json | jq -e 'map(.status) == ["finished", "finished", "finished", "finished"]'
}
