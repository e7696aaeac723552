#!/usr/bin/env bats
# Tests of builds by another compiler for other C libraries: zig cc for x86-64 with musl, and for aarch64 with glibc
# 2.17. aarch64 programs run in qemu-user.
# For musl, zig compiles the whole C library for each processor, which takes longer than all the rest. For glibc it
# needs only a list of names. Therefore aarch64 uses glibc, and x86-64 links with this machine's musl, if installed.
# MUSL= in the environment selects zig's own musl. ARM=aarch64-linux-musl selects musl for aarch64.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup_file() {
	unset MAKEFLAGS MAKELEVEL MFLAGS STATIC
	[ "$(uname -m)" = x86_64 ] || skip "the other processor is aarch64 here"
	local python target static sources=$BATS_FILE_TMPDIR/sources
	venv zig -r "$PROJECT/tests/jobs/locks/zig.txt"
	python=$PYTHON
	zig=$("$python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')
	# The compiler's caches are below BUILD.
	export ARM=${ARM:-aarch64-linux-gnu.2.17}
	MUSL=${MUSL-/usr/lib/x86_64-linux-musl}
	export zig ZIG_GLOBAL_CACHE_DIR=$BUILD/zig/cache ZIG_LOCAL_CACHE_DIR=$BUILD/zig/cache
	mkdir -p "$sources" "$BUILD/zig"
	cp -a "$PROJECT"/{Makefile,core,os,sampler,preload,launcher,report,gpu,scripts} "$sources"
	(cd "$sources" && find . | sort) >"$BATS_FILE_TMPDIR/before"
	for target in "$ARM" x86_64-linux-musl; do
		static=-static
		[[ $target == *musl ]] || static=
		[ ! -e "$MUSL/libc.a" ] || [ $target != x86_64-linux-musl ] || static="-static -nostdlib $(echo "$MUSL"/{crt1.o,crti.o,libc.a,crtn.o})"
		make -s -j2 -C "$sources" BUILD="$BUILD/zig/$target" CC="$zig cc -target $target" CFLAGS='-O0 -g0 -fno-sanitize=undefined' \
			STATIC="$static" WERROR=-Werror "$BUILD/zig/$target/librtrack.so" "$BUILD/zig/$target/rtrack-run" >"$BATS_FILE_TMPDIR/$target.said" 2>&1 ||
			{ cat "$BATS_FILE_TMPDIR/$target.said"; return 1; }
	done
	(cd "$sources" && find . | sort) >"$BATS_FILE_TMPDIR/after"
}

setup() {
	cd "$BATS_TEST_TMPDIR"
	export RTRACK_SPOOL=$PWD/spool RTRACK_INTERVAL=0.1
}

@test "zig cc builds for both processors and leaves no file in the source tree" {
	diff "$BATS_FILE_TMPDIR/before" "$BATS_FILE_TMPDIR/after"
	readelf -h "$BUILD/zig/$ARM/librtrack.so" | grep -q 'Machine: *AArch64'
	for target in "$ARM" x86_64-linux-musl; do
		fails grep -q 'NEEDED\|INTERP' <(readelf -dlW "$BUILD/zig/$target/librtrack.so")
		nm -D --defined-only "$BUILD/zig/$target/librtrack.so" | awk '{ print $NF }' | sort >shown."$target"
	done
	fails grep -q 'NEEDED\|INTERP' <(readelf -dlW "$BUILD/zig/x86_64-linux-musl/rtrack-run")
	diff shown."$ARM" shown.x86_64-linux-musl
	diff shown.x86_64-linux-musl <(nm -D --defined-only "$BUILD/librtrack.so" | awk '{ print $NF }' | sort)
}

# job_of WORD…: the words start rtrack-run, which runs a job. Then the run is checked.
job_of() {
	local status=0
	"$@" --version | grep -qE '^built for .* with (another C library|glibc 2.17) by clang ' || { "$@" --version; return 1; }
	# The job waits until it and its child, sleep, have been sampled.
	"$@" --no-preload sh -c 'while [ "$(cat "$RTRACK_SPOOL"/*/start.csv | wc -l)" -lt 3 ]; do sleep 0.1; done; exit 3' || status=$?
	[ "$status" = 3 ]
	run=$(only_run)
	[ "$(jq -c '[.status, .exit_code]' "$run/run.json")" = '["failed",3]' ]
	[ "$(wc -l <"$run/process.csv")" -ge 3 ]
	"$BUILD/rtrack-report" show --format json | jq -e '.totals.processes >= 2 and .totals.wall_seconds >= 0.1'
	rm -rf "$RTRACK_SPOOL"
}

is_finished() {
	[ "$(jq -c '[.status, .tracker.mode]' "$1/run.json")" = '["finished","preload"]' ]
}

# looks_sampled: the root and its two children recorded their own exits, and the root's thread wrote the rows.
looks_sampled() {
	run=$(only_run)
	wait_for is_finished "$run"
	[ "$(grep -c '"self"' "$run/exit.csv")" = 3 ] || { cat "$run/exit.csv"; false; }
	[ "$(wc -l <"$run/process.csv")" -ge 3 ]
	"$BUILD/rtrack-report" show --format json | jq -e '.totals.cpu_seconds >= 0.29 and .totals.processes == 3'
}

@test "zig cc for x86-64 with musl: rtrack-run and the library work" {
	job_of "$BUILD/zig/x86_64-linux-musl/rtrack-run"
	LD_PRELOAD=$BUILD/zig/x86_64-linux-musl/librtrack.so "$(victim burn)" 1 2
	looks_sampled
	need musl-gcc
	rm -rf "$RTRACK_SPOOL"
	LD_PRELOAD=$BUILD/zig/x86_64-linux-musl/librtrack.so "$(victim burn musl-gcc)" 1 2
	looks_sampled
}

@test "zig cc for aarch64: rtrack-run and the library work" {
	need qemu-aarch64
	need libc6-arm64-cross
	job_of qemu-aarch64 -L /usr/aarch64-linux-gnu "$BUILD/zig/$ARM/rtrack-run"
	burn=$(victim burn "$zig cc -target aarch64-linux-gnu.2.17")
	qemu-aarch64 -L /usr/aarch64-linux-gnu "$BUILD/zig/$ARM/rtrack-run" --no-preload \
		qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_PRELOAD="$BUILD/zig/$ARM/librtrack.so" "$burn" 0.3 2
	[ "$(grep -c '"self"' "$(only_run)/exit.csv")" -ge 1 ]
	"$BUILD/rtrack-report" show --format json | jq -e '.totals.cpu_seconds >= 0.29'
}
