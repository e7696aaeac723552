#!/usr/bin/env bats
# Tests of rtrack-report doctor, on machines that lack something
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# result CHECK COMMAND...: prints the result of one check and the exit status of doctor.
result() {
	local check=$1 status=0
	shift
	"$@" "$BUILD/rtrack-report" doctor --format json >"$BATS_TEST_TMPDIR/said" || status=$?
	jq -r --arg check "$check" --arg status $status \
		'.checks[] | select(.check == $check) | .result + " " + $status + " " + .finding' "$BATS_TEST_TMPDIR/said"
	# A check has a remedy only if its result is not ok.
	jq -e 'all(.checks[]; (.result == "ok") == (.remedy == null))' "$BATS_TEST_TMPDIR/said" >/dev/null
	jq -e --argjson status $status '.works == ($status == 0)' "$BATS_TEST_TMPDIR/said" >/dev/null
}

# needs_namespaces is called outside of `spaced`, because a skip within $(...) has no effect.
needs_namespaces() {
	unshare -r -m true 2>/dev/null || skip "namespaces are not allowed here"
}

# spaced COMMAND...: runs the command as root of its own namespaces.
spaced() {
	# shellcheck disable=SC2016 # for the shell within
	unshare -r -m sh -c "$1"' && exec "$@"' - "${@:2}"
}

@test "doctor: on a complete machine, all checks are ok and a program is tracked" {
	[ "$(result preload env)" = 'ok 0 a program with the library alone was tracked' ]
	[ "$(result launcher env)" = "ok 0 $BUILD/rtrack-run" ]
	[ "$(result library env)" = "ok 0 $BUILD/librtrack.so" ]
	[ ! -e "$RTRACK_SPOOL" ]
}

@test "doctor: text and JSON agree, the text fits in 80 columns, and no file is left" {
	mkdir tmp
	report doctor
	TMPDIR=$PWD/tmp report doctor
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ -z "$(ls tmp)" ]
	grep -qx 'ok    LD_PRELOAD    a program with the library alone was tracked' <<<"$output"
	[ "$(grep -cE '^(ok|less|bad|open) ' <<<"$output")" = "$(grep -c '^HEALTH(' "$PROJECT/os/health.def")" ]
	fails grep -nE '.{81}' <<<"$output"
}

@test "doctor: cannot test tracking inside a run, except with RTRACK=off" {
	[ "$(result preload "$BUILD/rtrack-run")" = 'open 0 not tried: rtrack-report itself is part of a run' ]
	[ "$(result preload env RTRACK=off)" = 'ok 0 a program with the library alone was tracked' ]
	[ "$(result preload env RTRACK_MIN_SECONDS=60)" = 'ok 0 a program with the library alone was tracked' ]
}

@test "doctor: reports a missing rtrack-run and library, and exits with status 1" {
	mkdir alone bin
	cp "$BUILD"/rtrack-report* alone
	BUILD=$PWD/alone
	PATH=$(echo "$PATH" | tr : '\n' | while read -r each; do [ -e "$each/rtrack-run" ] || printf '%s:' "$each"; done)
	[[ $(result launcher env) == 'bad 1 '* ]]
	[[ $(result library env) == 'open 1 '* ]]
	[[ $(result preload env) == 'open 1 '* ]]
	report doctor
	[ "$status" -eq 1 ]
	grep -q 'put rtrack-run beside rtrack-report' <<<"$output"
}

