# Tests for another processor, which qemu-user emulates (packages/guest)

# make_guest MACHINE: for setup_file. Sets $guest to the directory with the programs, and $emulate to the emulator's
# command.
make_guest() {
	local status=0
	[ "$(uname -m)" != "$1" ] || skip "this machine is $1 itself"
	"$PROJECT/packages/guest" "$1" 2>"$BATS_FILE_TMPDIR/why" || status=$?
	[ "$status" -ne 77 ] || skip "$(cat "$BATS_FILE_TMPDIR/why")"
	[ "$status" -eq 0 ] || { cat "$BATS_FILE_TMPDIR/why"; return 1; }
	machine=$1
	guest=$BUILD/guests/$1
	emulate="qemu-$1 -L /usr/$1-linux-gnu"
	burn=$(victim burn "$1-linux-gnu-gcc" -static-libgcc)
	export machine guest emulate burn
}

# units_pass COUNT: fails unless all unit tests pass, and there are at least COUNT. core_spool is left out because it is
# slow: it tries all days until the year 9999.
units_pass() {
	cd "$PROJECT"
	local failed='' count=0 unit
	for unit in "$guest"/build/unit/*; do
		case $unit in
		*.* | */core_spool) continue ;;
		esac
		timeout 100 $emulate "$unit" >"$BATS_TEST_TMPDIR/said" 2>&1 || { failed="$failed $unit"; grep '^not ok' "$BATS_TEST_TMPDIR/said" || :; }
		count=$((count + 1))
	done
	[ -z "$failed" ] || { echo "failed:$failed"; return 1; }
	[ "$count" -ge "$1" ]
}

# is_built_for_it: fails unless the programs are for that machine, by their ELF headers and by --version.
is_built_for_it() {
	local program
	for program in rtrack-run rtrack-report librtrack.so; do
		readelf -h "$guest/build/$program" | grep -q "Machine: *$1" || return 1
		[ "$program" = librtrack.so ] || "$guest/$program" --version | grep -q "^built for $machine with glibc .* by gcc " || return 1
	done
	fails grep -q NEEDED <(readelf -dW "$guest/build/librtrack.so")
}

samples_a_job_of_this_machine() {
	local status=0 run
	"$guest/rtrack-run" sh -c 'sleep 0.3; exit 3' || status=$?
	[ "$status" = 3 ]
	run=$(only_run)
	[ "$(jq -c '[.status, .exit_code]' "$run/run.json")" = '["failed",3]' ]
	[ "$(wc -l <"$run/process.csv")" -ge 3 ]
	"$guest/rtrack-report" show --format json | jq -e '.totals.processes >= 2 and .totals.wall_seconds >= 0.3'
	diff <("$guest/rtrack-report" show -v) <("$BUILD/rtrack-report" show -v)
}

writes_records_in_a_run() {
	local status=0 run
	"$guest/rtrack-run" --no-preload $emulate -E LD_PRELOAD="$guest/build/librtrack.so" "$burn" 0.3 2 || status=$?
	[ "$status" = 0 ]
	run=$(only_run)
	[ "$(grep -c '"self"' "$run/exit.csv")" -ge 1 ] || { cat "$run/exit.csv"; return 1; }
	"$guest/rtrack-report" show --format json | jq -e '.totals.cpu_seconds >= 0.29'
}

# hosts_look_bare: programs of that machine must behave the same with and without the library, however they end and make
# children. Each must record its own end, except where the library would need the kernel's list of threads, which qemu
# does not have. No thread samples (docs/platforms.md).
hosts_look_bare() {
	local ends births job
	ends=$(victim ends "$guest/cc")
	births=$(victim births "$guest/cc")
	LIBRARIES=$guest/build/librtrack.so
	for job in "$ends return 77" "$ends exit 77" "$ends _exit 77" "$ends quick_exit 77" "$ends exit_group 77" \
		"$ends raw_exit 77" "$ends pthread_exit_then_exit 77" "$ends signal 15" "$ends abort" "$births fork 3" \
		"$births vfork 3" "$births thread 3" "$births clone 3" "$births handler 3" "$births _Fork 3" "$(victim closefrom "$guest/cc") 50"; do
		one_way bare $job
		one_way preload $job
		looks_bare preload || { echo "$job"; return 1; }
		case $job in
		*raw_exit*) ;;
		*' 77') [ "$(awk -F, 'NR > 1 { print $14, $16 }' "$(run_of preload)/exit.csv")" = '77 "self"' ] || { echo "$job"; return 1; } ;;
		*' 3') [ "$(grep -c '"self"' "$(run_of preload)/exit.csv")" = 4 ] || { echo "$job"; return 1; } ;;
		esac
		rm -rf "$(spool_of preload)"
	done
}

# says_ends_alone: under LD_PRELOAD alone nothing is sampled, because qemu-user refuses our thread. Each process records
# its start and its end, and the run stays open. In so short a time no process checks whether a sampler runs.
says_ends_alone() {
	RTRACK_INTERVAL=60 $emulate -E LD_PRELOAD="$guest/build/librtrack.so" "$burn" 0.3 2
	local run
	run=$(only_run)
	[ "$(json status "$run/run.json")" = running ]
	[ "$(column "$run/exit.csv" exit_code | tr '\n' ' ')" = '0 0 0 ' ] || { cat "$run/exit.csv"; return 1; }
	[ "$(column "$run/exit.csv" exact | tr '\n' ' ')" = '1 1 1 ' ]
	diff <(column "$run/start.csv" pid | sort) <(column "$run/exit.csv" pid | sort)
	column "$run/exit.csv" utime | awk '{ sum += $1 } END { exit sum < 0.2 }'
	[ -z "$(column "$run/process.csv" timestamp)" ]
	"$guest/rtrack-report" show --format json | jq -e '.totals | .cpu_seconds >= 0.29 and .processes == 3 and .exact == false'
}
