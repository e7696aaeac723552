#!/usr/bin/env bats
# Tests of integrations/slurm: the SPANK plugin, the TaskProlog and the epilog, on a real cluster of two nodes on this
# machine
# bats file_tags=waits,root

load ../lib/helper
load ../lib/jobs
load ../lib/slurm

setup_file() {
	need_slurm
	need slurm/spank.h
	"${CC:-cc}" -Wall -Wextra -Werror -shared -fPIC -o "$BATS_FILE_TMPDIR/spank_rtrack.so" "$PROJECT/integrations/slurm/spank_rtrack.c"
	printf 'int own;\n' | "${CC:-cc}" -shared -fPIC -x c -o "$BATS_FILE_TMPDIR/own.so" -
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	unset RTRACK_SPOOL
	mkdir cluster spools
	chmod 755 . spools
	loaded='grep -q /own.so /proc/self/maps && grep -q librtrack /proc/self/maps && echo both'
}

plugin() {
	echo "optional $BATS_FILE_TMPDIR/spank_rtrack.so library=$LIBRARY spool=$PWD/spools/%u $*" >cluster/plugstack.conf
}

runs() {
	"$BUILD/rtrack-report" list --limit 0 --spool "$PWD/spools/*" --format json | jq -c ".[] | select(.job != \"task-prolog\") | $1" | sort
}

@test "Slurm plugin: tracks each task, keeps the user's preload, obeys --rtrack=no" {
	plugin
	cluster <<-END
		srun -J four -N2 -n4 true
		LD_PRELOAD=$BATS_FILE_TMPDIR/own.so srun -J own -t 3 -n1 sh -c '$loaded' >own
		srun -J no --rtrack=no -n1 true
		sbatch --wait -J array --array=1-2 -n1 -o /dev/null --wrap /bin/true
		RTRACK=off srun -J off -n1 true
	END
	[ "$(cat own)" = both ]
	[ "$(runs .job | uniq -c | tr -s ' \n' ' ')" = ' 2 "array" 4 "four" 1 "own" ' ]
	[ "$(runs 'select(.job == "own") | .requested.seconds')" = 180 ]
	[ "$(stat -c '%a %U' spools/root)" = "700 root" ]
}

@test "Slurm plugin: its arguments are settings of jobs that set none" {
	plugin interval=5 lines=off min-seconds=0 'mask=*hidden*' memory=rss apptainer=/inside/librtrack.so
	cluster <<-END
		srun -J site -n1 sh -c 'env | grep -E "^RTRACK_(INTERVAL|LINES|MASK|MEMORY|MIN_SECONDS)=" | sort; : hidden' >site
		RTRACK_INTERVAL=2 srun -J own -n1 sh -c 'env | grep ^RTRACK_INTERVAL' >own
		SINGULARITYENV_LD_PRELOAD=own.so srun -J container -n1 sh -c 'env | grep ENV_LD_PRELOAD= | sort' >container
	END
	diff site <(printf 'RTRACK_%s\n' INTERVAL=5 LINES=off 'MASK=*hidden*' MEMORY=rss MIN_SECONDS=0)
	[ "$(cat own)" = RTRACK_INTERVAL=2 ]
	diff container <(printf '%s\n' APPTAINERENV_LD_PRELOAD=/inside/librtrack.so SINGULARITYENV_LD_PRELOAD=own.so)
	[ "$(runs 'select(.job == "site") | .interval')" = 5 ]
}

@test "Slurm plugin: a step of a static program has a run with its CPU time and peak, and no task has two runs" {
	plugin
	printf '%s\n' '#include <stdlib.h>' '#include <string.h>' '#include <time.h>' \
		'int main(void) { memset(malloc(60 << 20), 1, 60 << 20); while (clock() < CLOCKS_PER_SEC / 2); return 0; }' >static.c
	"${CC:-cc}" -O0 -static -o static static.c
	cluster <<-END
		srun -J static -n1 $PWD/static
		srun -J both -n2 sh -c 'exit 3' || true
		srun -J launched -n1 $BUILD/rtrack-run true
		RTRACK=off srun -J off -n1 $PWD/static
		sbatch --wait -J script -n1 -o /dev/null --wrap 'srun -n1 $PWD/static'
	END
	[ "$(runs .job | uniq -c | tr -s ' \n' ' ')" = ' 2 "both" 1 "launched" 2 "script" 1 "static" ' ]
	"$BUILD/rtrack-report" stats slurm:1 --spool spools/root --format json |
		jq -e '.totals | .cpu_seconds >= 0.5 and .peak_memory_mib >= 60 and .peak_memory_mib < 80 and (.exact | not)'
	"$BUILD/rtrack-report" stats slurm:5 --spool spools/root --format json |
		jq -e '.silent_steps == 0 and .totals.cpu_seconds >= 0.5 and .totals.peak_memory_mib >= 60'
	[ "$(stat -c '%a %U' spools/root/* | sort -u)" = "700 root" ]
}

@test "Slurm plugin: print= appends a summary; apptainer= excludes containers" {
	plugin print=$BUILD/rtrack-report apptainer=
	cluster <<-END
		sbatch --wait -J printed -n1 -o printed --wrap 'echo own; srun -n1 sh -c "env | grep ENV_LD_PRELOAD= | sort; exit 3"' || true
		sbatch --wait -J array --array=4 -n1 -o array -e errors --wrap 'echo own'
		RTRACK=off sbatch --wait -J off -n1 -o off --wrap 'echo own'
		sbatch --wait -J null -n1 -o /dev/null --wrap 'echo own'
		srun -J step -n1 sh -c 'echo own' >step 2>&1
	END
	cat printed
	[ "$(head -n 3 printed | paste -sd ' ')" = 'own APPTAINERENV_LD_PRELOAD= SINGULARITYENV_LD_PRELOAD=' ]
	[ "$(grep -c '^Request ' printed)" = 1 ]
	grep -q '^Failed .*printed .*failed with exit status 3' printed
	[ "$(cat array)" = own ]
	grep -q '^Request .*rtrack-report recommend slurm:2_4 ' errors
	[ "$(cat off step)" = "$(printf 'own\nown')" ]
}

