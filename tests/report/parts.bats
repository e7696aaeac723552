#!/usr/bin/env bats
# Tests of the parts of a run, which a job names with pairs of marks: "begin NAME" and "end NAME"
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

START=1795226400

# account SECONDS PID LABEL PEAK CPU READ WRITTEN: appends a row of mark.csv with the resources that its process has
# used so far.
account() {
	[ -e "$run/mark.csv" ] || echo '"timestamp","pid","label","peak_rss_mib","utime","stime","disk_read_bytes","disk_write_bytes"' >"$run/mark.csv"
	awk -v at="$1" -v start=$START -v pid="$2" -v label="$3" -v more="$4,$5,0,$6,$7" \
		'BEGIN { printf "%.3f,%d,\"%s\",%s\n", start + at, pid, label, more }' >>"$run/mark.csv"
}

# mark SECONDS PID LABEL: appends a row of mark.csv, SECONDS after the start of the run.
mark() {
	[ -e "$run/mark.csv" ] || echo '"timestamp","pid","label"' >"$run/mark.csv"
	awk -v at="$1" -v start=$START -v pid="$2" -v label="$3" 'BEGIN { printf "%.3f,%d,\"%s\"\n", start + at, pid, label }' >>"$run/mark.csv"
}

setup() {
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
}

@test "show: a part that begins and ends between rows gets its share of the usage" {
	mark 0.5 10 'begin fit'
	mark 2 10 'end fit'
	[ "$(report_value '.parts[] | [.name, .times, .seconds, .cpu_seconds, .mean_cpu_usage, .peak_memory_mib, .ended]' show)" = '["fit",1,1.5,3.375,2.25,300,true]' ]
	[ "$(report_value '.parts[] | [.disk_read_bytes, .disk_write_bytes, .start_time, .stop_time]' show)" = "[null,null,$START.5,$((START + 2))]" ]
	report show -v
	grep -qE '^ +Times +Time +CPU +Peak +Disk +Part$' <<<"$output"
	grep -qE '^ +1 +1.5 s +3.38 s +300 MiB +- +fit \(about\)' <<<"$output"
	[ "$(report_value '.parts[].exact' show)" = false ]
}

@test "show: cuts a long name of a part to the width, and keeps the remark after it" {
	mark 0.5 10 'begin the-fitting-of-a-very-long-model'
	mark 2 10 'end the-fitting-of-a-very-long-model'
	local columns
	for columns in 76 80 100; do
		COLUMNS=$columns report show -v
		grep -qE ' the-.* \(about\)' <<<"$output"
		fails grep -qE '\.\.\. ?\.\.\.' <<<"$output"
		fails grep -nE ".{$((columns + 1))}" <<<"$output"
	done
}

@test "show: the figures of a part are exact if its marks coincide with rows" {
	mark 1.002 10 'begin fit'
	mark 1.998 10 'end fit'
	[ "$(report_value '.parts[] | [.exact, .peak_memory_mib]' show)" = '[true,300]' ]
	report show -v
	grep -qE ' fit$' <<<"$output"
}

@test "show: a part marked by a single process has CPU time, disk I/O and peak memory" {
	run=$(make_run 20261121T030000Z-compute-7-10-0001)
	sed -i '/^[0-9.]*,10,/!{1!d}' "$run/start.csv" "$run/exit.csv"
	set_column "$run/exit.csv" peak_rss_mib 427 427 427
	account 0.2 10 'begin fit' 40 1.5 0 1000
	account 0.6 10 'end fit' 427 1.75 4096 3001000
	account 0.6 10 'begin score' 427 1.75 4096 3001000
	account 0.8 10 'end score' 427 1.80 4096 3001000
	[ "$(report_value '.parts[0] | [.cpu_seconds, .peak_memory_mib, .disk_read_bytes, .disk_write_bytes, .exact]' show)" = '[0.25,427,4096,3000000,true]' ]
	[ "$(report_value '.parts[1] | [.cpu_seconds, .peak_memory_mib, .peak_memory_at_most_mib, .exact]' show)" = '[0.05,null,427,false]' ]
	report show -v
	grep -qE ' fit$' <<<"$output"
	grep -qE ' score \(peak up to 427 MiB\)$' <<<"$output"
}

@test "show: a part that several processes share is counted once, until the last ends" {
	mark 0 10 'begin load'
	mark 0.5 11 'begin load'
	mark 1 10 'end load'
	mark 3 10 'begin load'
	mark 4 10 'end load'
	# Process 11 ended at 1.5 s without an end mark.
	[ "$(report_value '.parts[] | [.name, .times, .seconds, .cpu_seconds, .ended]' show)" = '["load",3,2.5,2.75,false]' ]
	report show -v
	grep -q 'load (not ended)' <<<"$output"
}

@test "show: a part without an end mark lasts as long as its process or the run" {
	mark 1 77 'begin fit'
	mark 2 10 'begin score'
	[ "$(report_value '[.parts[] | .name, .seconds, .ended]' show)" = '["fit",3,false,"score",2,false]' ]
}

@test "show: marks without begin or end, and an end without a begin, are not parts" {
	[ "$(report_value .parts show)" = '[]' ]
	mark 0 10 'beginning'
	mark 1 10 'end fit'
	mark 1 10 'begin '
	mark 1 10 'begin'
	mark 2 10 'the end'
	[ "$(report_value .parts show)" = '[]' ]
	report show -v
	fails grep -q Part <<<"$output"
	printf '"timestamp","pid","label"\n,10,"begin fit"\nx' >"$run/mark.csv"
	[ "$(report_value .parts show 2>/dev/null)" = '[]' ]
}

@test "show: a part that ended after the last row of a running run has its time" {
	need python3
	rm -rf "$RTRACK_SPOOL"
	cat >"$BATS_TEST_TMPDIR/part.py" <<-'END'
		import ctypes, subprocess, sys, time
		library = ctypes.CDLL(sys.argv[1])
		library.rtrack_mark(b"begin adding")
		begun = time.process_time()
		while time.process_time() < begun + 0.2:
		    pass
		library.rtrack_mark(b"end adding")
		subprocess.run([sys.argv[2], "show", "--format", "json"], check=True)
	END
	RTRACK_INTERVAL=3600 "$BUILD/rtrack-run" python3 "$BATS_TEST_TMPDIR/part.py" "$LIBRARY" "$BUILD/rtrack-report" >"$BATS_TEST_TMPDIR/shown"
	jq -e '.parts[0] | .seconds >= 0.2 and .cpu_seconds >= 0.2' "$BATS_TEST_TMPDIR/shown"
}

@test "show: a run has at most 100 parts" {
	for i in $(seq 120); do
		mark "0.$i" 10 "begin part $i"
	done
	[ "$(report_value '.parts | length' show)" = 100 ]
}

@test "html: a table lists the parts, and markup in their names is escaped" {
	mark 0.5 10 'begin <b>fit</b>'
	mark 2 10 'end <b>fit</b>'
	"$BUILD/rtrack-report" html -o "$BATS_TEST_TMPDIR/page.html" >/dev/null
	sed -n '/id="parts"/,/<\/section>/p' "$BATS_TEST_TMPDIR/page.html" >"$BATS_TEST_TMPDIR/parts"
	grep -qF '<tr data-start="0.500" data-stop="2.000"><th scope="row" class="name"><bdi>&lt;b&gt;fit&lt;/b&gt;</bdi> (about)</th>' "$BATS_TEST_TMPDIR/parts"
	grep -qF '>3.38 s<' "$BATS_TEST_TMPDIR/parts" && grep -qF '>300 MiB<' "$BATS_TEST_TMPDIR/parts"
}
