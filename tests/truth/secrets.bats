#!/usr/bin/env bats
# Tests that secrets in a command line are nowhere in the spool and in no report, whichever process wrote the row

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup() {
	export RTRACK_INTERVAL=0.05
	cd "$BATS_TEST_TMPDIR"
}

# job_with_secrets: a job whose processes are recorded by themselves, by the process that forked them, or by the sampler
# (static programs).
job_with_secrets() {
	printf '%s\n' '"$1" 0.3 1 exit --password hunter2-a & env -i TOKEN=x "$1" 0.3 1 exit --token=hunter2-b &' \
		'env MY_SECRET="c hunter2-c" sh -c "sleep 0.3; : API_KEY=hunter2-d; true" https://me:hunter2-e@host/ &' \
		'(exec sh -c ": curl -H \"Authorization: Bearer hunter2-h\" -d \"{\\\"password\\\": \\\"x hunter2-i\\\"}\"; exit 0") &' \
		'(exec sh -c ": curl -u me:hunter2-n; : sshpass -p hunter2-o https://hunter2-p@h/ a[TOKEN] = hunter2-q; exit 0") &' \
		'"$1" 0.3 1 exit -H "X-Api-Key: hunter2-j" --pass hunter2-k -passin pass:hunter2-l -c "a.b=AUTHORIZATION: bearer hunter2-m" &' \
		'(sleep 0.1; true) & wait' >job.sh
	"$@" sh job.sh "$(victim burn "${CC:-cc}" -static)" --db-passwd hunter2-f DB_PASSWORD="g hunter2-g" shown
}

# is_nowhere WORD: fails if the word is anywhere in the spool or in a report.
is_nowhere() {
	fails grep -r "$1" "$RTRACK_SPOOL"
	"$BUILD/rtrack-report" html -o page.html
	for command in list show 'show --by process' 'show --format json' stats; do
		# shellcheck disable=SC2086 # words
		"$BUILD/rtrack-report" $command
	done >said
	fails grep "$1" page.html said
}

@test "secrets in a command line are nowhere in the spool" {
	for way in preload "$BUILD/rtrack-run" "$BUILD/rtrack-run --no-preload"; do
		rm -rf "$RTRACK_SPOOL"
		# shellcheck disable=SC2086 # words
		job_with_secrets $way
		is_nowhere hunter2
		[ "$(json 'command | contains(["--db-passwd", "***", "DB_PASSWORD=***", "shown"])' "$(only_run)/run.json")" = true ]
		grep -q -- '--token=\*\*\*' "$(only_run)/start.csv"
	done
}

@test "the name of a job never contains a script after -c, or a secret" {
	while read -r options; do
		for way in preload "$BUILD/rtrack-run"; do
			rm -rf "$RTRACK_SPOOL"
			# shellcheck disable=SC2086 # words
			$way $options "export PGPASSWORD=hunter2; /bin/echo; true"
			is_nowhere hunter2
			[ "$(json job "$(only_run)/run.json")" = "$(basename "$(set -- $options; [ "$1" != nice ] || shift; echo "$1")")" ]
		done
	done <<-'END'
		sh -c
		sh -ec
		sh -euxc
		bash -euo pipefail -c
		bash --norc -lc
		nice bash -ec
	END
	rm -rf "$RTRACK_SPOOL"
	echo 'exit 0' >'PGPASSWORD=hunter2 x'
	preload sh 'PGPASSWORD=hunter2 x'
	is_nowhere hunter2
}

@test "RTRACK_MASK=WORDS masks more words, and RTRACK_MASK=off masks nothing" {
	RTRACK_MASK='hunter*,-u' preload sh -c ': hunter2; exit 0' -u me:abc hunter2
	is_nowhere hunter2
	is_nowhere me:abc
	rm -rf "$RTRACK_SPOOL"
	"$BUILD/rtrack-run" --mask 'hunter*' sh -c "'$(victim burn "${CC:-cc}" -static)' 0.2 1 exit hunter2; true"
	is_nowhere hunter2
	rm -rf "$RTRACK_SPOOL"
	"$BUILD/rtrack-run" --mask off sh -c ': --token=hunter2; exit 0' TOKEN=hunter2
	grep -q TOKEN=hunter2 "$(only_run)/run.json"
	grep -q token=hunter2 "$(only_run)/start.csv"
}

@test "secrets are masked after another process has taken over sampling" {
	RTRACK_MASK='hunter*' preload sh -c "'$(victim burn "${CC:-cc}" -static)' 0.1; (sleep 0.5; exec '$(victim burn "${CC:-cc}" -static)' 0.5 2 exit hunter2) & exit 0"
	is_over "$(only_run)"
	is_nowhere hunter2
}

@test "secrets are masked after the sampler was killed and replaced" {
	RTRACK_MASK='hunter*' preload sh -c '("$0" 0.3; "$0" 0.01; sleep 0.4; "$0" 0.01; "$1" 0.5 1 exit hunter2) & sleep 0.2; kill -9 $$' \
		"$(victim burn)" "$(victim burn "${CC:-cc}" -static)" || true
	is_over "$(only_run)"
	grep -q '\*\*\*' "$RTRACK_SPOOL"/*/start.csv
	is_nowhere hunter2
}