@test "Slurm plugin: users, partitions and --rtrack=yes decide which jobs are tracked" {
	plugin users=eve,ada
	cluster <<-END
		srun -J other -n1 true
		srun -J joins --rtrack=yes -n1 true
	END
	[ "$(runs .job)" = '"joins"' ]
}

@test "Slurm TaskProlog: appends the library to the user's own LD_PRELOAD" {
	sed "s|^library=.*|library=$LIBRARY|; s|^shared=.*|shared=$PWD/spools|" "$PROJECT/integrations/slurm/task-prolog" >cluster/task-prolog
	cluster <<-END
		LD_PRELOAD=$BATS_FILE_TMPDIR/own.so srun -J own -n1 sh -c '$loaded' >own
	END
	[ "$(cat own)" = both ]
	[ "$(runs .job)" = '"own"' ]
}

@test "Slurm epilog: moves the runs of a finished job to the shared directory" {
	plugin
	mkdir shared
	chmod 755 shared
	cat >cluster/epilog <<-END
		#!/bin/sh
		export RTRACK_LOCAL=$PWD/spools RTRACK_SHARED=$PWD/shared RTRACK_REPORT=$BUILD/rtrack-report
		exec $PROJECT/integrations/slurm/epilog
	END
	chmod +x cluster/epilog
	cluster <<-END
		srun -J moved -n2 true
		for try in \$(seq 100); do [ "\$(ls shared/root 2>/dev/null | wc -l)" -lt 2 ] || break; sleep 0.1; done
	END
	[ "$("$BUILD/rtrack-report" stats slurm:1 --spool shared/root --format json | jq .totals.processes)" -ge 2 ]
	[ -z "$(ls spools/root)" ]
}

@test "Slurm plugin: a missing library or spool is one line in the log of slurmd, and jobs run as usual" {
	echo "optional $BATS_FILE_TMPDIR/spank_rtrack.so library=$PWD/missing.so spool=$PWD/spools/%u" >cluster/plugstack.conf
	cluster <<-END
		srun -J no-library -n1 sh -c 'true; echo done' >out 2>err
	END
	[ "$(cat out err)" = 'done' ]
	[ "$(cat cluster/slurmd*.log | grep -c "rtrack: jobs are not tracked, because '$PWD/missing.so' cannot be read")" = 1 ]
	[ -z "$(ls spools)" ]
	echo "optional $BATS_FILE_TMPDIR/spank_rtrack.so library=$LIBRARY spool=$PWD/nowhere/%u" >cluster/plugstack.conf
	cluster <<-END
		srun -J no-spool -n1 sh -c 'true; echo done' >out 2>err
	END
	[ "$(cat out err)" = 'done' ]
	[ "$(cat cluster/slurmd*.log | grep -c "rtrack: jobs are not tracked, because '$PWD/nowhere' is missing")" = 1 ]
}

@test "Slurm plugin: the user's task makes the spool if users can write to its parent" {
	chmod 1777 spools
	plugin
	cluster <<-END
		srun -J made -n1 true
	END
	[ "$(stat -c '%a %U' spools/root)" = "700 root" ]
	[ "$(runs .job)" = '"made"' ]
}

@test "Slurm TaskProlog: prints nothing if the library is missing" {
	sed "s|^library=.*|library=$PWD/missing.so|; s|^shared=.*|shared=$PWD/spools|" "$PROJECT/integrations/slurm/task-prolog" >task-prolog
	[ -z "$(sh task-prolog 2>&1)" ]
}

@test "Slurm TaskProlog: says once per node in the system log why a job is not tracked" {
	mkdir bin
	printf '#!/bin/sh\necho "$*" >>"%s"\n' "$PWD/log" >bin/logger
	chmod +x bin/logger
	export PATH=$PWD/bin:$PATH SLURM_JOB_ID=7 SLURM_JOB_USER=ada
	unset RTRACK_SPOOL
	touch file
	for library in "$LIBRARY" "$PWD/missing.so"; do
		sed "s|^library=.*|library=$library|; s|^shared=.*|shared=$PWD/file|" "$PROJECT/integrations/slurm/task-prolog" >task-prolog
		for task in 0 1 2; do
			[ -z "$(SLURM_LOCALID=$task sh task-prolog 2>&1)" ]
		done
	done
	[ "$(cat log)" = "-t rtrack job 7 is not tracked: $PWD/file/ada cannot be made
-t rtrack job 7 is not tracked: $PWD/missing.so cannot be read" ]
}

@test "Slurm: the module file is valid Lua, and the timer is a valid systemd unit" {
	need luac systemd-analyze
	luac -p "$PROJECT/integrations/slurm/rtrack.lua"
	sed "s|/usr/local/bin/rtrack-report|$BUILD/rtrack-report|" "$PROJECT/integrations/slurm/rtrack-prune.service" >rtrack-prune.service
	cp "$PROJECT/integrations/slurm/rtrack-prune.timer" .
	systemd-analyze verify ./rtrack-prune.service ./rtrack-prune.timer 2>&1 | grep rtrack-prune | grep -v "man rtrack" >said || :
	[ ! -s said ] || { cat said; false; }
}
