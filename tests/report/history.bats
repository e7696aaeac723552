#!/usr/bin/env bats
# Tests of rtrack-report recommend --history, which computes the request from lines that another tool wrote

bats_require_minimum_version 1.5.0
load ../lib/helper

# request PEAKS INPUTS NEXT ARG...: prints the request for these peaks and input sizes (lists of words) and the size of
# the next input.
request() {
	local peaks=($1) inputs=($2) next=$3 i
	shift 3
	{
		for i in "${!peaks[@]}"; do
			printf '%s\t%s\t%s\n' "${peaks[i]}" "$((10 + i))" "${inputs[i]:--}"
		done
		printf '?\t-\t%s\n' "$next"
	} | "$BUILD/rtrack-report" recommend --history - "$@" | head -n 1
}

# times N WORD: prints the word N times.
times() {
	local i
	for ((i = 0; i < $1; i++)); do
		printf '%s ' "$2"
	done
}

# refused MESSAGE TEXT: the command must refuse TEXT as its history, with MESSAGE.
refused() {
	local status=0 said
	said=$(printf -- "$2" | "$BUILD/rtrack-report" recommend --history - 2>&1) || status=$?
	[ "$status" = 1 ] || { echo "status $status"; return 1; }
	[ "$said" = "rtrack-report: $1" ] || { echo "$said"; return 1; }
}

@test "recommend --history: requests the largest peak plus 2 % and a reserve" {
	[ "$(request 1000 '' -)" = 2032 ]
	[ "$(request 1000 '' - --failures 1/250)" = 1536 ]
	[ "$(request 1000 '' - --failures 1/1000)" = 3040 ]
	[ "$(request '1000 1000' '' -)" = 1536 ]
	[ "$(request "$(times 10 1000)" '' -)" = 1136 ]
	[ "$(request "$(times 100 1000)" '' -)" = 1056 ]
	[ "$(request "$(times 150 1000)" '' -)" = 1056 ]
	[ "$(request "9000 $(times 100 1000)" '' -)" = 1056 ]
	[ "$(request '400 500 600 700 1000' '' -)" = 1552 ]
	[ "$(request '8000 8100 8200' '' -)" = 11232 ]
	[ "$(request '20000 20010 20005 19990' '' -)" = 25424 ]
	[ "$(request 5 '' -)" = 48 ]
}

@test "recommend --history: uses the input size if peaks depend on the size" {
	local sizes='1000000000 2000000000 3000000000 4000000000 5000000000'
	[ "$(request '100 200 300 400 500' "$sizes" 2500000000)" = 336 ]
	[ "$(request '100 200 300 400 500' "$sizes" 8000000000)" = 992 ]
	[ "$(request '100 200 300 400 500' "$sizes" 50000000000)" = 1584 ]
	[ "$(request '100 200 300 400 500' "$sizes" -)" = 800 ]
	[ "$(request '500 400 300 200 100' "$sizes" 2500000000)" = 800 ]
	[ "$(request '1000 2000 2900 4100 5000 6000 7100 8000' "$sizes 6e9 7e9 8e9" 1000000000)" = 1296 ]
}

@test "recommend --history: RTRACK_FAILURES is the default of --failures" {
	export RTRACK_FAILURES=1/1000
	[ "$(request 1000 '' -)" = 3040 ]
	[ "$(request 1000 '' - --failures 1/500)" = 2032 ]
	export RTRACK_FAILURES=
	[ "$(request 1000 '' -)" = 2032 ]
	export RTRACK_FAILURES=0.002
	run --separate-stderr "$BUILD/rtrack-report" recommend --history -
	[ "$status" = 2 ]
	[ "$stderr" = "rtrack-report: RTRACK_FAILURES '0.002': expected 1/N with N from 100 to 10000" ]
	"$BUILD/rtrack-report" --version
}

@test "recommend --history: --failures accepts 1/100 to 1/10000" {
	[ "$(request 1000 '' - --failures 1/100)" = 1232 ]
	[ "$(request 1000 '' - --failures 1/10000)" = 21040 ]
	for bad in 500 1/99 1/10001 1/5e2 1/ 2/500 1/-500 '1/ 500'; do
		run --separate-stderr "$BUILD/rtrack-report" recommend --history - --failures "$bad"
		[ "$status" = 2 ]
		[ "$stderr" = "rtrack-report: --failures '$bad': expected 1/N with N from 100 to 10000" ]
	done
}

@test "recommend --history --rule classic: requests the largest of six peaks plus 20 %" {
	[ "$(request 1000 '' - --rule classic)" = 2048 ]
	[ "$(request '9000 1000 1000 1000 1000 1000' '' - --rule classic)" = 11264 ]
	[ "$(request '9000 1000 1000 1000 1000 1000 1000' '' - --rule classic)" = 2048 ]
	[ "$(request '9000 1000 1000 1000 1000 1000 1000' '' - --rule classic --runs 6)" = 11264 ]
}

