#!/usr/bin/env bats
# Tests of shells and compilers: many short processes, pipelines whose processes end in any order, and shells that keep
# their own copy of the environment
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
}

@test "a bash pipeline behaves the same when tracked, and all processes are recorded" {
	cat >job.sh <<-'END'
		set -o pipefail
		seq 1 20000 | sort -rn | awk '{ sum += $1 } END { print sum }' | tee copy
		echo "to stderr" >&2
		(exit 3) | cat
		echo "statuses: ${PIPESTATUS[*]}"
		diff <(echo one) <(echo two)
		kill -USR1 $BASHPID
	END
	same_every_way bash job.sh
	bare_status_is 138
	bare_says 'statuses: 3 0'
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(json job "$run/run.json")" = job.sh ]
		for part in seq sort awk tee cat diff; do
			[ "$(starts_with_text "$run" "$part")" -ge 1 ]
		done
	done
}

@test "a dash script runs as if untracked, and forks without exec are recorded" {
	cat >job.sh <<-'END'
		for i in 1 2 3; do (echo "sub-shell $i"; exit "$i"); echo "status $?"; done
		echo background & wait $!
		trap 'echo trapped; exit 5' TERM
		kill -TERM $$
	END
	same_every_way dash job.sh
	bare_status_is 5
	bare_says trapped
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(json exit_code "$run/run.json")" = 5 ]
		[ "$(cut -d, -f2,3 "$run/exit.csv" | tail -n +2 | sort -u | wc -l)" -ge 4 ]
	done
}

@test "a shell that replaces itself by exec stays one run" {
	same_every_way sh -c 'exec bash -c "exec sh -c \"echo here; exit 6\""'
	bare_status_is 6
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(json exit_code "$run/run.json")" = 6 ]
		[ "$(cut -d, -f2 "$run/start.csv" | tail -n +2 | sort -u | wc -l)" -eq 1 ]
	done
}

@test "make -j2 with gcc makes the same objects when tracked" {
	need make gcc
	cp -r "$PROJECT/core" .
	cat >Makefile <<-'END'
		.RECIPEPREFIX = >
		OBJECTS = base.o columns.o number.o row.o settings.o spool.o
		all: $(OBJECTS)
		> @cksum $(OBJECTS)
		> @echo "to stderr" >&2
		%.o: core/%.c
		> @gcc -I. -c -o $@ $<
		failing: all
		> @exit 3
	END
	same_every_way sh -c 'rm -f *.o; make -j2 all && make -s failing'
	bare_status_is 2
	bare_says 'row.o'
	for way in preload launcher; do
		run=$(run_of $way)
		[ "$(grep -F cc1 "$run/start.csv" | cut -d, -f2 | sort -u | wc -l)" -ge 6 ]
	done
}

@test "xargs with parallel processes behaves the same when tracked" {
	same_every_way sh -c 'seq 1 64 | xargs -P 4 -n 1 sh -c "exit 0" && echo all && seq 1 4 | xargs -n 1 false'
	bare_status_is 123
	for way in preload launcher; do
		[ "$(cut -d, -f2,3 "$(run_of $way)/exit.csv" | tail -n +2 | sort -u | wc -l)" -ge 70 ]
	done
}
