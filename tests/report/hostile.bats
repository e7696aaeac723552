#!/usr/bin/env bats
# Tests with hostile names of jobs, programs and machines. Reports show the names, but no terminal, browser, spreadsheet
# or JSON reader interprets what is in them.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

A=20261121T020000Z-compute-7-10-0001
B=20261121T020000Z-compute-7-10-0002
# The text contains colours, a window title, a one-byte CSI, DEL, text direction, invisible characters, invalid UTF-8, a
# formula and markup. It is written in bytes, because bash knows characters only in some locales.
HOSTILE=$'=1+1|\'x\'!A1 \033[31m\033]0;t\a\302\2332J\177\342\200\256\342\201\246\342\200\213\357\273\277\363\240\201\201<img src=x onerror=alert(1)>"&'
TORN=$'\377\300\257\355\240\200\342'

# hostile_run ID [STATUS]: makes a run in which every text is hostile.
hostile_run() {
	local run cell=${HOSTILE//\"/\"\"}$TORN
	run=$(make_run "$1" "${2:-finished}")
	jq --arg hostile $'a\r\n\t'"$HOSTILE" '. as $run | walk(if type == "string" then . + $hostile + "TORN" else . end)
		| .id = $run.id | .status = $run.status | .labels[$hostile] = $hostile
		| .cloud = {vendor: $hostile, region: $hostile, instance_type: $hostile}' "$run/run.json" >"$run/new"
	LC_ALL=C sed "s/TORN/$TORN/g" "$run/new" >"$run/run.json"
	rm "$run/new"
	printf '1795226400.700,13,170,10,"/bin/%s","%s y"\n' "$cell" "$cell" >>"$run/start.csv"
	printf '1795226402.000,13,170,10,0.500000,0.250000,40.500,100,200,0,,"self",1\n' >>"$run/exit.csv"
	for table in process system; do
		LC_ALL=C CELL="\"$cell\"" awk 'NR > 1 { print $0 "," ENVIRON["CELL"]; next } { print $0 ",\"=2+2\r" substr(ENVIRON["CELL"], 2) }' \
			"$run/$table.csv" >"$run/new"
		mv "$run/new" "$run/$table.csv"
	done
	echo "$run"
}

hostile_runs() {
	export RTRACK_SPOOL=$BATS_TEST_TMPDIR/spool
	hostile_run $A
	hostile_run $B
}

# says_nothing_hostile COMMAND...: stdout and stderr contain no control characters and no invalid UTF-8.
says_nothing_hostile() {
	"$BUILD/rtrack-report" "$@" >"$BATS_TEST_TMPDIR/said" 2>"$BATS_TEST_TMPDIR/error" </dev/null || [ $? -lt 4 ]
	for said in "$BATS_TEST_TMPDIR/said" "$BATS_TEST_TMPDIR/error"; do
		iconv -f UTF-8 -t UTF-8 "$said" >/dev/null || { echo "no UTF-8: $*"; return 1; }
		if LC_ALL=C.UTF-8 grep -nP "$OBEYED" "$said" | head -3 | cat -v | grep .; then
			echo "is obeyed: $*"
			return 1
		fi
	done
	fails grep -v '^rtrack-report: ' "$BATS_TEST_TMPDIR/error"
}

setup() {
	TURNING='\x{202a}-\x{202e}\x{2066}-\x{2069}'
	OBEYED="[\\x01-\\x08\\x0b-\\x1f\\x7f-\\x{9f}\\x{200b}\\x{feff}\\x{e0041}$TURNING]"
}

@test "jobs and tags with invalid UTF-8 can be selected by bytes or by the shown text" {
	"$BUILD/rtrack-run" --job $'a\xff\xfeb' --tag $'k\xff=\xfe' true
	"$BUILD/rtrack-run" --job other --tag 'k=x' true
	for job in $'a\xff\xfeb' $'a\xef\xbf\xbd\xef\xbf\xbdb'; do
		[ "$(report_value length list --job "$job")" = 1 ]
		"$BUILD/rtrack-report" show -v "$job" | grep -aq ' finished in '
		"$BUILD/rtrack-report" recommend --all --offline --job "$job" | grep -aq '^a'
		"$BUILD/rtrack-report" recommend --all --offline --job "${job%b}*" | grep -aq '^a'
	done
	[ "$(report_value '.[0].job' list --tag $'k\xff=\xfe')" = $'"a\xef\xbf\xbd\xef\xbf\xbdb"' ]
	report list --job $'a\xffb'
	[ "$status" -eq 1 ]
}

@test "text output escapes terminal control characters" {
	hostile_runs
	for command in "list" "show $A" "show --short $A" "show --by command $A" "show --by process $A" "stats $A" \
		"compare $A $B" "recommend --offline $A" "recommend --offline --for slurm $A" "watch $A" \
		"prune --keep 1 --dry-run"; do
		# shellcheck disable=SC2086
		says_nothing_hostile $command
		[ -s "$BATS_TEST_TMPDIR/said" ]
	done
	report show -v $A
	[[ $output == *'\r\n\t=1+1'*'\x1b[31m'* ]]
}

@test "a terminal gets control characters only in escaped form" {
	hostile_runs
	for command in "list" "show $A" "show --by command $A" "stats $A" "recommend --offline $A"; do
		TERM=xterm NO_COLOR=1 LC_ALL=C.UTF-8 script -qec "stty -onlcr cols 160 rows 60; '$BUILD/rtrack-report' $command" \
			"$BATS_TEST_TMPDIR/screen" </dev/null >/dev/null
		sed -i '1d;$d' "$BATS_TEST_TMPDIR/screen"
		grep -q '\\r\\n\\t=1\|\\x1b\[31m' "$BATS_TEST_TMPDIR/screen" || { cat -v "$BATS_TEST_TMPDIR/screen"; return 1; }
		fails env LC_ALL=C.UTF-8 grep -nP "$OBEYED" "$BATS_TEST_TMPDIR/screen"
	done
}

@test "a run with a hostile status is shown without harm" {
	hostile_runs
	sed -i 's/"finished"/"\\u001b[2J\\u009b\\u202e"/' "$RTRACK_SPOOL/$A/run.json"
	for command in "list" "show $A" "show --short $A" "watch $A" "recommend --offline $A" "compare $A $B"; do
		# shellcheck disable=SC2086
		says_nothing_hostile $command
	done
	report show -v $A
	[[ $output == *'\x1b[2J\xc2\x9b'* ]]
}

@test "JSON escapes control characters and keeps the text" {
	hostile_runs
	for command in "list --format json" "show --format json $A" "show --by process --format json $A" \
		"stats --format json $A" "compare --format json $A $B" "recommend --offline --format json $A" \
		"watch --format json $A" "prune --keep 1 --dry-run --format json" "export --to json $A"; do
		# shellcheck disable=SC2086
		says_nothing_hostile $command
		jq . "$BATS_TEST_TMPDIR/said" >/dev/null
	done
	wanted="job.Ra"$'\r\n\t'"$HOSTILE"$(printf '\357\277\275%.0s' {1..7})
	[ "$(jq -r .run.job "$BATS_TEST_TMPDIR/said")" = "$wanted" ]
	report export --to snapshot -o "$BATS_TEST_TMPDIR/snapshot" $A
	zcat "$BATS_TEST_TMPDIR/snapshot" >"$BATS_TEST_TMPDIR/said"
	fails env LC_ALL=C.UTF-8 grep -nP "$OBEYED" "$BATS_TEST_TMPDIR/said"
	jq . "$BATS_TEST_TMPDIR/said" >/dev/null
}

@test "CSV values are quoted, so that no spreadsheet reads one as a formula" {
	need python3
	hostile_runs
	says_nothing_hostile export --to csv $A
	python3 - "$BATS_TEST_TMPDIR/said" <<-'END'
		import csv, sys
		rows = list(csv.reader(open(sys.argv[1], newline=""), strict=True))
		assert len(rows) == 5 and all(len(row) == len(rows[0]) for row in rows), [len(row) for row in rows]
		texts = [cell for row in rows for cell in row if "1+1" in cell]
		assert len(texts) == 10, texts
		formulas = [cell for row in rows for cell in row if cell[:1] in "=+-@" and cell and not cell[1:2].isdigit()]
		formulas += [cell for cell in texts if cell[:1] in "=+-@"]
		assert not formulas, formulas
		assert any(cell.startswith("'=1+1|'x'!A1") and cell.count('"') == 1 for cell in texts), texts
	END
}

@test "a page escapes HTML and control characters in a job's texts" {
	hostile_runs
	for command in "html -o - $A" "compare -o - $A $B"; do
		# shellcheck disable=SC2086
		says_nothing_hostile $command
		grep -qF '&lt;img src=x onerror' "$BATS_TEST_TMPDIR/said"
		fails grep -qF '<img' "$BATS_TEST_TMPDIR/said"
	done
}

@test "a hostile argument is shown escaped, in one line" {
	mkdir -p "$RTRACK_SPOOL"
	hostile=$'x\n'$HOSTILE$TORN
	while read -r arguments; do
		# shellcheck disable=SC2086
		says_nothing_hostile $arguments"$hostile"
		[ -s "$BATS_TEST_TMPDIR/error" ]
		[ "$(wc -l <"$BATS_TEST_TMPDIR/error")" = 1 ]
	done <<-'END'
		show 
		stats --spool=/no
		list --since=
		show --format=
		recommend --for=
		import /no
		--
	END
	says_nothing_hostile "$hostile"
	says_nothing_hostile prune --keep 1 --job "$hostile"
}
