#!/usr/bin/env bats
# Tests of rtrack-report compare: what changed between two runs, and whether it changed too much
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

# make_pair makes two runs of a job. The second run has 330 MiB instead of 300 MiB, and one second less of user time.
make_pair() {
	make_run 20261121T020000Z-compute-7-10-0001 finished old.R
	second=$(make_run 20261121T020100Z-compute-7-10-0002 finished new.R 60)
	sed -i 's/,300\.000,/,330.000,/; s/,2\.500000,/,1.500000,/' "$second/process.csv"
	sed -i 's/,4\.000000,/,3.000000,/' "$second/exit.csv"
}

@test "compare: prints each figure of both runs and the change" {
	make_pair
	report compare old.R new.R
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "${lines[0]}" = "B did less work: 0.83 times the CPU time in the same time. Peak memory is" ]
	[ "${lines[1]}" = "1.1 times that of A." ]
	[ "${lines[2]}" = "A  old.R  20261121T020000Z-compute-7-10-0001  finished" ]
	grep -qE '^CPU time +6 s +5 s +-1 s +-17 %$' <<<"$output"
	grep -qE '^Peak memory +300 MiB +330 MiB +\+30 MiB +\+10 %$' <<<"$output"
	grep -qE '^Processes +3 +3 +=$' <<<"$output"
	grep -qE '^job\.R +4\.5 s +3\.5 s +-1 s +-22 %$' <<<"$output"
	fails grep -q GPU <<<"$output"
	fails grep -nE '.{81}' <<<"$output"
}

@test "compare: the argument - means the job's last finished run before the other run" {
	make_pair
	sed -i 's/new.R/old.R/g' "$second/run.json"
	make_run 20261121T020030Z-compute-7-10-0003 failed old.R 30
	report compare 20261121T020100Z -
	[ "$status" -eq 0 ]
	grep -qx "A  old.R  20261121T020100Z-compute-7-10-0002  finished" <<<"$output"
	grep -qx 'B  old.R  20261121T020000Z-compute-7-10-0001  finished' <<<"$output"
	report compare - old.R --fail-if 'peak_memory_mib>+5%'
	[ "$status" -eq 3 ]
	grep -qx "A  old.R  20261121T020000Z-compute-7-10-0001  finished" <<<"$output"
	report compare 20261121T020000Z -
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: no finished run of 'old.R' is older than 20261121T020000Z-compute-7-10-0001" ]
}

@test "compare: with one run, compares it with the finished run of its job before it" {
	make_pair
	sed -i 's/new.R/old.R/g' "$second/run.json"
	[ "$(report_value '[.a.id[-4:], .b.id[-4:]]' compare old.R)" = '["0001","0002"]' ]
	report compare 20261121T020000Z
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: no finished run of 'old.R' is older than 20261121T020000Z-compute-7-10-0001" ]
}

@test "compare --runs: never compares sets with a run in common" {
	for i in 1 2 3 4 5; do
		make_run 20261121T02000${i}Z-compute-7-10-000$i finished old.R "$i"
	done
	local sides='[.a.id[-4:], .a.runs, .b.id[-4:], .b.runs]'
	[ "$(report_value "$sides" compare - old.R --runs 3)" = '["0002",2,"0005",3]' ]
	[ "$(report_value "$sides" compare old.R - --runs 2)" = '["0005",2,"0003",2]' ]
	[ "$(report_value "$sides" compare 20261121T020003Z 20261121T020005Z --runs 3)" = '["0003",3,"0005",2]' ]
	[ "$(report_value "$sides" compare 20261121T020005Z 20261121T020003Z --runs 3)" = '["0005",2,"0003",3]' ]
}

@test "compare: begins with a sentence on work, waiting and memory" {
	make_pair
	sed -i 's/,0\.500000,0\.250000,/,0.500001,0.250000,/; s/,330\.000,/,301.000,/' "$second/process.csv"
	report compare old.R old.R
	[ "${lines[0]}" = "B is like A in time, CPU time and peak memory." ]
	[ "$(report_value .verdict compare old.R new.R)" = '"B did less work: 0.83 times the CPU time in the same time."' ]
}

