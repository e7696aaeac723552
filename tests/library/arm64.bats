#!/usr/bin/env bats
# aarch64, on another processor, by qemu-user: the unit tests of what the library is made of, and the library and
# rtrack-run themselves as far as qemu goes. It makes no thread with the flags that ours has (qemu's clone knows those of
# pthread_create alone), so that nobody samples under a bare LD_PRELOAD; and what rtrack-run executes there has to name
# qemu again.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs

setup_file() {
	command -v aarch64-linux-gnu-gcc >/dev/null || skip "no compiler for aarch64 here"
	command -v qemu-aarch64 >/dev/null || skip "no qemu-aarch64 here"
	[ "$(uname -m)" != aarch64 ] || skip "all suites run on this machine itself"
	unset MAKEFLAGS MAKELEVEL MFLAGS
	ARM=$BUILD/arm64-qemu
	export ARM
	cd "$PROJECT"
	units=$(for file in tests/unit/{core,sampler,linux}/*.c; do
		name=${file#tests/unit/}
		printf '%s ' "$ARM/unit/$(dirname "$name")_$(basename "$name" .c)"
	done)
	# shellcheck disable=SC2086 # words
	make -s -j2 BUILD="$ARM" CC=aarch64-linux-gnu-gcc CFLAGS='-O1 -g0' WERROR=-Werror HEADERS= STATIC=-static LDFLAGS=-static \
		"$ARM/librtrack.so" "$ARM/rtrack-run" $units >"$BUILD/logs/arm64-qemu.log" 2>&1 || { cat "$BUILD/logs/arm64-qemu.log"; false; }
	burn=$(victim burn 'aarch64-linux-gnu-gcc' -static-libgcc)
	export burn
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	export RTRACK_SPOOL=$PWD/spool RTRACK_INTERVAL=0.1
}

@test "aarch64: the unit tests of core, sampler and os/linux pass" {
	cd "$PROJECT"
	failed=
	count=0
	for unit in "$ARM"/unit/*; do
		case $unit in
		*.* | */core_spool) continue ;; # the latter goes through all days until the year 9999
		esac
		timeout 100 qemu-aarch64 "$unit" >"$BATS_TEST_TMPDIR/said" 2>&1 || { failed="$failed $unit"; grep '^not ok' "$BATS_TEST_TMPDIR/said" || :; }
		count=$((count + 1))
	done
	[ -z "$failed" ] || { echo "failed:$failed"; false; }
	[ "$count" -ge 30 ]
}

@test "aarch64: rtrack-run samples a job, passes its status on, and ends its run" {
	status=0
	qemu-aarch64 "$ARM/rtrack-run" --no-preload sh -c 'sleep 0.3; exit 3' || status=$?
	[ "$status" = 3 ]
	run=$(only_run)
	[ "$(jq -c '[.status, .exit_code]' "$run/run.json")" = '["failed",3]' ]
	[ "$(wc -l <"$run/process.csv")" -ge 3 ]
	"$BUILD/rtrack-report" show --format json | jq -e '.totals.processes >= 1 and .totals.wall_seconds >= 0.3'
}

@test "aarch64: the library writes the records of a program's start and end, in a run of rtrack-run" {
	[ -e /usr/aarch64-linux-gnu/lib/libc.so.6 ] || skip "no C library of aarch64 here"
	status=0
	"$BUILD/rtrack-run" --no-preload qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_PRELOAD="$ARM/librtrack.so" "$burn" 0.3 2 || status=$?
	[ "$status" = 0 ]
	run=$(only_run)
	[ "$(grep -c '"self"' "$run/exit.csv")" -ge 1 ] || { cat "$run/exit.csv"; false; }
	"$BUILD/rtrack-report" show --format json | jq -e '.totals.cpu_seconds >= 0.29'
}
