#!/usr/bin/env bats
# Tests that the sources build with C libraries and kernel headers as old as those of Alpine (musl), conda (glibc 2.17
# or 2.28) and Debian 11. These distributions build the programs themselves.

load ../lib/helper

setup() {
	cd "$PROJECT"
}

# called: prints the undefined functions in the object files of the programs, one per line, by their names in the
# sources. Names that the compiler and glibc's headers give to checked variants are mapped back. Objects of the parsers
# for macOS, which only unit tests use, are left out.
called() {
	find "$BUILD"/{obj,pic} -name '*.o' ! -path '*/tests/*' ! -path '*/darwin/*' -exec nm {} + 2>/dev/null >symbols
	awk 'NF == 3 && $2 ~ /[A-Zu]/ { print $3 }' symbols | sort -u >had
	awk 'NF == 2 && $1 == "U" { print $2 }' symbols | sort -u | comm -23 - had |
		sed -E 's/^__(.*)_chk$/\1/; s/^__isoc(99|23)_//; s/@.*//' | sort -u
}

# without_compilers_own: removes names that compilers call by themselves, and names of other libraries or of the linker.
without_compilers_own() {
	grep -vxE '_GLOBAL_OFFSET_TABLE_|__[a-z]+[sdt]i[0-9]|__(stack|fdelt|longjmp).*|__(asan|ubsan|tsan|sanitizer|gcov|tls|ehdr).*|cJSON_.*|curl_.*|(gz|z|deflate|inflate|crc|adler|compress).*|_DYNAMIC|environ|__environ|__libc_single_threaded|rtrack_.*'
}

@test "every function that the programs call is in glibc 2.17" {
	[ "$(uname -m)" = x86_64 ] || skip "versions of symbols differ by processor"
	cd "$BATS_TEST_TMPDIR"
	library=$(ldd "$BUILD/rtrack-report" | sed -n 's/.*libc\.so\.6 => \([^ ]*\).*/\1/p')
	called | without_compilers_own >called
	[ "$(wc -l <called)" -gt 100 ]
	# Prints the oldest version of each name. stat and its variants were macros before glibc 2.33.
	readelf -W --dyn-syms "$library" "$(dirname "$library")/libm.so.6" "$(dirname "$library")/libdl.so.2" | sed -nE 's/.* ([A-Za-z_0-9]+)@+GLIBC_([0-9.]+).*/\1 \2/p' |
		sort -k1,1 -k2,2V | awk '!seen[$1]++' | sort >versions
	join versions called | grep -vE '^(stat|fstat|lstat|fstatat|mknod) ' |
		awk '{ split($2, part, "."); if (part[1] > 2 || part[2] > 17) { print; newer = 1 } } END { exit newer }'
	[ "$(join versions called | wc -l)" -gt 100 ]
}

@test "every function that the programs call is in musl" {
	need musl-gcc
	musl=$(ls /lib/ld-musl-*.so.1)
	cd "$BATS_TEST_TMPDIR"
	called | without_compilers_own >called
	nm -D --defined-only "$(readlink -f "$musl")" | awk '{ print $NF }' | sort -u >musl
	missing=$(comm -23 called musl)
	[ -z "$missing" ] || { echo "$missing"; false; }
}

@test "all programs can be built with the kernel headers of Linux 4.18" {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p old/asm old/sys
	for header in asm/unistd sys/syscall; do
		{
			printf '#include_next <%s.h>\n' $header
			for call in pidfd_send_signal pidfd_open clone3 close_range openat2 pidfd_getfd faccessat2 process_madvise \
				epoll_pwait2 mount_setattr quotactl_fd process_mrelease futex_waitv set_mempolicy_home_node; do
				printf '#undef SYS_%s\n' $call
				[ $header = sys/syscall ] || printf '#undef __NR_%s\n' $call
			done
		} >old/$header.h
	done
	# Only a directory that is searched before the system's directories can replace its headers.
	for file in "$PROJECT"/{os,preload,launcher,gpu}/linux/*.c "$PROJECT"/os/linux/*/*.c; do
		"${CC:-cc}" -std=gnu11 -w -fsyntax-only -Iold -I"$PROJECT" "$file" || { echo "$file"; false; }
	done
}

@test "rtrack-run, rtrack-report and rtrack-gpu can be compiled with musl's headers" {
	need musl-gcc
	cd "$PROJECT"
	# The headers of the kernel and of other libraries are searched after musl's own.
	for file in report/*.c report/*/*.c launcher/{*,beside/*,posix/*,linux/*}.c gpu/{*,linux/*}.c; do
		echo "$file"
	done | xargs -P 2 -n 1 musl-gcc -std=gnu11 -w -I. -D_GNU_SOURCE= -fsyntax-only -idirafter /usr/include \
		-idirafter "/usr/include/$("${CC:-cc}" -dumpmachine)"
}
