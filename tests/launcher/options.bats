#!/usr/bin/env bats
# Tests of the command line of rtrack-run: its options, and its error messages
# bats file_tags=quick

load ../lib/helper

RUN=$BUILD/rtrack-run

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# refuses MESSAGE ARGUMENT...: fails unless rtrack-run prints only that message, on stderr, and exits with status 125.
refuses() {
	local message=$1 status=0
	shift
	"$RUN" "$@" >out 2>err || status=$?
	echo "$*: $status: $(cat err)"
	[ "$status" = 125 ]
	[ ! -s out ]
	[ "$(cat err)" = "rtrack-run: $message" ]
	[ ! -e "$RTRACK_SPOOL" ]
}

@test "rtrack-run: an unknown flag is refused" {
	refuses "unknown option '--bogus'; rtrack-run --help-all lists all" --bogus true
	refuses "unknown option '--bogus=1'; rtrack-run --help-all lists all" --bogus=1 true
	refuses "unknown option '-x'; rtrack-run --help-all lists all" -x true
	refuses "unknown option '--interva'; rtrack-run --help-all lists all" --interva 1 true
	refuses "unknown option '--='; rtrack-run --help-all lists all" --= true
}

@test "rtrack-run: a bad interval is refused, and the message names the allowed range" {
	for bad in 0 -1 0.0009 3600.1 nan inf 1,5 one '1 ' '' 0x1 1e99; do
		refuses "--interval '$bad': expected a number from 0.001 to 3600" --interval "$bad" true
		refuses "--interval '$bad': expected a number from 0.001 to 3600" "--interval=$bad" true
	done
}

@test "rtrack-run: bad values of flags are refused, and the message names valid values" {
	refuses "--memory 'guess': expected pss or rss" --memory guess true
	refuses "--gpu 'maybe': expected on or off" --gpu=maybe true
	refuses "--tag 'key': expected KEY=VALUE" --tag key true
	refuses "--tag '=value': expected KEY=VALUE" --tag==value true
	refuses "--spool '': expected a path" --spool= true
	refuses "--job '': expected a name" --job '' true
	refuses "--group '': expected a name" --group= true
	refuses "--min-seconds '-1': expected a number from 0 to 1000000000" --min-seconds -1 true
	for bad in '' 0 -1 4 1e9G 100X 1.5.2M G 1kiBB 999K nan 2000T; do
		refuses "--max-memory '$bad': expected a size with its unit from 1M to 1000T, such as 512M or 1.5GiB" --max-memory "$bad" true
	done
	for bad in '' 0 -1 1m nan 2e9; do
		refuses "--max-seconds '$bad': expected a number from 0.001 to 1000000000" --max-seconds "$bad" true
	done
	for bad in '' 0 -1 1.5 101 nan; do
		refuses "--retry-on-oom '$bad': expected a whole number from 1 to 100" --max-memory 1G --retry-on-oom "$bad" true
	done
	refuses "--retry-on-oom needs --max-memory" --retry-on-oom 2 true
	refuses "--report '-': expected the name of a file" --report - true
	refuses "--report '': expected the name of a file" --report= true
}

@test "rtrack-run: a missing value or an extra value is refused" {
	refuses "--interval needs a value: SECONDS" --interval
	refuses "--report needs a value: FILE.html" --summary --report
	refuses "--summary takes no value" --summary=yes true
	refuses "--no-preload takes no value" --no-preload= true
}

@test "rtrack-run: a missing command is refused" {
	refuses "no command given; rtrack-run --help says how"
	refuses "no command given; rtrack-run --help says how" --
	refuses "no command given; rtrack-run --help says how" --interval 1 --
}

@test "rtrack-run: a bad value in a variable is refused, unless a flag replaces it" {
	RTRACK_INTERVAL=0 refuses "RTRACK_INTERVAL '0': expected a number from 0.001 to 3600" true
	RTRACK_MEMORY=guess refuses "RTRACK_MEMORY 'guess': expected pss or rss" true
	RTRACK=maybe refuses "RTRACK 'maybe': expected on or off" true
	RTRACK_INTERVAL=0 "$RUN" --interval 1 true
	RTRACK_INTERVAL='' "$RUN" true
	RTRACK_INTERVAL=0 RTRACK=off "$RUN" true
}

