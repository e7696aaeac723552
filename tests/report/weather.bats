#!/usr/bin/env bats
# Tests of rtrack-report on missing, damaged or random files. It prints one clear line per file and shows whatever is
# readable. The status is 1 only if nothing is readable.

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

ID=20261121T020000Z-compute-7-10-0001

# every_command RUN EXPECTED-STATUS: checks that no command is killed by a signal, and that every failure has a message.
every_command() {
	for format in text json; do
		for command in show stats; do
			report "$command" --format "$format" "$1"
			[ "$status" -eq "$2" ] || { echo "$command $format: $status, $stderr"; return 1; }
			[ "$2" -eq 0 ] || [ -n "$stderr" ]
			fails grep -qv "^rtrack-report: " <<<"${stderr:-rtrack-report: }"
			[ $format = text ] || [ -z "$output" ] || jq . <<<"$output" >/dev/null
		done
	done
	report list
	[ "$status" -eq 0 ]
	report list --format json
	[ "$status" -eq 0 ]
	jq . <<<"$output" >/dev/null
}

@test "if the spool does not exist, commands print one line and exit with status 1" {
	for words in show 'show job.R' stats list 'list --trend' waste 'prune --keep 1' 'recommend --all' 'html --all' \
		'stats --group g' 'export --to parquet -o out'; do
		# shellcheck disable=SC2086
		report $words
		[ "$status" -eq 1 ]
		[ -z "$output" ]
		[ "$stderr" = "rtrack-report: no run in '$RTRACK_SPOOL' yet: 'rtrack-run COMMAND' makes one" ] ||
			{ echo "$words: $stderr"; false; }
	done
}

@test "if the spool is empty, commands report that it has no run" {
	mkdir -p "$RTRACK_SPOOL"
	report
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: no run in '$RTRACK_SPOOL' yet: 'rtrack-run COMMAND' makes one" ]
	for words in list 'list --trend' waste 'recommend --all'; do
		# shellcheck disable=SC2086
		report $words
		[ "$status $stderr" = "0 rtrack-report: no run in '$RTRACK_SPOOL' yet: 'rtrack-run COMMAND' makes one" ] ||
			{ echo "$words: $status $stderr"; false; }
		# shellcheck disable=SC2086
		report $words --format json
		[ "$status$stderr" = 0 ]
		[ "$(jq -c '.jobs? // .' <<<"$output")" = '[]' ]
	done
}

@test "html --all, recommend --all: without runs, exit with status 1 and make no file" {
	mkdir -p "$RTRACK_SPOOL"
	for words in 'html --all' 'html --all --format json' 'recommend --all --for slurm'; do
		# shellcheck disable=SC2086
		report $words
		[ "$status $stderr" = "1 rtrack-report: no run in '$RTRACK_SPOOL' yet: 'rtrack-run COMMAND' makes one" ] ||
			{ echo "$words: $status $stderr"; false; }
		[ -z "$output" ]
	done
	[ ! -e rtrack-site ]
}

@test "a read-only spool is reported before any run is read" {
	[ "$(id -u)" -ne 0 ] || skip "root writes everywhere"
	mkdir -p "$RTRACK_SPOOL"
	chmod 500 "$RTRACK_SPOOL"
	report
	chmod 700 "$RTRACK_SPOOL"
	[ "$stderr" = "rtrack-report: '$RTRACK_SPOOL' has no run, and none can be written there: Permission denied" ]
}

@test "a spool that others may write to is refused with a message" {
	mkdir -m 777 -p "$RTRACK_SPOOL"
	chmod 777 "$RTRACK_SPOOL"
	for words in '' list; do
		report $words
		[[ $stderr == "rtrack-report: '$RTRACK_SPOOL' is refused, because others own it or may write to it: use a directory of your own "* ]]
	done
	[[ $("$BUILD/rtrack-run" --summary true 2>&1) == "rtrack-run: this run has no record: '$RTRACK_SPOOL/"*"' cannot be made: others own the spool or may write to it; "* ]]
	report doctor
	[ "$status" -eq 1 ]
	grep -q "^bad *spool .*others own it or may write to it" <<<"$(tr '\n' ' ' <<<"$output" | sed 's/  */ /g; s/ bad/\nbad/g')"
	chmod 700 "$RTRACK_SPOOL"
}

