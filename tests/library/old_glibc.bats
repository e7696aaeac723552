#!/usr/bin/env bats
# Tests of older C libraries. PyPI's ziglang links programs for glibc 2.17 (2012), which run here and in a Debian 11
# root directory. Its glibc 2.31 still has threads in a separate library.

load ../lib/helper
load ../lib/jobs

setup_file() {
	local release=bullseye
	OLD=$BUILD/roots/$release
	export OLD
	[ ! -e "$OLD/made" ] || return 0
	mkdir -p "$OLD/apt/lists/partial" "$OLD/root"/{proc,dev,tmp,spool,opt}
	mirror=$(LC_ALL=C apt-cache policy libc6 2>/dev/null | sed -n 's,^ *[0-9-]* \(https*://[^ ]*\) [a-z]*/main .*,\1,p' | head -n 1)
	[ -n "$mirror" ] || return 0
	printf 'deb %s %s main\n' "$mirror" "$release" >"$OLD/apt/sources.list"
	old_apt() {
		(cd "$OLD/apt" && timeout 120 apt-get -q -o Dir::Etc::sourcelist="$OLD/apt/sources.list" -o Dir::Etc::sourceparts=- \
			-o Dir::State::lists="$OLD/apt/lists" -o Dir::State::status=/dev/null -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= \
			-o APT::Sandbox::User= "$@") >>"$OLD/log" 2>&1
	}
	old_apt update && old_apt download libc6 dash || return 0
	for package in "$OLD"/apt/*.deb; do
		dpkg-deb -x "$package" "$OLD/root" || return 0
	done
	touch "$OLD/root/opt/"{librtrack.so,rtrack-run,old} "$OLD/made"
}

setup() {
	[ "$(uname -m)" = x86_64 ] || skip "for another processor than this one"
	venv zig -r "$PROJECT/tests/jobs/locks/zig.txt"
	python=$PYTHON
	# The compiler's caches are below BUILD.
	export ZIG_GLOBAL_CACHE_DIR=$BUILD/zig/cache ZIG_LOCAL_CACHE_DIR=$BUILD/zig/cache
	old=$(victim portable "$python -m ziglang cc -target x86_64-linux-gnu.2.17")
	cd "$BATS_TEST_TMPDIR"
	export RTRACK_SPOOL=$PWD/spool RTRACK_INTERVAL=0.2
	mkdir spool
}

# used LOW HIGH: fails unless the only run has an exact CPU time between LOW and HIGH seconds. The program counts the
# CPU time of our thread as its own.
used() {
	jq -e ".totals | .cpu_seconds >= $1 and .cpu_seconds <= $2 and .exact_cpu" <("$BUILD/rtrack-report" stats --format json) ||
		{ "$BUILD/rtrack-report" stats --format json | jq .totals; return 1; }
}

# in_old COMMAND…: runs the command in the root directory with the old C library, with rtrack in /opt.
in_old() {
	bwrap --ro-bind "$OLD/root" / --proc /proc --dev /dev --tmpfs /tmp --bind "$RTRACK_SPOOL" /spool \
		--ro-bind "$BUILD/librtrack.so" /opt/librtrack.so --ro-bind "$BUILD/rtrack-run" /opt/rtrack-run \
		--ro-bind "$old" /opt/old --setenv RTRACK_SPOOL /spool "$@"
}

@test "a program linked for glibc 2.17 is tracked" {
	[ "$(objdump -T "$old" | grep -o 'GLIBC_2[.0-9]*' | sort -Vu | tail -n 1 | sed 's/GLIBC_//' | sort -V - <(echo 2.17) | tail -n 1)" = 2.17 ]
	status=0
	LD_PRELOAD=$LIBRARY "$old" 0.4 16 7 || status=$?
	[ "$status" -eq 7 ]
	[ "$(jq .exit_code "$(only_run)/run.json")" = 7 ]
	used 0.33 0.7
}

@test "programs with glibc 2.31 are tracked by rtrack-run and by LD_PRELOAD" {
	need bwrap
	[ -e "$OLD/made" ] || skip "apt cannot fetch an older C library: $(tail -n 1 "$OLD/log" 2>/dev/null)"
	in_old /bin/dash -c 'exit 0' || skip "no container can be made here"
	for way in library launcher; do
		rm -rf spool/*
		status=0
		case $way in
		library) in_old --setenv LD_PRELOAD /opt/librtrack.so /bin/dash -c '/opt/old 0.4 16 0; exit 4' 2>err || status=$? ;;
		launcher) in_old /opt/rtrack-run /bin/dash -c '/opt/old 0.4 16 0; exit 4' 2>err || status=$? ;;
		esac
		[ "$status" -eq 4 ]
		[ ! -s err ]
		run=$(only_run)
		[ "$(jq .exit_code "$run/run.json")" = 4 ]
		[ "$(grep -c '"self"' "$run/exit.csv")" -ge 3 ] || { cat "$run/exit.csv"; false; }
		used 0.33 0.7
	done
}