@test "compare: prints large factors as x 40, and no blanks at the end of a line" {
	make_pair
	sed -i '2,$s/,1048576,2097152,/,2048,83886080,/' "$second/process.csv"
	for columns in 40 60 80; do
		COLUMNS=$columns report compare old.R new.R
		fails grep -nE ' $' <<<"$output"
	done
	grep -qE '^Read from disk +4 MiB +8 KiB +-3\.99 MiB +-99\.8 %$' <<<"$output" || { echo "$output"; return 1; }
	grep -qE '^Written to disk +8 MiB +320 MiB +\+312 MiB +x 40$' <<<"$output"
}

@test "compare: a change that rounds to 0 is printed without a sign" {
	make_pair
	sed -i "/,330\\.000,/{s/,330\\.000,/,300.001,/; s/,1\\.500000,/,2.499990,/}" "$second/process.csv"
	report compare old.R new.R
	grep -qE '^Peak memory +300 MiB +300 MiB +\+0\.001 MiB +0\.0 %$' <<<"$output"
	grep -qE '^CPU time +6 s +6 s +0 ms +0\.0 %$' <<<"$output"
}

@test "compare: JSON has both runs, the figures and their changes" {
	make_pair
	[ "$(report_value '[.a.id, .b.job, .a.runs]' compare old.R new.R)" = '["20261121T020000Z-compute-7-10-0001","new.R",1]' ]
	[ "$(report_value .figures.peak_memory_mib compare old.R new.R)" = '{"a":300,"b":330,"change":30,"change_percent":10}' ]
	[ "$(report_value .figures.mean_gpu_usage.a compare old.R new.R)" = null ]
	[ "$(report_value '.programs[0] | [.program, .cpu_seconds.change]' compare old.R new.R)" = '["R",-1]' ]
	[ "$(report_value '.fail_if' compare old.R new.R --fail-if 'processes>=3')" = '[{"condition":"processes>=3","holds":true}]' ]
}

@test "compare --fail-if: exits with status 3 if a condition holds, else with 0" {
	make_pair
	report compare old.R new.R --fail-if 'peak_memory_mib>+9%'
	[ "$status" -eq 3 ]
	[[ $output == *'peak_memory_mib>+9%: yes, so the exit status is 3'* ]]
	report compare old.R new.R --fail-if 'peak_memory_mib>+10%, peak_memory_mib>330'
	[ "$status" -eq 0 ]
	report compare old.R new.R --fail-if 'peak_memory_mib>+10%' --fail-if 'cpu_seconds<-0.5' --format json
	[ "$status" -eq 3 ]
	report compare new.R old.R --fail-if 'peak_memory_mib>+1%, cpu_seconds>7'
	[ "$status" -eq 0 ]
}

@test "compare --fail-if: status 1 for an unknown figure, status 2 for a bad condition" {
	make_pair
	report compare old.R new.R --fail-if 'mean_gpu_usage>+10%'
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: --fail-if 'mean_gpu_usage>+10%': one of the runs has no such figure" ]
	report compare old.R new.R --fail-if 'memory>+10%'
	[ "$status" -eq 2 ]
	[[ $stderr == "rtrack-report: --fail-if 'memory>+10%': expected the name of a figure before < or >; did you mean 'peak_memory_mib'? Figures: wall_seconds, cpu_seconds, "* ]]
	[ -z "$output" ]
	report compare old.R new.R --fail-if 'peak_memory_mib>10%'
	[ "$status" -eq 2 ]
	report compare
	[ "$status" -eq 2 ]
	[ "$stderr" = "rtrack-report: compare needs a run, or two; see rtrack-report compare --help" ]
	report compare old.R nothing.R
	[ "$status" -eq 1 ]
}