@test "rtrack-run: a message is one line, even if a flag's value has line breaks" {
	refuses "--interval '1?2': expected a number from 0.001 to 3600" --interval $'1\n2' true
	"$RUN" --interval "$(printf 'x%.0s' $(seq 1 9000))" true 2>err || status=$?
	[ "$status" = 125 ]
	[ "$(wc -l <err)" = 1 ]
}

@test "rtrack-run: options end at -- or at the first argument without a dash" {
	run "$RUN" echo --interval 0 --bogus
	[ "$status" = 0 ]
	[ "$output" = "--interval 0 --bogus" ]
	run "$RUN" -- echo -- -x
	[ "$output" = "-- -x" ]
	"$RUN" -- --help 2>/dev/null || status=$?
	[ "$status" = 127 ]
	printf '#!/bin/sh\necho dash "$@"\n' >-
	chmod +x -
	PATH=$PWD:$PATH run "$RUN" - --help
	[ "$output" = "dash --help" ]
}

@test "rtrack-run: arguments reach the command unchanged" {
	"$RUN" printf '<%s>' '' ' ' $'a\nb' '*' '$HOME' "'" '"' '\' >tracked
	printf '<%s>' '' ' ' $'a\nb' '*' '$HOME' "'" '"' '\' >bare
	cmp tracked bare
}

@test "rtrack-run: --help goes to stdout and fits on a screen" {
	"$RUN" --help >help 2>err
	[ ! -s err ]
	[ "$(awk 'length($0) > 80' help | wc -l)" = 0 ]
	[ "$(wc -l <help)" -le 24 ]
	grep -q '^  --help-all' help
}

@test "rtrack-run: --help-all goes to stdout, fits in 80 columns, and has all settings" {
	"$RUN" --help-all >help 2>err
	[ ! -s err ]
	[ "$(awk 'length($0) > 80' help | wc -l)" = 0 ]
	for name in $(sed -n 's/^SETTING([A-Z_]*, "[a-z-]*", "\([A-Z_]*\)".*/\1/p' "$PROJECT/core/settings.def"); do
		grep -qw "$name" help
	done
	for flag in $(sed -n 's/^SETTING([A-Z_]*, "\([a-z-]\{1,\}\)".*/\1/p' "$PROJECT/core/settings.def") \
		summary report ship ship-wait no-preload max-memory max-seconds retry-on-oom help help-all version; do
		grep -qe "^  --$flag" help
	done
	# The help on the memory limit mentions the kernel, which kills without SIGTERM.
	tr -s ' \n' ' ' <help | grep -q 'the kernel kills at once what exceeds SIZE by 25 %'
	[ ! -e "$RTRACK_SPOOL" ]
}

@test "rtrack-run: --version names the version, the build and the library" {
	run "$RUN" --version
	[ "$status" = 0 ]
	[ "${lines[0]}" = "rtrack-run $(sed -n 's/^#define RTRACK_VERSION "\(.*\)"/\1/p' "$PROJECT/core/spool.h")" ]
	grep -qE '^built for (x86-64|aarch64) with .+ by (gcc|clang) [0-9]' <<<"${lines[1]}"
	[ "${lines[2]}" = "library: $BUILD/librtrack.so" ]
	mkdir -p "$BATS_TEST_TMPDIR/alone"
	cp "$RUN"* "$BATS_TEST_TMPDIR/alone"
	"$BATS_TEST_TMPDIR/alone/rtrack-run" --version | grep -qE '^library: (none|/usr/local/lib/.*)$'
}

@test "rtrack-run: if the help cannot be written, prints an error and exits with 125" {
	[ -w /dev/full ] || skip "no /dev/full here"
	run sh -c '"$1" --help 2>&1 >/dev/full' sh "$RUN"
	[ "$status" = 125 ]
	[ "$output" = "rtrack-run: the help cannot be written: No space left on device" ]
}

@test "rtrack-run: each flag has the same effect as its variable" {
	"$RUN" --job 'my job' --interval=0.25 --tag team=blue --tag stage=test true
	file=$(only_run)/run.json
	grep -q '"job": "my job"' "$file"
	grep -q '"interval": 0.25' "$file"
	grep -q '"team": "blue"' "$file"
	grep -q '"stage": "test"' "$file"
}

