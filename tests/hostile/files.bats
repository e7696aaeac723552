#!/usr/bin/env bats
# Tests of an administrator's reports on files that other users wrote. A run must not show anything that its owner could
# not read, and its files must not stop a command. Root makes the files of two users.
# bats file_tags=root

load ../lib/helper
load ../lib/runs
load ../lib/users

ID=20261121T020000Z-compute-7-10-0001
NEXT=20261121T020000Z-compute-7-10-0002

# shows_no_secret SPOOL: neither the page nor any text output about the runs in SPOOL contains the secret.
shows_no_secret() {
	local command
	for command in "show" "show --format json" "list" "list --format json" "html -o -" "export --to json" \
		"show --by line"; do
		# shellcheck disable=SC2086
		never_waits $command --spool "$1"
		[[ $output != *SECRET* ]] || { echo "$command: $output"; return 1; }
	done
	never_waits html --all -o site --spool "$1"
	fails grep -rq SECRET site
}

# names_file RUN PATH: changes the run to a failed one whose stderr is the file PATH.
names_file() {
	edit '.status = "failed" | .exit_code = 3 | .stderr = {path: "'"$2"'", begin: 0, end: null}' "$1/run.json"
}

@test "a run that is a link to a directory of root shows no file of root" {
	run_of mallory $NEXT failed
	names_file "$run" "$SECRET"
	mkdir -m 1777 "$SHARED/tmp"
	as_user $MALLORY cp "$run"/* "$SHARED/tmp"
	as_user $MALLORY ln -s "$SHARED/tmp" "$SHARED/mallory/$ID"
	shows_no_secret "$SHARED/mallory"
	never_waits show "$SHARED/mallory/$ID"
	[[ $output != *SECRET* ]]
}

@test "a run that is replaced by a link while a command reads it shows no file of root" {
	run_of mallory $ID failed
	names_file "$run" "$SECRET"
	for i in $(seq 100000); do
		echo "1795226400.500,$((i + 100)),$i,10,\"/usr/bin/gcc\",\"gcc -c a.c\""
	done >>"$run/start.csv"
	for delay in 0.004 0.01 0.02 0.04 0.08 0.16; do
		(
			sleep $delay
			as_user $MALLORY sh -c "mv '$run' '$SHARED/mallory/.real' && ln -s / '$run'"
		) 3>&- &
		never_waits show --spool "$SHARED/mallory" $ID
		[[ $output != *SECRET* ]]
		wait
		rm "$run"
		mv "$SHARED/mallory/.real" "$run"
	done
}

@test "lines of a file are shown for a failed run only if its owner owns the file" {
	run_of mallory $ID failed
	names_file "$run" "$SECRET"
	shows_no_secret "$SHARED/mallory"
	printf 'alice SECRET\n' >"$SHARED/alice/log"
	chown $ALICE "$SHARED/alice/log"
	touch -d '2026-11-20' "$SHARED/alice/log"
	names_file "$run" "$SHARED/alice/log"
	shows_no_secret "$SHARED/mallory"
	printf 'what mallory wrote\n' >"$SHARED/mallory/log"
	chown $MALLORY "$SHARED/mallory/log"
	touch -d '2026-11-20' "$SHARED/mallory/log"
	names_file "$run" "$SHARED/mallory/log"
	never_waits show --spool "$SHARED/mallory"
	[[ $output == *'what mallory wrote'* ]]
}

@test "a file in a folder that the run owner cannot enter is not shown" {
	run_of mallory $ID failed
	printf 'SECRET, in quarantine\n' >"$SHARED/root/log"
	chown $MALLORY "$SHARED/root/log"
	touch -d '2026-11-20' "$SHARED/root/log"
	names_file "$run" "$SHARED/root/log"
	shows_no_secret "$SHARED/mallory"
}

@test "a code line shows no text of a file that the run's owner cannot read" {
	run_of mallory $ID
	printf '"timestamp","pid","seconds","language","file","line","function","samples"\n1795226402.000,10,1,"python","%s",1,"f",1\n' \
		"$SECRET" >"$run/line.csv"
	chown $MALLORY "$run/line.csv"
	shows_no_secret "$SHARED/mallory"
}

@test "root's own run shows lines of the files that the run names" {
	run_of root $ID failed
	names_file "$run" "$SECRET"
	never_waits show --spool "$SHARED/root"
	[[ $output == *SECRET* ]]
}

@test "symbolic and hard links from a run to other files are not read" {
	run_of alice $ID finished SECRET-job
	edit '.command = ["SECRET"]' "$run/run.json"
	printf '"timestamp","pid","start_ticks","ppid","exe","command"\n1795226400.000,10,100,1,"/SECRET","SECRET"\n' >"$run/start.csv"
	private=$run
	run_of mallory $NEXT
	for file in "$private"/*; do
		ln -sf "$file" "$run/"
	done
	ln -s "$private/run.json" "$run/.summary"
	shows_no_secret "$SHARED/mallory"
	rm -r "$run"
	run_of mallory $NEXT failed
	ln -f "$SECRET" "$run/stderr.txt"
	names_file "$run" stderr.txt
	for file in process system start exit; do
		ln -f "$private/$file.csv" "$run/$file.csv"
	done
	shows_no_secret "$SHARED/mallory"
}

@test "a FIFO in place of a file of a run does not block any command" {
	run_of mallory $NEXT
	run_of mallory $ID
	cp -r "$run" keep
	for file in run.json process.csv system.csv start.csv exit.csv member.csv mark.csv gpu.csv line.csv stack.csv .summary .lock \
		.last .state .parted .gpu stderr.txt run.json.new; do
		rm -f "$run/$file"
		mkfifo "$run/$file"
		for command in "list" "show $ID" "prune --keep 1 --dry-run" "html --all -o site"; do
			# shellcheck disable=SC2086
			never_waits $command --spool "$SHARED/mallory" || { echo "$file: $command"; return 1; }
		done
		rm "$run/$file"
		[ ! -e "keep/$file" ] || cp "keep/$file" "$run/"
		chown -R $MALLORY "$run"
		rm -rf site
	done
}

@test "list and html --all show the other runs if the files of one run are refused" {
	run_of mallory $NEXT finished good
	run_of mallory $ID
	rm "$run/run.json"
	ln -s "$SECRET" "$run/run.json"
	never_waits list --spool "$SHARED/mallory"
	[[ $output == *good* ]]
	never_waits html --all -o site --spool "$SHARED/mallory"
	[ "$status" -eq 0 ]
	grep -q good site/index.html
}

@test "export --to parquet follows no link of a run, and writes the owner as the user" {
	venv duckdb -r "$PROJECT/tests/jobs/locks/duckdb.txt"
	mkdir bin
	ln -s "$(dirname "$PYTHON")"/../lib/python3*/site-packages/duckdb_cli/duckdb bin/duckdb
	PATH=$PWD/bin:$PATH
	run_of alice $ID
	install -m 755 "$BUILD/rtrack-report" "$SHARED/"
	as_user $ALICE "$SHARED/rtrack-report" list --spool "$SHARED/alice" >/dev/null
	[ -e "$run/.summary" ]
	private=$run
	run_of mallory $NEXT
	edit '.user = "root"' "$run/run.json"
	ln -s "$private/.summary" "$run/.summary"
	never_waits export --to parquet -o parquet --spool "$SHARED/mallory"
	[ "$(duckdb -noheader -list -c "select run, \"user\" from read_parquet('parquet/runs/*/*.parquet')")" = "$NEXT|$MALLORY" ]
	fails ls parquet/totals/*/*.parquet
}