@test "compare --runs: uses the median of the latest runs of each job" {
	for i in 1 2 3; do
		run=$(make_run 20261121T02000${i}Z-compute-7-10-000$i finished old.R "$i")
		sed -i "s/,300\.000,/,$((300 + i * i * 100)).000,/" "$run/process.csv"
	done
	make_run 20261121T020100Z-compute-7-10-0009 finished new.R 60
	[ "$(report_value '[.a.runs, .b.runs, .figures.peak_memory_mib.a, .figures.peak_memory_mib.b]' compare old.R new.R --runs 3)" = '[3,1,700,300]' ]
	[ "$(report_value '[.a.runs, .figures.peak_memory_mib.a]' compare old.R new.R --runs 2)" = '[2,950]' ]
	[ "$(report_value '[.a.runs, .figures.peak_memory_mib.a]' compare old.R new.R)" = '[1,1200]' ]
}

@test "compare --runs: uses failed runs only if none finished" {
	local run i
	for i in 1 2 3 4; do
		run=$(make_run 20261121T02000${i}Z-compute-7-10-000$i "$([ "$i" -lt 3 ] && echo finished || echo failed)" old.R "$i")
		set_peak "$run" $((i * i * 100))
	done
	make_run 20261121T020100Z-compute-7-10-0009 failed new.R 60
	local sides='[.a.id[-4:], .a.outcome, .a.runs, .b.outcome, .b.runs, .figures.peak_memory_mib.a]'
	[ "$(report_value "$sides" compare old.R new.R --runs 5)" = '["0002","finished",2,"failed",1,250]' ]
	[ "$(report_value "$sides" compare old.R new.R --runs 2)" = '["0002","finished",2,"failed",1,250]' ]
	[ "$(report_value "$sides" compare old.R new.R)" = '["0004","failed",1,"failed",1,1600]' ]
}

@test "compare -o: the page has no scripts and escapes names" {
	make_run 20261121T020000Z-compute-7-10-0001 finished '<b>&old'
	make_run 20261121T020100Z-compute-7-10-0002 finished new.R 60
	report compare '<b>&old' new.R -o "$BATS_TEST_TMPDIR/page.html" --fail-if 'peak_memory_mib>+10%'
	[ "$status" -eq 0 ]
	grep -q '^Peak memory' <<<"$output"
	grep -qF '<title>&lt;b&gt;&amp;old and new.R' "$BATS_TEST_TMPDIR/page.html"
	grep -qF '<code>peak_memory_mib&gt;+10%</code>: does not hold' "$BATS_TEST_TMPDIR/page.html"
	grep -qF 'CPU time</th><td class="number">6 s</td><td class="number">6 s</td><td class="number">=</td>' "$BATS_TEST_TMPDIR/page.html"
	fails grep -qE '<b>|<script' "$BATS_TEST_TMPDIR/page.html"
	report compare '<b>&old' new.R -o - --fail-if 'peak_memory_mib>=+0'
	[ "$status" -eq 3 ]
	[ "$output" != "${output#<!DOCTYPE html>}" ]
	report compare '<b>&old' new.R -o - --format json
	[ "$status" -eq 2 ]
	report compare '<b>&old' new.R -o /nowhere/page.html
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: '/nowhere/page.html' cannot be written: No such file or directory" ]
}

@test "compare -o: the page says that charts show means, and peaks may be higher" {
	reshape "$(make_run 20261121T020000Z-compute-7-10-0001 finished old.R)" 240 'i == 100 ? 8 : 1' 100
	reshape "$(make_run 20261121T020000Z-compute-7-10-0002 finished new.R)" 240 1 100
	"$BUILD/rtrack-report" show -v old.R | grep -q '^CPU .* peak 8 of 8 CPUs'
	"$BUILD/rtrack-report" compare old.R new.R -o "$BATS_TEST_TMPDIR/page.html" >/dev/null
	grep -q '>Means of 2 s, from the start of each\.<' "$BATS_TEST_TMPDIR/page.html" || { grep -o 'Means of[^<]*' "$BATS_TEST_TMPDIR/page.html"; return 1; }
	# The axes have the same labels as the static charts on the page of a run.
	for axis in 'up" aria-hidden="true"><span>4.5</span><span>2.25</span><span>0<' 'along" aria-hidden="true"><span>0</span><span>2 min</span><span>4 min<'; do
		grep -qF "<div class=\"$axis" "$BATS_TEST_TMPDIR/page.html" || { grep -o '<div class="\(up\|along\)".*/div>' "$BATS_TEST_TMPDIR/page.html"; return 1; }
	done
	"$BUILD/rtrack-report" html -o - old.R | grep -qF '<span>0</span><span>2 min</span><span>4 min</span>'
}

