#!/usr/bin/env bats
# A spool that answers slowly, as a file system of a network does that is overloaded. The delay is injected by strace into
# each write(2) of a process: true(1) writes nothing, so that only our records are delayed.

load ../lib/helper

setup() {
	command -v strace >/dev/null || skip "no strace here"
	strace -f -o /dev/null -e trace=write -e inject=write:delay_exit=1 true 2>/dev/null || skip "strace may not trace here"
	cd "$BATS_TEST_TMPDIR"
}

# slow MICROSECONDS COMMAND...: the command, of which each write takes so long.
slow() {
	local delay=$1
	shift
	strace -f -qq -o /dev/null -e trace=write -e inject=write:delay_exit="$delay" "$@"
}

@test "after an operation of the spool that took over 200 ms a process writes nothing more, and its end is unknown" {
	"$BUILD/rtrack-run" bash -c "$(declare -f slow); slow 400000 /bin/true; slow 400000 /bin/true; exit 3" || [ $? = 3 ]
	[ "$(cut -d, -f5 "$(only_run)/start.csv" | grep -c '/true"')" = 2 ]
	# Without the rule there were two more: true's.
	[ -z "$(comm -12 <(awk -F, '$5 ~ /\/true"$/ { print $2 }' "$(only_run)/start.csv" | sort) \
		<(awk -F, '/,"self",/ { print $2 }' "$(only_run)/exit.csv" | sort))" ]
	"$BUILD/rtrack-report" stats --format json | jq -e '.totals.exact == false and .run.exit_code == 3' || { "$BUILD/rtrack-report" stats --format json | jq .totals; false; }
}

@test "a spool that takes 50 ms for each operation has every record" {
	"$BUILD/rtrack-run" bash -c "$(declare -f slow); slow 50000 /bin/true"
	[ -n "$(comm -12 <(awk -F, '$5 ~ /\/true"$/ { print $2 }' "$(only_run)/start.csv" | sort) \
		<(awk -F, '/,"self",/ { print $2 }' "$(only_run)/exit.csv" | sort))" ]
}
