#!/usr/bin/env bats
# Tests of a spool that answers slowly, like an overloaded network file system. strace delays each write(2) of a
# process. true(1) writes nothing, so only our records are delayed.

load ../lib/helper
load ../lib/jobs

setup() {
	need strace
	strace -f -o /dev/null -e trace=write -e inject=write:delay_exit=1 true 2>/dev/null || skip "strace may not trace here"
	cd "$BATS_TEST_TMPDIR"
}

# slow MICROSECONDS COMMAND…: runs the command and delays each of its writes by that time.
slow() {
	local delay=$1
	shift
	strace -f -qq -o /dev/null -e trace=write -e inject=write:delay_exit="$delay" "$@"
}

@test "a process stops recording after a write that took over 200 ms" {
	"$BUILD/rtrack-run" bash -c "$(declare -f slow); slow 400000 /bin/true; slow 400000 /bin/true; exit 3" || [ $? = 3 ]
	[ "$(cut -d, -f5 "$(only_run)/start.csv" | grep -c '/true"')" = 2 ]
	# Each process of true has a start row or an exit row, but not both.
	[ -z "$(comm -12 <(awk -F, '$5 ~ /\/true"$/ { print $2 }' "$(only_run)/start.csv" | sort) \
		<(awk -F, '/,"self",/ { print $2 }' "$(only_run)/exit.csv" | sort))" ]
	"$BUILD/rtrack-report" stats --format json | jq -e '.totals.exact == false and .run.exit_code == 3' || { "$BUILD/rtrack-report" stats --format json | jq .totals; false; }
}

# names_the_spool TEXT…: every report gives this reason.
names_the_spool() {
	local text
	for text; do
		"$BUILD/rtrack-report" show -v | tr -s ' \n' ' ' | grep -q "Missing .*$text"
		"$BUILD/rtrack-report" stats | tr -s ' \n' ' ' | grep -q "Missing: .*$text"
		"$BUILD/rtrack-report" html -o - | grep -q "Missing: [^<]*$text"
	done
}

@test "reports name a slow spool as the reason for missing records" {
	"$BUILD/rtrack-run" bash -c "$(declare -f slow); slow 400000 /bin/true; exit 3" || [ $? = 3 ]
	names_the_spool "records of processes that waited over 200 ms for the spool"
	fails grep -q 'ticks while' <("$BUILD/rtrack-report" show -v)
	# If there is a second reason, it is listed as well.
	chmod 1600 "$(only_run)/exit.csv"
	names_the_spool "records that could not be written (disk full or a limit), records of processes that waited"
	# Some file systems invent file modes. They must not be taken for the marks that rtrack sets in modes.
	chmod 700 "$(only_run)"/*.csv "$(only_run)/run.json"
	fails grep -q 'waited over' <("$BUILD/rtrack-report" show -v)
}

@test "with a slow spool, the sampler makes fewer samples, and sums stay complete" {
	local run cpu burn
	burn=$(victim burn)
	# Each tick writes at least two rows. A sampler that did not slow down would make at least five ticks.
	RTRACK_INTERVAL=0.1 slow 300000 "$BUILD/rtrack-run" --no-preload sh -c '"$0" 0.5; sleep 3' "$burn"
	run=$(only_run)
	[ "$(wc -l <"$run/system.csv")" -le 4 ] || { cat "$run/system.csv"; return 1; }
	[ "$(stat -c %a "$run/system.csv")" = 700 ]
	names_the_spool "ticks while the spool answered slowly"
	# strace stops rtrack-run each time it reads its clock, which adds system time.
	cpu=$(awk -v a="$(sum_of "$run/process.csv" utime)" -v b="$(sum_of "$run/process.csv" stime)" 'BEGIN { print a + b }')
	awk -v cpu="$cpu" 'BEGIN { exit !(cpu > 0.45 && cpu < 1) }' || { echo "$cpu"; return 1; }
}

@test "with a slow spool, a preloaded job ends soon and has a status and records" {
	local begun=$SECONDS status=0
	RTRACK_INTERVAL=0.1 slow 300000 env LD_PRELOAD="$LIBRARY" sh -c 'sleep 2; exit 3' || status=$?
	[ $status = 3 ]
	[ $((SECONDS - begun)) -lt 60 ]
	[ "$(json status "$(only_run)/run.json")" = failed ]
	names_the_spool "ticks while the spool answered slowly"
}

@test "a spool that needs 50 ms for each write gets every record" {
	"$BUILD/rtrack-run" bash -c "$(declare -f slow); slow 50000 /bin/true"
	[ -n "$(comm -12 <(awk -F, '$5 ~ /\/true"$/ { print $2 }' "$(only_run)/start.csv" | sort) \
		<(awk -F, '/,"self",/ { print $2 }' "$(only_run)/exit.csv" | sort))" ]
	[ "$(stat -c %a "$(only_run)"/*.csv | sort -u)" = 600 ]
}