@test "compare: docs/report.md names every figure that compare prints" {
	names=$(sed -n 's/^TOTAL(\([a-z_]*\),.* COMPARED,.*/\1/p' "$PROJECT/report/model/total.def"
		sed -n 's/^MEASURE(\([a-z_]*\),.*/\1/p' "$PROJECT/report/compare/measures.def")
	[ "$(wc -w <<<"$names")" -gt 2 ]
	make_pair
	[ "$(report_value '.figures | keys_unsorted | join(" ")' compare old.R new.R)" = "\"$(tr '\n' ' ' <<<"$names" | sed 's/ $//')\"" ]
	for name in $names; do
		grep -q "\`$name\`" "$PROJECT/docs/report.md" || { echo "$name"; return 1; }
	done
}

@test "compare --runs: a difference within the usual spread is not called a change" {
	local i run
	for i in 1 2 3; do
		run=$(make_run "20261121T02000${i}Z-compute-7-1$i-0001" finished old.R "$i")
		sed -i "s/,300\\.000,/,$((300 + 20 * i)).000,/" "$run/process.csv"
		run=$(make_run "20261121T02010${i}Z-compute-7-2$i-0001" finished new.R $((60 + i)))
		sed -i "s/,300\\.000,/,$((305 + 20 * i)).000,/" "$run/process.csv"
	done
	report compare old.R new.R --runs 3 -o "$BATS_TEST_TMPDIR/compare.html"
	grep -qx '   on compute-7; team=x' <<<"$output"
	grep -qE '^Peak memory +340 MiB +345 MiB +in the spread' <<<"$output"
	[ "$(report_value '.figures | [.peak_memory_mib, .wall_seconds] | map(.within_spread)' compare old.R new.R --runs 3)" = '[true,false]' ]
	[ "$(grep -o 'class="spread' "$BATS_TEST_TMPDIR/compare.html" | wc -l)" -eq 4 ]
	report compare old.R new.R --runs 3 --fail-if 'peak_memory_mib>+1%'
	[ "$status" -eq 3 ]
	grep -qx 'peak_memory_mib>+1%: yes, so the exit status is 3, although the change is in the spread of the runs' <<<"$output"
	report compare 20261121T020001Z new.R
	grep -qE '^Peak memory +320 MiB +365 MiB +\+45 MiB' <<<"$output"
}

@test "compare --align phase: compares each phase with the same phase of the other run" {
	reshape "$(make_run 20261121T020000Z-compute-7-10-0001 finished old.R)" 60 'i <= 20 ? 1 : 4' 'i <= 20 ? 100 : 1000'
	reshape "$(make_run 20261121T020000Z-compute-7-10-0002 finished new.R)" 80 'i <= 40 ? 1 : 4' 'i <= 40 ? 100 : 1000'
	report compare old.R new.R --align phase -o "$BATS_TEST_TMPDIR/page.html"
	grep -qE '^Phase 1 +20 s +40 s +\+20 s +\+100 %$' <<<"$output"
	grep -qE '^Phase 2 +40 s +40 s +=' <<<"$output"
	grep -qE '^  CPUs used on average +4 +4 +=' <<<"$output"
	[ "$(grep -cE '^  Peak memory +1000 MiB +1000 MiB +=' <<<"$output")" -eq 1 ]
	fails grep -nE '.{81}' <<<"$output"
	[ "$(report_value '[.phases[] | .a, .b, .figures.wall_seconds.change, .figures.mean_cpu_usage.b]' compare old.R new.R --align phase)" = '[1,1,20,1,2,2,0,4]' ]
	[ "$(report_value 'has("phases")' compare old.R new.R --align time)" = false ]
	grep -qF '<th scope="row" class="name">Phase 2</th><td class="number">40 s</td><td class="number">40 s</td>' "$BATS_TEST_TMPDIR/page.html"
	# When phases are aligned, both curves have points at the same places.
	[ "$(grep -o '<path class="\(second\|job\)" d="[^"]*"' "$BATS_TEST_TMPDIR/page.html" | sed 's/.* d=//' | sort -u | wc -l)" -eq 2 ]
	grep -q 'class="border" d="M240.0 0V100"' "$BATS_TEST_TMPDIR/page.html"
	"$BUILD/rtrack-report" compare old.R new.R -o "$BATS_TEST_TMPDIR/time.html" >/dev/null
	[ "$(grep -o '<path class="\(second\|job\)" d="[^"]*"' "$BATS_TEST_TMPDIR/time.html" | sed 's/.* d=//' | sort -u | wc -l)" -eq 4 ]
	fails grep -q 'class="border"' "$BATS_TEST_TMPDIR/time.html"
}

@test "compare --align phase: a phase that only one run has is not compared" {
	reshape "$(make_run 20261121T020000Z-compute-7-10-0001 finished old.R)" 60 'i <= 20 ? 1 : 4' 'i <= 20 ? 100 : 1000'
	reshape "$(make_run 20261121T020000Z-compute-7-10-0002 finished new.R)" 100 'i <= 20 ? 1 : i <= 60 ? 8 : 4' 'i <= 20 ? 100 : i <= 60 ? 9000 : 1000'
	reshape "$(make_run 20261121T020000Z-compute-7-10-0003 finished flat.R)" 50 4 1000
	report compare old.R new.R --align phase
	grep -qE '^Phase 1 +20 s +20 s +=' <<<"$output"
	grep -qE '^Phase 2 of B alone +- +40 s +-' <<<"$output"
	grep -qE '^Phase 2, in B 3 +40 s +40 s +=' <<<"$output"
	[ "$(report_value '[.phases[] | [.a, .b]]' compare old.R new.R --align phase)" = '[[1,1],[null,2],[2,3]]' ]
	[ "$(report_value '[.phases[] | [.a, .b]]' compare old.R flat.R --align phase)" = '[[1,null],[2,1]]' ]
	[ "$(report_value '[.phases[] | [.a, .b]]' compare flat.R flat.R --align phase)" = '[[1,1]]' ]
	report compare old.R new.R --align command
	[ "$status" -eq 2 ]
	[ "$stderr" = "rtrack-report: --align 'command': expected time or phase" ]
	report compare old.R --group x --align phase
	[ "$status" -eq 2 ]
	[ "$stderr" = "rtrack-report: --align phase does not work with --group: a group has no phases" ]
}

@test "compare --align phase --runs: the spread comes from runs with the same phases" {
	local i
	for i in 1 2; do
		reshape "$(make_run 2026112${i}T020000Z-compute-7-10-0001 finished old.R $((86400 * (i - 1))))" $((40 + 20 * i)) "i <= 20 * $i ? 1 : 4" "i <= 20 * $i ? 100 : 1000"
		reshape "$(make_run 2026112${i}T020000Z-compute-7-10-0002 finished new.R $((86400 * (i - 1))))" $((40 + 20 * i)) "i <= 20 * $i ? 1 : 4" "i <= 20 * $i ? 100 : 1000"
	done
	"$BUILD/rtrack-report" compare old.R new.R --align phase --runs 2 -o "$BATS_TEST_TMPDIR/page.html" >/dev/null
	[ "$(grep -o 'class="spread' "$BATS_TEST_TMPDIR/page.html" | wc -l)" -eq 4 ]
	fails grep -q 'with other phases' "$BATS_TEST_TMPDIR/page.html"
	reshape "$RTRACK_SPOOL/20261121T020000Z-compute-7-10-0002" 60 4 1000
	rm -f "$RTRACK_SPOOL"/*/.summary
	"$BUILD/rtrack-report" compare old.R new.R --align phase --runs 2 -o "$BATS_TEST_TMPDIR/page.html" >/dev/null
	grep -q 'but for 1 with other phases' "$BATS_TEST_TMPDIR/page.html"
}

@test "compare: named parts are compared, including parts of only one run" {
	job() { "$BUILD/rtrack-run" --job "$1" sh -c 'm() { "$BUILD/rtrack-run" --mark "$*"; }; m begin load; sleep 0.1; m end load; m begin "$1"; sleep 0.1; m end "$1"' - "$2"; }
	export BUILD
	job a fit
	job b test
	report compare a b
	grep -qE '^By part +A +B' <<<"$output"
	grep -qE '^load +[0-9]+ ms +[0-9]+ ms' <<<"$output"
	grep -qE '^fit of A alone +[0-9]+ ms +-' <<<"$output"
	grep -qE '^test of B alone +- +[0-9]+ ms' <<<"$output"
	[ "$(report_value '[.parts[].name]' compare a b)" = '["load","fit","test"]' ]
	"$BUILD/rtrack-report" compare a b -o "$BATS_TEST_TMPDIR/page.html" >/dev/null
	for part in load 'fit of A alone' 'test of B alone'; do grep -q "<th scope=\"row\" class=\"name\">$part</th>" "$BATS_TEST_TMPDIR/page.html"; done
	[ "$(report_value '.parts[1].figures.wall_seconds.b' compare a b)" = null ]
}

@test "compare: a difference smaller than the clock's resolution may be no change" {
	make_pair
	report compare old.R new.R
	fails grep -q 'may be unchanged' <<<"$output"
	second=$(make_run 20261121T020200Z-compute-7-10-0003 finished near.R 120)
	sed -i 's/,2\.500000,/,2.504000,/' "$second/process.csv"
	report compare old.R near.R
	grep -qx "CPU time may be unchanged: less than the kernel's clock can tell, 10 ms." <<<"$output"
	"$BUILD/rtrack-report" compare old.R near.R -o "$BATS_TEST_TMPDIR/page.html" >/dev/null
	grep -qE '>CPU time may be unchanged: less than the kernel(.|&#39;)s clock can tell, 10 ms\.</p>' "$BATS_TEST_TMPDIR/page.html"
	[ "$(report_value '.figures | map_values(.may_be_unchanged != null) | [.cpu_seconds, .system_seconds, .peak_memory_mib]' compare old.R near.R)" = '[true,false,false]' ]
	"$BUILD/rtrack-run" --job x sleep 0.1
	"$BUILD/rtrack-run" --job y sleep 0.1
	report compare x y
	grep -qE '^CPU time may be unchanged: less than the kernel.s clock can tell, 10 ms\.$|^CPU time .*=$' <<<"$output"
	[ "$(report_value '.figures.processes | [.a_at_least, .b_at_least]' compare x y)" = '[false,false]' ]
	"$BUILD/rtrack-report" compare x y --format json | jq -e '.figures.cpu_seconds | .change == 0 or (.may_be_unchanged | startswith("less than"))'
}

@test "compare: a long name has its own line, and the columns stay aligned" {
	make_pair
	local long=a-program-with-a-name-of-so-many-letters-that-no-column-of-a-table-of-figures-has-room-for-it
	sed -i "s|/usr/bin/gcc|/opt/$long|; s|gcc -c|/opt/$long -c|" "$second/start.csv"
	report compare old.R new.R
	grep -A 1 -x "$long" <<<"$output" | grep -qE '^ {24} +- +1\.5 s +\+1\.5 s$' || { echo "$output"; return 1; }
	for columns in 40 60 80; do
		COLUMNS=$columns report compare old.R new.R
		fails grep -nE ".{$((columns + 1))}| $" <<<"$output"
	done
}