@test "if the run does not exist, commands print one line and exit with status 1" {
	make_run $ID
	for selector in nothing 19990101T ./nowhere; do
		report show -v "$selector"
		[ "$status" -eq 1 ]
		[ "$(wc -l <<<"$stderr")" -eq 1 ]
		[[ $stderr == "rtrack-report: "*"'$selector'"* ]]
	done
	for command in "list --trend --job none" "list --tag a=b"; do
		# shellcheck disable=SC2086
		report $command
		[ "$status" -eq 1 ]
		[ "$stderr" = "rtrack-report: no such run in '$RTRACK_SPOOL'" ]
	done
	report list --job none
	[ "$status" -eq 1 ]
	[[ $stderr == "rtrack-report: no run of the job 'none' in '$RTRACK_SPOOL'"* ]]
	# Programs get an empty list.
	[ "$(report_value . list --job none)" = '[]' ]
}

@test "an empty directory is reported as having no usable data" {
	mkdir -p "$RTRACK_SPOOL/$ID"
	every_command $ID 1
}

@test "for a directory that is not a run, prints an error; for a spool, also advice" {
	mkdir "$BATS_TEST_TMPDIR/other"
	make_run $ID >/dev/null
	for spool in "$RTRACK_SPOOL" "$BATS_TEST_TMPDIR/missing"; do
		for command in show stats html; do
			RTRACK_SPOOL=$spool report $command "$BATS_TEST_TMPDIR/other"
			[ "$status" -eq 1 ]
			[ "$stderr" = "rtrack-report: '$BATS_TEST_TMPDIR/other' is not a run: it has no file of a run" ]
			[ -z "$output" ]
		done
	done
	RTRACK_SPOOL=$BATS_TEST_TMPDIR/missing report show -v "$RTRACK_SPOOL"
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: '$RTRACK_SPOOL' is a spool with runs, not a run: use --spool '$RTRACK_SPOOL'" ]
}

@test "empty tables are reported as having no usable data" {
	mkdir -p "$RTRACK_SPOOL/$ID"
	for file in run.json system.csv process.csv member.csv start.csv exit.csv; do
		: >"$RTRACK_SPOOL/$ID/$file"
	done
	every_command $ID 1
	[[ $stderr == *"run.json"* ]]
}

