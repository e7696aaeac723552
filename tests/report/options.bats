#!/usr/bin/env bats
# Tests of the command line of rtrack-report. The help is printed from the table of options. A usage error is one line,
# with status 2.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

# usage_error MESSAGE ARG...: the command must fail with status 2 and this message.
usage_error() {
	local message=$1
	shift
	report "$@"
	[ "$status" -eq 2 ] || { echo "$*: $status"; return 1; }
	[ -z "$output" ]
	[ "$stderr" = "rtrack-report: $message" ] || { echo "$stderr"; return 1; }
}

# rows COMMAND|OPTION: prints the names in that part of the table.
rows() {
	case $1 in
	COMMAND) sed -n 's/^COMMAND(\([a-z]*\),.*/\1/p' "$PROJECT/report/commands/options.def" ;;
	OPTION) sed -n 's/^OPTION([a-z_]*, [^,]*, "\([a-z-]*\)".*/\1/p' "$PROJECT/report/commands/options.def" ;;
	esac
}

# belongs OPTION COMMAND: prints 1 if the command has this option in the table, else 0.
belongs() {
	grep "^OPTION([a-z_]*, [^,]*, \"$1\"," "$PROJECT/report/commands/options.def" | awk -v command="ONLY($2)" '
		{ all = /, ALL/; named = index($0, command) > 0; found = found || (all ? !named : named) }
		END { print found + 0 }'
}

@test "--help is one screen with every command and the common options" {
	report --help
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	for command in $(rows COMMAND); do
		grep -q "^  $command " <<<"$output"
	done
	[ "${#lines[@]}" -le 40 ]
	fails grep -nE '.{81}' <<<"$output"
	grep -q -- '--help-all' <<<"$output"
}

@test "--help-all names every command and every option in 80 columns" {
	report --help-all
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	for command in $(rows COMMAND); do
		grep -q "^  $command " <<<"$output"
	done
	for option in $(rows OPTION); do
		grep -q -- "--$option\b" <<<"$output"
	done
	fails grep -nE '.{81}' <<<"$output"
}

@test "COMMAND --help shows the options of that command and no others" {
	for command in $(rows COMMAND); do
		report "$command" --help
		[ "$status" -eq 0 ]
		grep -q "^Usage: rtrack-report $command" <<<"$output"
		fails grep -nE '.{81}' <<<"$output"
		for option in $(rows OPTION); do
			shown=$(grep -cE -- "--$option( |$)" <<<"$output") || true
			[ "$shown" -eq "$(belongs "$option" "$command")" ] || { echo "$command --$option: $shown"; return 1; }
		done
	done
}

@test "COMMAND --help describes what an option means for that command" {
	for command in $(rows COMMAND); do
		report "$command" --help
		others=$(rows COMMAND | grep -vx "$command" | paste -sd'|')
		text=$(sed -n '/^Options:/,/^$/p' <<<"$output" | tr -s ' \n' ' ')
		fails grep -oE "(\\b(of|for)|[;,:] to) ($others)\\b.{20}" <<<"$text" || { echo "$command"; return 1; }
	done
	report show --help
	grep -q -- '--format text|json  *what' <<<"$output"
	report list --help
	grep -qx -- ' *--format text|json|csv' <<<"$output"
}

@test "--version prints the same version as rtrack-run" {
	report --version
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "rtrack-report $("$BUILD/rtrack-run" --version | sed -n 's/^rtrack-run //p')" ]
	[[ ${lines[1]} == "built for "* ]]
	[[ ${lines[2]} =~ ^"cJSON "[0-9.]+", zlib "[0-9.]+", libcurl "[0-9.]+" "[A-Za-z]+ ]]
}

@test "help and version need no spool and no run" {
	RTRACK_SPOOL=/nowhere report --help
	[ "$status" -eq 0 ]
	RTRACK_SPOOL=/nowhere report list -h
	[ "$status" -eq 0 ]
}

@test "a usage error prints one line and exits with status 2" {
	usage_error "unknown option '--colour'; see rtrack-report --help" --colour
	usage_error "unknown option '-x'; see rtrack-report --help" show -x
	usage_error "unknown command 'fetch'; see rtrack-report --help" fetch a-run
	usage_error "unexpected argument 'b'; see rtrack-report show --help" show a b
	usage_error "unexpected argument 'b'; see rtrack-report list --help" list a b
	usage_error "option '--spool' needs a value: DIR" show --spool
	usage_error "option '--short' takes no value" show --short=yes
	usage_error "option '--short' does not work with 'list'; see rtrack-report list --help" list --short
	# The message lists the values that the command accepts.
	usage_error "--format 'xml': expected text or json" --format xml
	usage_error "--format 'csv': expected text or json" --format csv stats
	usage_error "--format 'xml': expected text, json or csv" --format xml list
	usage_error "--format 'json': expected text" sql --format json
	usage_error "--format '': expected text or json" --format=
	usage_error "--format 'text|json': expected text or json" --format 'text|json'
	usage_error "--tree and --short cannot be used together" show --short --tree
	usage_error "--tree and --format json cannot be used together" show --tree --format json
	usage_error "--short and --format json cannot be used together" show --format=json --short
	usage_error "--by 'command': expected line or function" compare a b --by command
	usage_error "--by and --tree cannot be used together" show --tree --by command
	usage_error "--by and --short cannot be used together" show --by command --short
	usage_error "--sort and --trend cannot be used together" list --trend --sort cpu
	usage_error "--all and --trend cannot be used together" list --all --trend
	usage_error "--trend and --format csv cannot be used together" list --trend --format csv
	usage_error "--failures and --rule classic cannot be used together" recommend --rule classic --failures 1/1000
	usage_error "unknown command 'nosuch'; see rtrack-report --help" help nosuch
	usage_error "unknown command 'stat'; did you mean 'stats'?" stat --help
	usage_error "--runs '-1': expected a whole number from 0 to 1000000000" stats --runs -1
	usage_error "--limit '-1': expected a whole number from 0 to 1000000000" list --limit -1
	usage_error "--limit '2x': expected a whole number from 0 to 1000000000" list --limit=2x
	usage_error "--runs '99999999999999999999': expected a whole number from 0 to 1000000000" stats --runs 99999999999999999999
	for since in 7 d 7y yesterday 2026-13-01 2026-11-21T -7d 7.5d 2026-00-10 2026-11-00 2026-02-30 2026-02-31 2026-04-31 \
		2026-02-29 1900-02-29 2100-02-29T00:00 2026-11-32 2026-11-21T24:00 2026-11-21T23:60 2026-11-21T23:59:60 \
		2026-11-21T25:00:00Z 2026-W12-1 2026-325 \
		'2026-11-21 24:00' '2026-11-21 ' '2026-11-21 18:30 CET' '2026-11-21UTC' '2026-11-21 18:30:05 UTC.'; do
		usage_error "--since '$since': expected an age such as 90s, 24h or 7d, or a date such as 2026-11-21" list --since "$since"
	done
	usage_error "--older-than '2026-02-31': expected an age such as 90s, 24h or 7d, or a date such as 2026-11-21" \
		prune --older-than 2026-02-31 --dry-run
	make_run 20261121T020000Z-compute-7-10-0001
	for since in 2024-02-29 2000-02-29T23:59:59Z 2026-04-30 2026-01-31T00:00 2026-11-21T02:00:00; do
		report list --since "$since"
		[ "$status" -eq 0 ]
		[[ $output == *job.R* ]]
	done
}

