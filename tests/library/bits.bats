#!/usr/bin/env bats
# Tests of 32-bit programs among 64-bit programs, with a real 32-bit loader and C library. The test program needs no
# 32-bit headers.
# bats file_tags=quick

load ../lib/helper
load ../lib/jobs

setup() {
	cd "$BATS_TEST_TMPDIR"
	need libc6-i386
	cat >narrow.c <<-'END'
		int puts(const char *text);
		int system(const char *command);
		int creat(const char *path, unsigned mode);
		int dprintf(int file, const char *format, ...);
		long clock(void);
		_Noreturn void exit(int status);

		__attribute__((force_align_arg_pointer)) _Noreturn void _start(void)
		{
			puts(sizeof(void *) == 4 ? "32 bits" : "no");
			system("exec sh -c 'echo child; echo complaint >&2'");
			while (clock() < 300000)
				;
			dprintf(creat("used", 0600), "%ld\n", clock());
			exit(7);
		}
	END
	for library in /lib32/libc.so.6 /lib/i386-linux-gnu/libc.so.6; do
		[ ! -e $library ] ||
			${CC:-cc} -m32 -O1 -w -nostdlib -no-pie -fno-pie -o narrow narrow.c $library -Wl,-dynamic-linker,/lib/ld-linux.so.2
	done
	./narrow >first 2>/dev/null || [ $? = 7 ] || skip "the kernel runs no program of 32 bits"
	grep -q '32 bits' first
	LIBRARIES=$BUILD/rtrack/'$PLATFORM'/librtrack.so
}

@test "a 32-bit program runs as if untracked, and CPU time and children are recorded" {
	same_every_way sh -c './narrow; echo $?'
	bare_says '^7$'
	for way in preload launcher; do
		run=$(run_of $way)
		near "$(total "$run" cpu_seconds)" 0.3 0.03 0.1
		grep -q 'echo child' "$run/start.csv"
	done
}

@test "a job whose first program is 32-bit behaves the same when tracked" {
	same_every_way ./narrow
	bare_status_is 7
	near "$(total "$(run_of launcher)" cpu_seconds)" 0.3 0.03 0.1
}

@test "exec of a 32-bit program is recorded, although tracking ends there" {
	for program in ./narrow "$(type -P true)"; do
		rm -rf spool-preload
		one_way preload sh -c "perl -e 'exec q($program)'; :"
		# Before its exec, perl writes a record without an exit status.
		paste -d, <(column "$(run_of preload)/exit.csv" source) <(column "$(run_of preload)/exit.csv" exit_code) |
			grep -cx '"self",' >>told || true
	done
	[ "$(tr '\n' ' ' <told)" = "1 0 " ]
}

@test "if LD_PRELOAD names no platform, the loader of a 32-bit program prints an error" {
	LD_PRELOAD=$LIBRARY RTRACK_SPOOL=$PWD/spool ./narrow >/dev/null 2>errors || true
	grep -q 'wrong ELF class' errors
}

@test "musl's loader finds the library by the same path in LD_PRELOAD as glibc's" {
	need musl-gcc
	printf '#include <stdio.h>\nint main(void) { return puts("musl") < 0; }\n' >musl.c
	musl-gcc -o musl musl.c
	same_every_way ./musl
	for way in preload launcher; do
		grep -q '"self"' "$(run_of $way)/exit.csv"
	done
}

@test "a shell or make that expands the value of LD_PRELOAD still finds the library" {
	printf 'all:\n\t@LD_PRELOAD="$(LD_PRELOAD)" /bin/echo of make\n' >Makefile
	printf 'make -s\neval "LD_PRELOAD=\\"$LD_PRELOAD\\" /bin/echo of eval"\n' >again.sh
	make -s >/dev/null
	same_every_way sh again.sh
	bare_says '^of make$'
	bare_says '^of eval$'
	for way in preload launcher; do
		for word in make eval; do
			grep -q "/bin/echo of $word\"" "$(run_of $way)/start.csv"
		done
	done
}
