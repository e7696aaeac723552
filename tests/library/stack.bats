#!/usr/bin/env bats
# Tests of programs that have almost no stack left when they end, fork or mark. The library's code runs on its own
# stack.

load ../lib/helper
load ../lib/jobs

# The program is linked with -z now, because the loader's lazy resolver would need more stack than is left.
tight() {
	victim tight "${CC:-cc}" -Wl,-z,now -ldl
}

# left_record RUN TEXT STATUS: a process with TEXT in its command line recorded its own exit with STATUS.
left_record() {
	local run=$1 text=$2 status=$3 pid
	for pid in $(awk -F, -v text="$text" 'index($0, text) { print $2 }' "$run/start.csv"); do
		[ "$(awk -F, -v pid="$pid" '$2 == pid { print $14 $16 $17 }' "$run/exit.csv")" != "$status\"self\"1" ] || return 0
	done
	cat "$run/start.csv" "$run/exit.csv"
	return 1
}

@test "exit from a handler on an 8 KiB alternate stack works and is recorded" {
	tight=$(tight)
	same_every_way "$tight" handler
	bare_status_is 7
	for way in preload launcher; do
		run=$(run_of $way)
		left_record "$run" "tight" 7
		[ "$(json status "$run/run.json") $(json exit_code "$run/run.json")" = "failed 7" ]
	done
	# The same is true of a child.
	same_every_way sh -c '"$0" handler; exit $(($? + 1))' "$tight"
	bare_status_is 8
	for way in preload launcher; do
		left_record "$(ls -dt "$(spool_of $way)"/*/ | head -1)" "tight" 7
	done
}

@test "a thread whose 16 KiB stack is nearly full can fork, mark and exit" {
	same_every_way "$(tight)" thread
	bare_status_is 5
	for way in preload launcher; do
		run=$(run_of $way)
		left_record "$run" tight 5
		[ "$(column "$run/exit.csv" exit_code | sort -n | tr '\n' ' ')" = "3 5 " ]
		[ "$(column "$run/mark.csv" label)" = '"tight"' ]
	done
}

@test "the library writes nothing below a small stack without a guard page" {
	same_every_way "$(tight)" workers
	[ "$(cat "$BATS_TEST_TMPDIR/bare.out")" = "7, 0 bytes below the stack
5, 0 bytes below the stack" ]
	for way in preload launcher; do
		[ "$(column "$(run_of $way)/exit.csv" exit_code | sort -n | tr '\n' ' ')" = "0 3 5 7 " ]
	done
}

@test "scripts/lint-stack finds a function that needs more stack than allowed" {
	cd "$PROJECT"
	cp -r Makefile core os sampler preload scripts "$BATS_TEST_TMPDIR"
	cd "$BATS_TEST_TMPDIR"
	export BUILD=$BATS_TEST_TMPDIR/build
	scripts/lint-stack
	fails scripts/lint-stack 100
	sed -i 's/^bool member_is_silent(void)$/&\n{\n\tvolatile char room[3000];\n\troom[0] = 0;\n\treturn self.silent + room[0];\n}\nbool member_was_silent(void);\nbool member_was_silent(void)/' preload/member.c
	fails scripts/lint-stack >said
	grep -q '^the host: .* member_is_silent [23]' said
	grep -q '^that is more than there is for the host$' said
}