@test "rtrack-run: --tag adds to RTRACK_TAGS" {
	RTRACK_TAGS=a=1,b=2 "$RUN" --tag c=3 true
	file=$(only_run)/run.json
	grep -q '"a": "1"' "$file"
	grep -q '"b": "2"' "$file"
	grep -q '"c": "3"' "$file"
}

@test "rtrack-run: commas separate values in RTRACK_TAGS, but not in --tag or --input" {
	not_in_qemu "a look that ends after half a millisecond finds nothing"
	head -c 1000 /dev/zero >a,b.txt
	head -c 30 /dev/zero >a
	head -c 4 /dev/zero >c
	local known=null tries=200
	while [ "$known" = null ] && [ "$tries" -gt 0 ]; do
		rm -rf "$RTRACK_SPOOL"
		RTRACK_INPUTS=c,d RTRACK_TAGS=x=1,y=2 "$RUN" --tag 'note=one, two' --input a,b.txt true
		known=$(jq .input_bytes "$(only_run)/run.json")
		tries=$((tries - 1))
	done
	[ "$known" = 1004 ] || { [ "${SANITIZER:-}" = thread ] && [ "$known" = null ]; }
	[ "$(jq -c '.labels | {x, y, note}' "$(only_run)/run.json")" = '{"x":"1","y":"2","note":"one, two"}' ]
}

@test "rtrack-run: --input adds to RTRACK_INPUTS and to files on the command line" {
	not_in_qemu "a look that ends after half a millisecond finds nothing"
	head -c 1000 /dev/zero >one
	head -c 200 /dev/zero >two
	head -c 30 /dev/zero >three
	mkdir four
	head -c 4 /dev/zero >four/4
	# The search for input files stops after half a millisecond, so a slow machine may need several attempts.
	local known=null tries=200
	while [ "$known" = null ] && [ "$tries" -gt 0 ]; do
		rm -rf "$RTRACK_SPOOL"
		RTRACK_INPUTS=two,three "$RUN" --input four --input 'o*e' cat one >/dev/null
		known=$(jq .input_bytes "$(only_run)/run.json")
		tries=$((tries - 1))
	done
	[ "$known" = 1234 ] || { [ "${SANITIZER:-}" = thread ] && [ "$known" = null ]; }
}

@test "rtrack-run: without input files, the input size is unknown" {
	"$RUN" true
	[ "$(jq .input_bytes "$(only_run)/run.json")" = null ]
	"$RUN" --help-all | grep -q -- '--input FILE|DIR|GLOB'
}

@test "rtrack-run: --spool takes priority over RTRACK_SPOOL, and may be relative" {
	"$RUN" --spool here/and/below true
	[ "$(ls -d here/and/below/*/run.json | wc -l)" = 1 ]
	[ ! -e "$RTRACK_SPOOL" ]
	"$RUN" --spool here sh -c 'case $RTRACK_RUN in /*) exit 5; esac' || status=$?
	[ "$status" = 5 ]
}

@test "rtrack-run: only flags that the library needs are passed on as variables" {
	"$RUN" --exclude none --mask 'AK*' --debug diary --spool-max-mib 7 --memory rss --gpu off --job j --interval 2 --tag a=b \
		--min-seconds 0 env | grep '^RTRACK_' | grep -v '^RTRACK_KEEPER_URL=' | sort >variables
	printf '%s\n' "RTRACK_DEBUG=$PWD/diary" RTRACK_EXCLUDE=none RTRACK_GPU=off 'RTRACK_MASK=AK*' RTRACK_MEMORY=rss \
		"RTRACK_RUN=$(only_run)" "RTRACK_SPOOL=$RTRACK_SPOOL" RTRACK_SPOOL_MAX_MIB=7 | diff variables -
}

@test "both programs: in --help, the text of each option is a single clause" {
	for program in rtrack-run rtrack-report; do
		# In the help, options begin in column 3, and their texts in column 28.
		"$BUILD/$program" --help | sed -n '/^  *\(-., \)\{0,1\}--/,/^$/p' | awk '
			/^ +-/ { if (text != "") print text; text = substr($0, 28); next }
			$0 != "" { text = text (text == "" ? "" : " ") substr($0, 28) }
			END { print text }' >clauses
		[ "$(wc -l <clauses)" -ge 9 ]
		fails grep -nE '[,;:(]|\. |\b(a|an|the|of|in|to|and|or|for|with|by|than|when|that|variable)$' clauses
	done
}
