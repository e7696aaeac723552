#!/usr/bin/env bats
# Tests of programs that do not load the library: static ones, setuid ones, and those with an empty environment

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup() {
	BURN=$(victim burn)
	export RTRACK_INTERVAL=0.1
}

# said_by_itself RUN PROGRAM: prints exit records that the program wrote itself, with the source "self".
said_by_itself() {
	awk -F, -v pids="$(awk -F, -v text=",\"$2\"," 'index($0, text) { print $2 }' "$1/start.csv" | tr '\n' ' ')" '
		BEGIN { count = split(pids, list, " "); for (i = 1; i <= count; i++) is[list[i]] = 1 }
		is[$2] && /"self"/' "$1/exit.csv"
}

@test "statically linked children are in the totals" {
	static=$(victim burn "${CC:-cc}" -static)
	exact_both_ways sh -c '"$0" 0.3; "$0" 0.2 4; "$0" 0.01; true' "$static"
	at_least "$(kernel preload cpu)" 0.51
	[ -z "$(said_by_itself "$(run_of preload)" "$static")" ]
}

@test "statically linked children that live only between two samples are in the totals" {
	static=$(victim burn "${CC:-cc}" -static)
	export RTRACK_INTERVAL=3600
	exact_both_ways "$(victim series)" 100 2 "$static" 0.005
	at_least "$(kernel preload cpu)" 0.5
}

# Ten static programs run one after another. Each runs five children of 20 ms.
children_of_static_programs() {
	exact_both_ways "$(victim series)" 10 1 "$(victim series "${CC:-cc}" -static)" 5 1 "$BURN" 0.02
	at_least "$(kernel preload cpu)" 1
}

@test "children of static programs are counted once" {
	RTRACK_INTERVAL=0.02 children_of_static_programs
}

@test "children of static programs that live only between two samples count once" {
	RTRACK_INTERVAL=3600 children_of_static_programs
}

@test "a child that is a Go program is in the totals" {
	need go
	mkdir "$BATS_TEST_TMPDIR/burn"
	cd "$BATS_TEST_TMPDIR/burn"
	cat >burn.go <<-'END'
		package main

		import (
			"syscall"
		)

		func main() {
			memory := make([]byte, 100<<20)
			for i := range memory {
				memory[i] = 1
			}
			for usage := (syscall.Rusage{}); usage.Utime.Sec == 0 && usage.Utime.Usec < 400000; {
				for i := 0; i < 100000; i++ {
					memory[i]++
				}
				syscall.Getrusage(syscall.RUSAGE_SELF, &usage)
			}
		}
	END
	CGO_ENABLED=0 GOCACHE=$BATS_TEST_TMPDIR/cache GOFLAGS=-mod=mod GO111MODULE=off timeout 100 go build -o burn burn.go
	exact_both_ways sh -c '"$0"; true' ./burn
	at_least "$(kernel preload cpu)" 0.4
	at_least "$(kernel preload peak_mib)" 100
}

@test "children with an empty environment are in the totals" {
	exact_both_ways sh -c 'env -i "$0" 0.3; env -i "$0" 0.2 4; true' "$BURN"
	at_least "$(kernel preload cpu)" 0.5
}

# bats test_tags=root
@test "setuid children are in the totals" {
	as_root "make a program of another user's"
	chmod 755 "$BATS_TEST_TMPDIR"
	cp "$BURN" "$BATS_TEST_TMPDIR/setuid"
	chown 65534 "$BATS_TEST_TMPDIR/setuid"
	chmod 4755 "$BATS_TEST_TMPDIR/setuid"
	exact_both_ways sh -c '"$0" 0.3; "$0" 0.2 4; true' "$BATS_TEST_TMPDIR/setuid"
	at_least "$(kernel preload cpu)" 0.5
	[ -z "$(said_by_itself "$(run_of preload)" "$BATS_TEST_TMPDIR/setuid")" ]
}

@test "rtrack-run: a static daemon is in the totals" {
	accounted launcher "$(victim daemon "${CC:-cc}" -static)" wait 0.5 50
	cpu_is_the_kernels launcher
	peak_is_the_kernels launcher
	at_least "$(kernel launcher cpu)" 0.5
}