@test "recommend --history: prints the requested time, and what requests are based on" {
	printf '1000\t3600\t-\n900\t1800.5\t-\n950\t-\t7\n?\t-\t-\n' >"$BATS_TEST_TMPDIR/history"
	run --separate-stderr "$BUILD/rtrack-report" recommend --history "$BATS_TEST_TMPDIR/history"
	[ "$status" = 0 ]
	[ -z "$stderr" ]
	# 1000 + 32 + (1000 + 4 * 50) / 3 MiB; 3600 + 72 + (3600 + 4 * 1799.5) / 2 s
	[ "$output" = $'1440\nseconds\t9120\nruns\t3\nlargest\t1000\nmedian\t950\ninput\tno\nfailures\t1/500' ]
	[ "$("$BUILD/rtrack-report" recommend --history "$BATS_TEST_TMPDIR/history" --format json | jq -c .)" = \
		'{"resources":{"memory":1440,"seconds":9120},"basis":{"runs":3,"largest":1000,"median":950,"input":false,"failures":0.002}}' ]
	[ "$("$BUILD/rtrack-report" recommend --history "$BATS_TEST_TMPDIR/history" --for slurm)" = $'#SBATCH --mem=1440M\n#SBATCH --time=152' ]
}

@test "recommend --history: an error message names an invalid line" {
	local three='expected three fields with a tab between them: peak in MiB, seconds, input in bytes'
	refused "stdin, line 1: $three" 'x\n'
	refused "stdin, line 2: $three" '1\t2\t3\n\n?\t-\t-\n'
	refused "stdin, line 1: $three" '1\t2\t3\t4\n'
	refused "stdin, line 1: $three" '1 2 3\n'
	for bad in x -1 nan inf 1e999 '' - 1,5 0x10 ' 1'; do
		refused "stdin, line 1: the first field, the peak, must be a number of MiB or '?'" "$bad\t-\t-\n"
	done
	for bad in x -1 nan ''; do
		refused "stdin, line 2: the second field, the run time, must be a number of seconds or '-'" "1\t1\t-\n1\t$bad\t-\n"
		refused "stdin, line 1: the third field, the size of the input, must be a number of bytes or '-'" "1\t1\t$bad\n"
	done
	refused "stdin, line 1: the second field of the last line must be '-'" '?\t1\t-\n'
	refused "stdin, line 3: the line that begins with '?' must be the last" '1\t1\t-\n?\t-\t-\n1\t1\t-\n'
	refused "stdin: the last line must begin with '?'" '1\t1\t-\n'
	refused "stdin: the last line must begin with '?'" ''
	refused 'the history has no run: a request needs at least one' '?\t-\t-\n'
	refused 'stdin, line 1: it is too long' "$(head -c 70000 /dev/zero | tr '\0' 1)"
	run --separate-stderr "$BUILD/rtrack-report" recommend --history "$BATS_TEST_TMPDIR/none"
	[ "$status" = 1 ]
	[ "$stderr" = "rtrack-report: '$BATS_TEST_TMPDIR/none' cannot be read: No such file or directory" ]
	run --separate-stderr "$BUILD/rtrack-report" recommend job.R --history -
	[ "$status" = 2 ]
	[ "$stderr" = "rtrack-report: unexpected argument 'job.R': --history takes no run" ]
}

@test "recommend --history: reads a pipe and /dev/null like a file" {
	cd "$BATS_TEST_TMPDIR"
	mkfifo pipe
	printf '1000\t-\t-\n?\t-\t-\n' >pipe 3>&- &
	[ "$(timeout 60 "$BUILD/rtrack-report" recommend --history pipe | head -n 1)" = 2032 ]
	: >empty
	for file in empty /dev/null; do
		run --separate-stderr "$BUILD/rtrack-report" recommend --history "$file"
		[ "$status" = 1 ]
		[ "$stderr" = "rtrack-report: $file: the last line must begin with '?'" ]
	done
	run --separate-stderr "$BUILD/rtrack-report" recommend --history .
	[ "$status" = 1 ]
	[ "$stderr" = "rtrack-report: '.' cannot be read: Is a directory" ]
}

@test "recommend --history: reads an unterminated last line and a million lines" {
	[ "$(printf '1000\t-\t-\n?\t-\t-' | "$BUILD/rtrack-report" recommend --history - | head -n 1)" = 2032 ]
	[ "$({ yes $'1000\t1\t-' | head -n 1000000; printf '?\t-\t-\n'; } | "$BUILD/rtrack-report" recommend --history - | head -n 1)" = 1056 ]
}

@test "rtrack-report needs only the C library, cJSON, libcurl and zlib" {
	readelf -d "$BUILD/rtrack-report" | sed -n 's/.*NEEDED.*\[\(.*\)\.so.*/\1/p' >"$BATS_TEST_TMPDIR/needed"
	fails grep -vxE 'libc|libm|libcjson|libcurl|libz|lib(a|t|ub)san' "$BATS_TEST_TMPDIR/needed"
	[ "$(grep -cxE 'lib(cjson|curl|z)' "$BATS_TEST_TMPDIR/needed")" -eq 3 ]
}