@test "a mistyped command, option or job gets a suggestion" {
	make_run 20261121T020000Z-compute-7-10-0001 finished training
	usage_error "unknown command 'sow'; did you mean 'show'?" sow a-run
	usage_error "unknown option '--formt'; did you mean '--format'?" list --formt json
	# A single word may also mean a run, so the message mentions both.
	for slip in shwo:show lsit:list recomend:recommend compar:compare; do
		report "${slip%:*}"
		[ "$status" -eq 1 ]
		[ "$stderr" = "rtrack-report: '${slip%:*}' is neither a command nor a run in '$RTRACK_SPOOL'; did you mean '${slip#*:}'?" ] ||
			{ echo "$stderr"; return 1; }
	done
	report trainign
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: no run 'trainign' in '$RTRACK_SPOOL'; did you mean 'training'?" ]
	report show -v lsit
	[ "$stderr" = "rtrack-report: no run 'lsit' in '$RTRACK_SPOOL'" ]
}

@test "rtrack-report accepts help as a command" {
	[ "$("$BUILD/rtrack-report" help)" = "$("$BUILD/rtrack-report" --help)" ]
	[ "$("$BUILD/rtrack-report" help list)" = "$("$BUILD/rtrack-report" list --help)" ]
	make_run 20261121T020000Z-compute-7-10-0001 finished help
	[ "$(report_value .run.job show help)" = '"help"' ]
}

@test "a directory with the same name as a job does not hide the job" {
	run=$(make_run 20261121T020000Z-compute-7-10-0001 finished train)
	mkdir -p "$BATS_TEST_TMPDIR/here/train" "$BATS_TEST_TMPDIR/here/src"
	cd "$BATS_TEST_TMPDIR/here"
	[ "$(report_value .run.job show train)" = '"train"' ]
	report src
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: no run 'src' in '$RTRACK_SPOOL'" ]
	cp "$run/run.json" src
	report list # The directory has no run.
	[ "$(report_value .run.job show src)" = '"train"' ]
	cd "$run"
	[ "$(report_value .run.job show .)" = '"train"' ]
}

@test "options may be anywhere, and -- ends the options" {
	make_run 20261121T020000Z-compute-7-10-0001
	make_run 20261121T020009Z-compute-7-10-0002 finished -job 9
	[ "$(jq -r .run.job < <("$BUILD/rtrack-report" --format json stats job.R))" = job.R ]
	[ "$(jq -r .run.job < <("$BUILD/rtrack-report" stats job.R --format=json))" = job.R ]
	[ "$(jq -r .run.job < <("$BUILD/rtrack-report" stats --format json -- -job))" = -job ]
}

@test "every command except sql has --format json and prints JSON" {
	make_run 20261121T020000Z-compute-7-10-0001
	cd "$BATS_TEST_TMPDIR"
	# SQL cannot be printed as JSON, so the help of sql offers only its own formats.
	"$BUILD/rtrack-report" sql --help | grep -qE -- '--format text  '
	for command in $(rows COMMAND | grep -vx sql); do
		"$BUILD/rtrack-report" "$command" --help | grep -q -- '--format text|json' || { echo "$command"; return 1; }
	done
	[ "$(report_value .file html)" = '"rtrack-20261121T020000Z-compute-7-10-0001.html"' ]
	[ "$(report_value .file html -o page.html)" = '"page.html"' ]
	grep -q '</html>' page.html
	usage_error "--format json and -o - both write to stdout: give -o a file" html --format json -o -
}

@test "--spool overrides RTRACK_SPOOL" {
	make_run 20261121T020000Z-compute-7-10-0001
	RTRACK_SPOOL=/nowhere report list --spool "$RTRACK_SPOOL"
	[ "$status" -eq 0 ]
	[[ $output == *job.R* ]]
	report list --spool /nowhere
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: no run in '/nowhere' yet: 'rtrack-run --spool DIR COMMAND' makes one" ]
}