@test "a static daemon is in the totals even if it was never sampled with its parent" {
	accounted preload sh -c 'env -i "$0" wait 0.5 50; true' "$(victim daemon "${CC:-cc}" -static)"
	at_least "$(kernel preload cpu)" 0.5
	# CPU time after the last tick is reported as missing.
	cpu=$(total "$run" cpu_seconds)
	truth=$(job_cpu preload)
	near "$cpu" "$truth" 0.3
	at_least "$(awk "BEGIN { print $cpu + $(sum_of "$run/exit.csv" missing_cpu) }")" "$(awk "BEGIN { print $truth * 0.99 - 0.02 }")"
	at_least "$(awk "BEGIN { print $truth * 1.01 + 0.02 }")" "$cpu"
}

@test "a static daemon that outlives the job is counted, or reported as missing" {
	static=$(victim daemon "${CC:-cc}" -static)
	for way in preload launcher; do
		accounted $way sh -c '"$0" leave 1 50; true' "$static"
		cpu=$(total "$run" cpu_seconds)
		truth=$(job_cpu $way)
		at_least "$(awk "BEGIN { print $truth * 1.01 + 0.02 }")" "$cpu"
		at_least "$(awk "BEGIN { print $cpu + $(sum_of "$run/exit.csv" missing_cpu) }")" "$(awk "BEGIN { print $truth * 0.99 - 0.02 }")"
		near "$cpu" 1 0.6
		# The new sampling process reads the daemon's final CPU time if it is not reaped at once.
		[ "$(total "$run" exact)" = false ] || near "$cpu" "$truth" 0.02 0.01
	done
}

@test "if reaped children were never sampled, the number of processes is a lower bound" {
	need busybox
	"$BUILD/rtrack-run" --min-seconds 0 sh -c 'i=0; while [ $i -lt 60 ]; do i=$((i + 1)); busybox true; done' 3>&-
	run=$(basename "$(only_run)")
	"$BUILD/rtrack-report" show -v "$run" | grep -q '^Processes .* or more'
	"$BUILD/rtrack-report" stats "$run" | grep -q '^Processes, lower bound '
	"$BUILD/rtrack-report" compare "$run" "$run" | grep -qE '^Processes +[0-9]+ or more +[0-9]+ or more '
	"$BUILD/rtrack-report" compare "$run" "$run" --format json | jq -e '.a.exact_processes == false'
	"$BUILD/rtrack-report" html -o "$BATS_TEST_TMPDIR/page.html" "$run"
	grep -qE '[0-9] or more processes' "$BATS_TEST_TMPDIR/page.html"
	[ "$(total "$run" exact_processes)" = false ]
	"$BUILD/rtrack-report" list --format json | jq -e '.[0].totals.exact_processes == false'
	rm -rf "$RTRACK_SPOOL"
	"$BUILD/rtrack-run" --min-seconds 0 sh -c 'env true; true' 3>&-
	[ "$(total "$(only_run)" exact_processes)" = true ]
}

@test "static children that were sampled are listed by name, even if they were short" {
	program=$(victim burn "${CC:-cc}" -static)
	"$program" 0.001 >/dev/null
	RTRACK_INTERVAL=0.05 "$BUILD/rtrack-run" --min-seconds 0 sh -c 'for i in 1 2 3 4 5 6 7 8; do "$0" 0.07; done' "$program" >/dev/null 3>&-
	run=$(only_run)
	[ "$(wc -l <"$run/start.csv")" -gt 4 ]
	fails grep -q ',"","",' "$run/start.csv"
	"$BUILD/rtrack-report" show --format json "$run" | jq -e '[.programs[].program] | index("(unknown)") == null'
}

# bats test_tags=root
@test "other users' processes without a record make the process count a lower bound" {
	as_root "become another user"
	for way in preload launcher; do
		one_way $way sh -c 'setpriv --reuid 65534 --regid 65534 --clear-groups sh -c "for i in 1 2 3 4; do env true; done; exit 0"; exit 0'
		run=$(run_of $way)
		is_over "$run"
		at_least 5 "$(total "$run" processes)"
		[ "$(total "$run" exact_processes)" = false ]
		rm -r "$(spool_of $way)"
		one_way $way sh -c 'env true; env true & wait; exit 0'
		[ "$(total "$(run_of $way)" processes)" = 3 ]
		[ "$(total "$(run_of $way)" exact_processes)" = true ]
		rm -r "$(spool_of $way)"
	done
}