@test "doctor: reports a library that cannot be loaded" {
	mkdir damaged
	cp "$BUILD"/rtrack-report* "$BUILD"/rtrack-run* damaged
	echo 'no library' >damaged/librtrack.so
	BUILD=$PWD/damaged
	[ "$(result preload env)" = 'bad 1 a program ran with the library and left no run' ]
	rm damaged/librtrack.so
	[[ $(result library env) == *' 1 rtrack-run does not find it' ]] || [[ $(result library env) == 'ok '*/usr/local/lib/* ]]
}

@test "doctor: reports a library on a noexec mount" {
	mkdir mounted
	export BUILD
	needs_namespaces
	spaced 'mount -t tmpfs -o noexec none mounted && cp "$BUILD/librtrack.so" mounted && mkdir beside && cp "$BUILD"/rtrack-* beside &&
		ln -s ../mounted/librtrack.so beside' beside/rtrack-report doctor >said || [ $? -eq 1 ]
	grep -qx 'bad   LD_PRELOAD    a program ran with the library and left no run' said
}

@test "doctor: reports a spool that others can write to, or that cannot be made" {
	mkdir -m 777 open
	[[ $(RTRACK_SPOOL=$PWD/open result spool env) == "bad 1 $PWD/open: refused, because others own it"* ]]
	: >file
	[[ $(RTRACK_SPOOL=$PWD/file result spool env) == "bad 1 "* ]]
	[[ $(RTRACK_SPOOL=$PWD/file/spool result spool env) == "bad 1 "* ]]
	mkdir -m 700 own
	[ "$(RTRACK_SPOOL=$PWD/own result spool env)" = "ok 0 $PWD/own" ]
	[ -z "$(ls own)" ]
}

@test "doctor: reports a full or nearly full disk of the spool" {
	needs_namespaces
	mkdir full
	fill='mount -t tmpfs -o size=2M,mode=700 none full'
	[ "$(RTRACK_SPOOL=$PWD/full result spool spaced "$fill")" = "ok 0 $PWD/full" ]
	[ "$(RTRACK_SPOOL=$PWD/full/spool result spool spaced "$fill")" = "ok 0 $PWD/full/spool: it will be made by the first run" ]
	fill+=' && head -c 1904640 /dev/zero >full/some'
	[ "$(RTRACK_SPOOL=$PWD/full result spool spaced "$fill")" = "less 0 $PWD/full: its disk has only 188 KiB free" ]
	fill+=' && head -c 192512 /dev/zero >full/rest'
	full='no row can be written there: No space left on device; 0 B free'
	[ "$(RTRACK_SPOOL=$PWD/full result spool spaced "$fill")" = "bad 1 $PWD/full: $full" ]
	[ "$(RTRACK_SPOOL=$PWD/full/spool result spool spaced "$fill")" = "bad 1 $PWD/full/spool: $full" ]
	# On a disk without free inodes, the test file cannot be created.
	fill='mount -t tmpfs -o size=2M,mode=700,nr_inodes=1 none full'
	[[ $(RTRACK_SPOOL=$PWD/full result spool spaced "$fill") == "bad 1 $PWD/full: "*'No space left on device; 2 MiB free' ]]
}

@test "doctor: names the source of each setting, and reports a file of settings that is ignored in part or as a whole" {
	needs_namespaces
	mkdir etc
	cp /etc/passwd etc
	cp -r /etc/ld.so.* /etc/ld-musl-* etc 2>/dev/null || true
	printf '%s\n' '# of the site' ' RTRACK_LINES = off' '' 'RTRACK_MASK=a b' 'RTRACK_INTERVAL=5' >etc/rtrack.conf
	export RTRACK_INTERVAL=2
	from=', RTRACK_INTERVAL=2 from the environment, '
	[[ $(result settings spaced 'mount --bind etc /etc') == "ok 0 RTRACK_SPOOL=$RTRACK_SPOOL from the environment$from"*'RTRACK_MASK=a b from /etc/rtrack.conf, RTRACK_LINES=off from /etc/rtrack.conf' ]]
	echo RTRACK_INTERVALL=5 >>etc/rtrack.conf
	[[ $(result settings spaced 'mount --bind etc /etc') == "less 0 /etc/rtrack.conf: line 6 is ignored; "*RTRACK_LINES* ]]
	chmod g+w etc/rtrack.conf
	[[ $(result settings spaced 'mount --bind etc /etc') == "less 0 /etc/rtrack.conf is ignored, because "* ]]
	[[ $(result settings spaced 'mount --bind etc /etc') != *RTRACK_LINES* ]]
}

@test "a spool that only /etc/rtrack.conf names has the runs of both ways to track, and show finds them" {
	needs_namespaces
	mkdir etc spools
	cp -r /etc/passwd /etc/ld.so.* /etc/ld-musl-* etc 2>/dev/null || true
	printf '%s\n' "RTRACK_SPOOL=$PWD/spools/%u" 'RTRACK_MASK=hidden*' 'RTRACK_MIN_SECONDS=9000' >etc/rtrack.conf
	unset RTRACK_SPOOL
	export BUILD RTRACK_MIN_SECONDS=0 PRELOADED=$BUILD/librtrack.so
	spaced 'mount --bind etc /etc && "$BUILD/rtrack-run" --job launched true hidden_word &&
		LD_PRELOAD=$PRELOADED RTRACK_JOB=alone env true hidden_word' "$BUILD/rtrack-report" show launched >shown
	grep -q launched shown
	[ "$(cat spools/root/*/run.json | jq -rs 'map(.job) | sort | join(" ")')" = 'alone launched' ]
	fails grep -r hidden_word spools
	# A file that others may write to is not used.
	chmod o+w etc/rtrack.conf
	run --separate-stderr spaced 'mount --bind etc /etc' "$BUILD/rtrack-report" show launched
	[ "$status" -eq 1 ]
}

@test "doctor: reports a missing /proc and a /proc of another PID namespace" {
	not_in_qemu "it finds no program without /proc"
	needs_namespaces
	[[ $(result proc spaced 'mount -t tmpfs none /proc') == 'bad 1 /proc is not mounted' ]]
	unshare -r -p -f true 2>/dev/null || skip "no PID namespace here"
	[ "$(result proc unshare -r -p -f)" = "bad 1 /proc is of another PID namespace" ]
	[ "$(result proc unshare -r -p -f --mount-proc)" = 'ok 0 mounted, of this PID namespace' ]
}

# bats test_tags=root
@test "doctor: reports a /proc with hidepid" {
	as_root "mount such a /proc"
	unshare -m mount -t proc -o hidepid=2 proc /proc || skip "no such /proc here"
	# shellcheck disable=SC2016 # for the shell within
	unshare -m sh -c 'mount -t proc -o hidepid=2 proc /proc && cd / && exec setpriv --reuid 65534 --regid 65534 --clear-groups "$@"' - \
		"$BUILD/rtrack-report" doctor --format json >said || [ $? -eq 1 ]
	[ "$(jq -r '.checks[] | select(.check == "others") | .result + " " + .finding' said)" = 'less /proc is mounted with hidepid' ]
}

@test "doctor: reports low limits and a missing /dev/shm, but exits with status 0" {
	[ "$(result descriptors sh -c 'ulimit -n 64; exec "$@"' -)" = 'less 0 the limit is 64' ]
	[ "$(result processes prlimit --nproc=2000)" = 'less 0 the limit is 2000' ]
	[[ $(result network) == *' 0 libcurl '* ]]
	needs_namespaces
	[ "$(result shared spaced 'mount -t tmpfs none /dev')" = 'less 0 /dev/shm is missing' ] || [ "$(jq .works said)" = false ]
}
