#!/usr/bin/env bats
# Tests of programs for other machines in qemu, whose loaders read the same LD_PRELOAD. The program is that machine's C
# library, which prints its version when executed.
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup() {
	cd "$BATS_TEST_TMPDIR"
	LIBRARIES=$BUILD/rtrack/'$PLATFORM'/librtrack.so
}

# guest QEMU TRIPLET: writes a script that executes the C library of that machine.
guest() {
	local library=/usr/$2/lib/libc.so.6
	printf '%s -L /usr/%s %s | head -n 1\necho "$?"\n' "$1" "$2" "$library" >guest.sh
}

# looks_the_same: each run contains qemu, and no loader prints a message.
looks_the_same() {
	same_every_way sh guest.sh
	bare_says '^GNU C Library'
	for way in preload launcher; do
		grep -q "libc.so.6" "$(run_of $way)/start.csv"
	done
}

@test "an aarch64 program in qemu behaves the same when tracked, and is recorded" {
	need qemu-aarch64 libc6-arm64-cross
	guest qemu-aarch64 aarch64-linux-gnu
	looks_the_same
}

@test "a 32-bit ARM program in qemu behaves the same when tracked, and is recorded" {
	need qemu-arm libc6-armhf-cross
	guest qemu-arm arm-linux-gnueabihf
	looks_the_same
}

@test "a job whose first program runs in qemu behaves the same when tracked" {
	need qemu-aarch64 libc6-arm64-cross
	guest qemu-aarch64 aarch64-linux-gnu
	same_every_way qemu-aarch64 -L /usr/aarch64-linux-gnu /usr/aarch64-linux-gnu/lib/libc.so.6
	bare_says '^GNU C Library'
}

@test "if LD_PRELOAD names no platform, a loader in qemu prints an error" {
	need qemu-aarch64 libc6-arm64-cross
	guest qemu-aarch64 aarch64-linux-gnu
	LD_PRELOAD=$LIBRARY RTRACK_SPOOL=$PWD/spool sh guest.sh 2>errors
	grep -q 'cannot be preloaded' errors
}

@test "a native program in qemu is counted once, though it loads the library twice" {
	[ "$(uname -m)" = x86_64 ] || skip "this machine is no x86_64"
	need qemu-x86_64
	for way in preload launcher; do
		accounted $way sh -c 'qemu-x86_64 "$0" 0.05; :' "$(victim burn)"
		[ "$(starts_with_text "$run" burn)" -gt 1 ]
		[ "$(column "$run/start.csv" pid | sort -u | wc -l)" = 2 ]
		[ "$(column "$run/start.csv" start_ticks | sort -u | wc -l)" -le 2 ]
		cpu_is_the_kernels $way
	done
}

@test "each program under proot is counted once" {
	need proot
	proot -r / true 2>/dev/null || skip "proot may not work here"
	for way in preload launcher; do
		accounted $way proot -r / sh -c '"$0" 0.1; "$0" 0.1; exit 3' "$(victim burn)"
		[ "$(cat "$BATS_TEST_TMPDIR/$way.status")" = 3 ]
		[ "$(column "$run/start.csv" pid | sort -u | wc -l)" = "$(cut -d, -f2,3 "$run/start.csv" | tail -n +2 | sort -u | wc -l)" ]
		claims_hold $way
	done
}

@test "scripts/platforms provides the library for each platform name of a loader" {
	scripts=$PROJECT/scripts/platforms
	"$scripts" x86_64-linux-gnu intel/rtrack
	"$scripts" aarch64-unknown-linux-gnu arm/rtrack
	"$scripts" riscv64-linux-gnu other/rtrack
	[ ! -e other ]
	echo library | tee intel/librtrack.so >arm/librtrack.so
	for word in x86_64 haswell xeon_phi '$PLATFORM' LATFORM .; do
		cmp intel/librtrack.so "intel/rtrack/$word/librtrack.so"
	done
	for word in aarch64 '$PLATFORM' LATFORM .; do
		cmp arm/librtrack.so "arm/rtrack/$word/librtrack.so"
	done
	header() {
		readelf -h "$1/librtrack.so" | sed -n 's/^ *\(Class\|Machine\): *//p' | tr '\n' ' '
	}
	for word in i386 i486 i586 i686; do
		[ "$(header intel/rtrack/$word)" = 'ELF32 Intel 80386 ' ]
	done
	for word in v5l v6l v7l v8l; do
		[ "$(header intel/rtrack/$word)" = 'ELF32 ARM ' ]
		[ "$(header arm/rtrack/$word)" = 'ELF32 ARM ' ]
	done
	[ "$(header intel/rtrack/aarch64)" = 'ELF64 AArch64 ' ]
	[ "$(header arm/rtrack/haswell)" = 'ELF64 Advanced Micro Devices X86-64 ' ]
	for library in intel/rtrack/*.so arm/rtrack/*.so; do
		[ -L "$library" ] || [ -z "$(readelf -aW "$library" 2>&1 | grep -i 'warning\|error')" ]
		[ -L "$library" ] || readelf -lW "$library" | grep -q 'GNU_STACK .* RW  '
	done
}