@test "tables with only a header are reported as having no usable data" {
	run=$(make_run $ID)
	for file in "$run"/*.csv; do
		sed -i '2,$d' "$file"
	done
	every_command $ID 1
}

@test "an incomplete last line is ignored and reported" {
	run=$(make_run $ID)
	truncate -s -20 "$run/process.csv"
	every_command $ID 0
	report stats --format json
	[[ $stderr == *"process.csv', line 5: incomplete; left out"* ]]
	[ "$(jq .stats.process_cpu_usage.max <<<"$output")" = 3 ]
	[ "$(jq .totals.exact <<<"$output")" = false ]
}

@test "reports work if a file of the run is missing" {
	for file in run.json system.csv process.csv member.csv start.csv exit.csv; do
		run=$(make_run $ID)
		rm "$run/$file"
		every_command $ID 0
	done
}

@test "reports survive random bytes in a file of the run" {
	for file in run.json system.csv process.csv member.csv start.csv exit.csv; do
		run=$(make_run $ID)
		head -c 200000 /dev/urandom >"$run/$file"
		every_command $ID 0
		head -1 "$run/$file" >/dev/null
		run=$(make_run $ID)
		head -c 200000 /dev/urandom >>"$run/$file"
		every_command $ID 0
	done
}

@test "reports survive random bytes in all files of the run" {
	mkdir -p "$RTRACK_SPOOL/$ID"
	for file in run.json system.csv process.csv member.csv start.csv exit.csv; do
		head -c 50000 /dev/urandom >"$RTRACK_SPOOL/$ID/$file"
	done
	every_command $ID 1
}

@test "reports survive a directory, a fifo or a dangling link in place of a file" {
	run=$(make_run $ID)
	rm "$run/process.csv" "$run/system.csv" "$run/member.csv"
	mkdir "$run/process.csv"
	mkfifo "$run/system.csv"
	ln -s nowhere "$run/member.csv"
	every_command $ID 0
	[[ $stderr == *"'$run/member.csv' cannot be read: Too many levels of symbolic links"* ]]
	report stats
	[[ $stderr == *"'$run/process.csv' cannot be read: Is a directory"* ]]
	rm "$run/run.json"
	mkfifo "$run/run.json"
	every_command $ID 0
}

@test "numbers that are invalid or too large count as unknown and are not printed" {
	run=$(make_run $ID)
	echo '1795226405,10,0,nan,inf,-inf,1e999,9223372036854775808,18446744073709551616,,,,99999999999999999999' >>"$run/process.csv"
	echo "numbers that no job can have" >"$RTRACK_SPOOL/.impossible"
	echo '1795226406,10,0,1e308,1e308,1e308,1e308,1e308,1e308,1e308,1e308,1e308,1e308' >>"$run/process.csv"
	echo '1795226406,1e308,1e308,1e308,1e308,1e308,-1e308' >>"$run/system.csv"
	every_command $ID 0
	for command in show stats list; do
		report "$command"
		fails grep -qiE '\b-?(nan|inf)\b' <<<"$output"
	done
}

# make check-asan uses this test to show that arithmetic with such figures is defined.
@test "every report ends, whatever number a damaged cell contains" {
	cd "$BATS_TEST_TMPDIR"
	mkdir -p "$RTRACK_SPOOL"
	echo "numbers that no job can have" >"$RTRACK_SPOOL/.impossible"
	while read -r file column values; do
		run=$(make_run $ID)
		reshape "$run" 120 1.5 'i * 10'
		# shellcheck disable=SC2086
		set_column "$run/$file" "$column" $values
		for command in html show stats "show --by process" "compare $ID" "export --to openmetrics" "recommend --offline"; do
			# shellcheck disable=SC2086
			timeout 60 "$BUILD/rtrack-report" $command $ID >page 2>error ||
				{ echo "$file $column $values: $command: $?"; cat error; return 1; }
			fails grep -v '^rtrack-report: ' error
		done
	done <<-END
		system.csv memory_used_mib 4001 -1e308 4002
		system.csv memory_used_mib 4001 1e308 -1e308
		system.csv cgroup_oom_kills 0 1e308 0
		process.csv cpu_usage 2 1e308 2
		process.csv cpu_usage 2 1e14 2
		process.csv memory_mib 10 -1e308 20
		exit.csv utime 1e308
	END
}

@test "if run.json is incomplete, reports still show an id, a start and figures" {
	run=$(make_run $ID)
	truncate -s 300 "$run/run.json"
	report show -v
	[ "$status" -eq 0 ]
	[[ $stderr == "rtrack-report: '$run/run.json' cannot be read: "* ]]
	[[ $output == *"$ID"* ]]
	[ "$(report_value .totals.cpu_seconds stats 2>/dev/null)" = 6 ]
	[ "$(report_value .totals.wall_seconds stats 2>/dev/null)" = 4 ]
	# The run starts with its first process that began in the second of the id. Processes that began in another
	# second are ignored.
	set_column "$run/start.csv" timestamp 1795226400.968 1795226400.966 1795226399
	[ "$(report_value .totals.wall_seconds stats 2>/dev/null)" = 3.034 ]
	set_column "$run/start.csv" timestamp 1795226401.5
	[ "$(report_value .totals.wall_seconds stats 2>/dev/null)" = 4 ]
}

@test "reports work if run.json has values of wrong types" {
	run=$(make_run $ID)
	for content in '{}' '[]' '7' '{"id": [], "job": 3, "command": "x", "start_time": {}, "server": [], "interval": 0}' \
		'{"id": "x", "job": null, "command": [null, 3], "start_time": 1e308, "stop_time": -1e308, "interval": 1e308, "exit_code": 1e300, "exit_signal": -1}' \
		"$(printf '[%.0s' {1..5000})"; do
		printf '%s' "$content" >"$run/run.json"
		every_command "$run" 0
	done
}

@test "JSON output is UTF-8, whatever run.json and the tables contain" {
	run=$(make_run $ID)
	sed -i 's/"job.R"/"job\xff\xc0\xaf.R"/g' "$run/run.json"
	printf '1795226401,20,1,1,"/bin/\377","\355\240\200 \300"\n' >>"$run/start.csv"
	for command in list show stats; do
		"$BUILD/rtrack-report" "$command" --format json >"$BATS_TEST_TMPDIR/answer"
		iconv -f UTF-8 -t UTF-8 "$BATS_TEST_TMPDIR/answer" >/dev/null
	done
	[ "$(report_value .run.job stats)" = "$(printf '"job\357\277\275\357\277\275\357\277\275.R"')" ]
}

@test "a message about a hostile file name is printed on one line" {
	mkdir -p "$RTRACK_SPOOL"
	report show -v $'no\nsuch\033[2Jrun'
	[ "$status" -eq 1 ]
	[ "$(wc -l <<<"$stderr")" -eq 1 ]
	[[ $stderr == *'no\nsuch\x1b[2Jrun'* ]]
}

@test "if the disk is full, commands print an error and exit with status 1" {
	[ -e /dev/full ] || skip "no /dev/full here"
	make_run $ID
	for command in show stats list "list --format csv" "stats --format json" "html -o -" export "export --to csv -o -" --help; do
		# shellcheck disable=SC2086
		run bash -c "'$BUILD/rtrack-report' $command >/dev/full"
		[ "$status" -eq 1 ]
		[ "$output" = "rtrack-report: stdout cannot be written: No space left on device" ] || { echo "$command: $output"; return 1; }
		run bash -c "'$BUILD/rtrack-report' $command >&-"
		[ "$status" -eq 1 ]
		[ "$output" = "rtrack-report: stdout cannot be written: Bad file descriptor" ] || { echo "$command: $output"; return 1; }
	done
}

@test "at the limit on file sizes, commands print an error and are not killed" {
	cd "$BATS_TEST_TMPDIR" # for html
	make_run $ID
	for command in show "stats --format json" html "export --to csv"; do
		# shellcheck disable=SC2086
		run bash -c "ulimit -f 0; '$BUILD/rtrack-report' $command >'$BATS_TEST_TMPDIR/out'"
		[ "$status" -eq 1 ]
		[[ $output == "rtrack-report: "*" cannot be written: File too large" ]]
	done
}

@test "if the spool is unreadable, list prints an error and exits with status 1" {
	[ "$(id -u)" -ne 0 ] || skip "root reads everything"
	make_run $ID
	chmod 000 "$RTRACK_SPOOL"
	report list
	chmod 700 "$RTRACK_SPOOL"
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: '$RTRACK_SPOOL' cannot be read: Permission denied" ]
}

@test "every command prints one line that names an unreadable run" {
	as_other_user
	make_three_runs
	run="$RTRACK_SPOOL/20261121T020100Z-compute-7-11-0002"
	chmod 000 "$run"
	for command in list "list --tag a=b" "list --trend" "show other.R" recommend\ --all\ --offline waste; do
		# shellcheck disable=SC2086
		run --separate-stderr "${as[@]}" "$BUILD/rtrack-report" $command
		[ "$(grep -c . <<<"$(grep "^rtrack-report: '$RTRACK_SPOOL/20261121T020100Z-compute-7-11-0002' cannot be read: Permission denied" <<<"$stderr")")" = 1 ] ||
			{ echo "$command: $stderr"; chmod 700 "$RTRACK_SPOOL"/*; return 1; }
	done
	chmod 700 "$RTRACK_SPOOL"/*
}

@test "if a spool has only unreadable runs, commands do not report that it is empty" {
	as_other_user
	make_three_runs
	chmod 000 "$RTRACK_SPOOL"/*
	latest="rtrack-report: '$RTRACK_SPOOL/20261121T020200Z-compute-7-12-0003' cannot be read: Permission denied"
	all="rtrack-report: 3 runs or spools cannot be read, the first of them '$RTRACK_SPOOL/20261121T020200Z-compute-7-12-0003': Permission denied"
	none="rtrack-report: no such run in '$RTRACK_SPOOL/' that can be read"
	declare -A said=(
		[list]="$all"$'\n'"$none" ['list --trend']="$all"$'\n'"$none"
		[show]="$all"$'\n'"${none/\/\'/\'}" ['show 20261121T0202']=$latest)
	for command in "${!said[@]}"; do
		# shellcheck disable=SC2086
		run --separate-stderr "${as[@]}" "$BUILD/rtrack-report" $command --spool "$RTRACK_SPOOL/"
		[ "$status $stderr" = "1 ${said[$command]}" ] || { echo "$command: $stderr"; chmod 700 "$RTRACK_SPOOL"/*; return 1; }
	done
	run --separate-stderr "${as[@]}" "$BUILD/rtrack-report" export --to parquet --print-sql -o out
	chmod 700 "$RTRACK_SPOOL"/*
	[ "$stderr" = "$all" ] || { echo "$stderr"; false; }
}

@test "if tables of a run are incomplete, no figure is called exact" {
	run=$(make_run $ID)
	[ "$(report_value '.totals | [.exact_cpu, .exact_memory, .missing_cpu_seconds_at_most]' stats)" = '[true,true,0]' ]
	for table in process exit; do
		cp "$run/$table.csv" "$BATS_TEST_TMPDIR/whole"
		size=$(stat -c %s "$BATS_TEST_TMPDIR/whole")
		head=$(head -n 1 "$BATS_TEST_TMPDIR/whole" | wc -c)
		# The table is cut within a row, at the end of a row, and after its header.
		for left in $((size - 1)) $((size - 7)) $(((size + head) / 2)) $((head + 3)) "$head" "$(sed '$d' "$BATS_TEST_TMPDIR/whole" | wc -c)"; do
			head -c "$left" "$BATS_TEST_TMPDIR/whole" >"$run/$table.csv"
			[ "$(report_value '.totals | [.exact_cpu, .exact, .cpu_seconds + .missing_cpu_seconds_at_most >= 6 or .missing_cpu_seconds_at_most == null]' stats 2>/dev/null)" = '[false,false,true]' ] ||
				{ echo "$table.csv: $left of $size bytes"; return 1; }
		done
		cp "$BATS_TEST_TMPDIR/whole" "$run/$table.csv"
	done
	sed -i 's/"mode"/"truncated": 2, "mode"/' "$run/run.json"
	[ "$(report_value '.totals | [.exact_cpu, .exact_memory]' stats)" = '[false,false]' ]
}

@test "an error in a file that is read twice is reported once" {
	run=$(make_run $ID)
	cp "$run/exit.csv" "$run/process.csv" "$BATS_TEST_TMPDIR"
	for command in show "html -o -" "export --to csv" "export --to json" "recommend --offline"; do
		for table in process exit; do
			# shellcheck disable=SC2086
			: >"$run/$table.csv"
			run bash -c "'$BUILD/rtrack-report' $command 2>&1 >/dev/null | grep -c '/$table.csv'"
			[ "$output" -le 1 ] || { echo "$command: $table.csv: empty: $output"; return 1; }
			head -c -7 "$BATS_TEST_TMPDIR/$table.csv" >"$run/$table.csv"
			run bash -c "'$BUILD/rtrack-report' $command 2>&1 >/dev/null | grep -c '/$table.csv'"
			[ "$output" -le 1 ] || { echo "$command: $table.csv: torn: $output"; return 1; }
			cp "$BATS_TEST_TMPDIR/$table.csv" "$run"
		done
	done
}

@test "every report says that rows are missing if they could not be written" {
	run=$(make_run $ID)
	told='records that could not be written \(disk full or a limit\)'
	fails grep -E "$told" <<<"$("$BUILD/rtrack-report" show -v)"
	sed -i 's/"mode"/"truncated": 2, "mode"/' "$run/run.json"
	for command in show 'show --short' stats; do
		# shellcheck disable=SC2086
		report $command
		grep -qE "^ *Missing:? +$told$" <<<"$output" || { echo "$command: $output"; return 1; }
	done
	grep -qE "because these are missing: $told" <<<"$(COLUMNS=200 "$BUILD/rtrack-report" recommend --offline)"
	grep -qE "Missing: $told\." <<<"$("$BUILD/rtrack-report" html -o -)"
	[ "$(report_value .run.tracker.truncated stats)" = 2 ]
	# A process without a row is not counted.
	grep -qE '^Processes +3 +or more' <<<"$("$BUILD/rtrack-report" show -v)"
	grep -qE '; 3 or more processes$' <<<"$("$BUILD/rtrack-report" show --short)"
	grep -qE '^ *Processes, lower bound +3$' <<<"$("$BUILD/rtrack-report" stats)"
	grep -q '<small>3 or more processes, ' <<<"$("$BUILD/rtrack-report" html -o -)"
	grep -q 'id="timeline-figures">3 or more processes\.<' <<<"$("$BUILD/rtrack-report" html -o -)"
	# In a run of rtrack-run, the same flag may have other causes.
	sed -i 's/"preload"/"launcher"/' "$run/run.json"
	report stats
	[[ $(tail -n 2 <<<"$output" | tr -s '\n ' ' ') == *'(disk full or a limit), a process that could not be read, or what came after rtrack-run was killed'* ]]
	# If the table itself is marked, the message names it.
	chmod 1600 "$run/exit.csv"
	report stats
	grep -qE "^Missing: $told$" <<<"$output"
	sed -i 's/"truncated": 2, //' "$run/run.json"
	report show -v
	grep -qE "^Missing +$told$" <<<"$output"
	grep -qE '^Processes +3 +or more' <<<"$output"
}
