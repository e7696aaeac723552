#!/usr/bin/env bats
# Tests of the page of rtrack-report html in a browser, for simulated runs. tests/page/real.bats has pages of real jobs.
# bats file_tags=long

bats_require_minimum_version 1.5.0

load ../lib/helper
load ../lib/page
load ../lib/runs

setup_file() {
	REPORT=$(cd "${BUILD:-$PROJECT/build}" && pwd)/rtrack-report
	export REPORT RUNS="$BATS_FILE_TMPDIR/runs" PAGES="$BATS_FILE_TMPDIR/pages"
	export RTRACK_SPOOL="$RUNS" XDG_CACHE_HOME="$BATS_FILE_TMPDIR"
	mkdir -p "$RUNS" "$PAGES"
	make_page plain
	make_page gpu --gpu 2
}

# The helper sets another spool for each test, and setup sets it back.
setup() {
	export RTRACK_SPOOL="$RUNS" XDG_CACHE_HOME="$BATS_FILE_TMPDIR"
}

# make_page NAME [OPTION of make_run.py]...: makes $PAGES/NAME.html.
make_page() {
	local name=$1 run="$RUNS/20261121T020000Z-compute-7-4242-$1"
	shift
	python3 "$PROJECT/tests/page/make_run.py" "$run" --job "$name.R" "$@"
	touch -d 2026-11-21T03:00:00Z "$run"/*
	"$REPORT" html -o "$PAGES/$name.html" "$run"
}

# look CHECK[,CHECK]... NAME [TEXT]: runs checks of check.mjs on a page.
look() {
	browse "$1" "$PAGES/$2.html" "${@:3}"
}

@test "page: each column that columns.def assigns to a chart has a line in the chart" {
	sed -n 's/^COLUMN([a-z]*, [a-z_]*, "[^"]*", [0-9], [A-Z]*, [A-Z_]*, \([a-z_]*\), "\(.*\)")$/\1 \2/p' "$PROJECT/core/columns.def" |
		grep -v '^none ' >"$BATS_TEST_TMPDIR/drawn" || :
	while read -r chart label; do
		perl -0ne "print \$1 if /\"$chart\":\{(.*?)\"levels\"/s" "$PAGES/plain.html" | grep -qF "\"label\":\"$label\""
	done <"$BATS_TEST_TMPDIR/drawn"
}

@test "page: every chart is drawn, without console messages or requests" {
	look charts plain
}

@test "page: the first screen appears before the charts, and the text does not move" {
	look later,still plain
	look later,still gpu
}

@test "page: all charts show the same times, even if one chart is wider" {
	make_page instants --ticks 780 --gpu 1
	look cursor instants
}

@test "page: chart lines begin at the run's start, and a 3 ms last sample adds no peak" {
	make_page short --ticks 1
	look begins,charts short 8
	local run="$RUNS/20261121T020000Z-compute-7-4242-ends"
	make_page ends --ticks 20
	local table cpus
	for table in system process; do
		tail -n 1 "$run/$table.csv" | awk -F, -v OFS=, '{ $1 = sprintf("%.3f", $1 + 0.003); print }' >"$BATS_TEST_TMPDIR/row"
		cpus=$(head -n 1 "$run/$table.csv" | tr , '\n' | grep -n '^"cpu_usage"$' | cut -d: -f1)
		awk -F, -v OFS=, -v at="$cpus" '{ $at = 50; print }' "$BATS_TEST_TMPDIR/row" >>"$run/$table.csv"
	done
	"$REPORT" html -o "$PAGES/ends.html" "$run"
	look begins ends 8
	[ "$(grep -cE 'Job: mean [0-9.]+, peak ([0-9](\.[0-9]+)?)[^0-9 ]' "$PAGES/ends.html")" -ge 1 ]
}

@test "page: a drag zooms all charts, and a double click resets them" {
	look zoom,totals plain
}

@test "page: the cursor shows figures, charts can be enlarged, and navigation works" {
	look enlarged plain
}

@test "page: the button More shows a paragraph of the documentation within the page" {
	look more,axe gpu
}

@test "page: all charts share one cursor, which shows time and values" {
	look cursor plain
}

@test "page: the legend hides and shows lines" {
	look legend plain
}

@test "page: charts can be read with the keyboard" {
	look keyboard plain
}

@test "page: is dark if the browser is in dark mode, and prints in light colours" {
	look dark plain
}

@test "page: does not scroll sideways on a screen 380 px wide" {
	look narrow plain
	look narrow gpu
}

@test "page: usage by program can be sorted up and down" {
	look sort plain
}

@test "page: no label of a chart is cut off" {
	look labels plain
	make_page minutes --ticks 901
	look labels minutes
	make_page little --ticks 30
	run="$RUNS/20261121T020000Z-compute-7-4242-little"
	for table in process member exit; do
		awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i ~ /memory_mib|rss_mib|swap_mib/) memory[i] } NR > 1 { for (i in memory) $i = 0.05 } 1' \
			"$run/$table.csv" >"$run/less" && mv "$run/less" "$run/$table.csv"
	done
	"$REPORT" html -o "$PAGES/little.html" "$run"
	look labels little
}

@test "page: a name of 3,000 characters does not fill the screen" {
	make_page long --ticks 30
	sed -i "s/\"long.R\"/\"$(printf 'long-name-%.0s' {1..300}).R\"/" "$RUNS/20261121T020000Z-compute-7-4242-long/run.json"
	sed -i "s|\"[^\"]*/bash\"|\"/opt/$(printf 'n%.0s' {1..240})\"|" "$RUNS/20261121T020000Z-compute-7-4242-long/start.csv"
	"$REPORT" html -o "$PAGES/long.html" "$RUNS/20261121T020000Z-compute-7-4242-long"
	look long,narrow,paper long
}

@test "page: a long table of programs always shows the row of short-lived processes" {
	local run="$RUNS/20261121T020000Z-compute-7-4242-many"
	make_page many --ticks 30
	for i in {1..40}; do
		sed -n 2p "$run/start.csv" | sed "s/,4242,/,$((5000 + i)),/; s/\"[^,]*\",/\"\/bin\/tool$i\",/" >>"$run/start.csv"
	done
	"$REPORT" html -o "$PAGES/many.html" "$run"
	look folded many "$(grep -c 'data-program=' "$PAGES/many.html")"
}

@test "page: the first screen has the request, which can be copied, and a chart" {
	look copy gpu 'nvidia.com/gpu: 2'
	look first gpu
	grep -q 'Request for the next run' "$PAGES/gpu.html"
	# If the machine has GPUs, their usage is there, too.
	grep -q '<th scope="row">GPU</th>' "$PAGES/gpu.html"
	grep -q 'of 2 GPUs</small>' "$PAGES/gpu.html"
	run grep -c '<th scope="row">GPU</th>' "$PAGES/plain.html"
	[ "$output" = 0 ]
}

@test "page: bands of programs in charts of CPU and memory add up to the job's line" {
	look stacks plain
}

@test "page: charts and timeline share one cursor and one zoom" {
	look together plain
}

@test "page: a program too small to be visible in a chart is added to all others" {
	perl -0ne 'print "$1\n" if /"cpu":\{.*?"stack":\[(.*?)\]/s' "$PAGES/plain.html" | grep -o '"label":"[^"]*"' >"$BATS_TEST_TMPDIR/bands"
	grep -q '"plain.R"' "$BATS_TEST_TMPDIR/bands"
	run grep -cE '"(as|ld)"' "$BATS_TEST_TMPDIR/bands"
	[ "$output" = 0 ]
	grep -q 'data-program="[0-9]*"><th scope="row" class="name"><span>ld</span>' "$PAGES/plain.html" # in the table
}

@test "page: legends list hidden lines last, and small percentages have decimals" {
	look legends plain
	local run="$RUNS/20261121T020000Z-compute-7-4242-small"
	make_page small --ticks 30
	awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) name[$i] = i } NR > 1 { $name["\"cpu_usage\""] = 0.9; $name["\"memory_mib\""] = 10 } 1' "$run/process.csv" >"$run/new"
	mv "$run/new" "$run/process.csv"
	rm -f "$run"/exit.csv
	sed -i 's/"memory_mib": [0-9.]*/"memory_mib": 1000000/' "$run/run.json"
	"$REPORT" html -o "$PAGES/small.html" "$run" 2>/dev/null
	grep -q '<p>With 1 CPU it takes about <strong>30 s</strong>: more would idle\.' "$PAGES/small.html"
	grep -qE '\(0\.[0-9] %\)\.</p>' "$PAGES/small.html"
}

@test "page: a click on a process selects its program, a second click deselects it" {
	look pick plain
}

@test "page: the timeline works with the keyboard and a screen reader" {
	look timelineKeys plain
}

@test "page: charts name the request and the peak, and the machine's size if it is near" {
	look levels gpu 'cpu: Request 5, Peak 6.8, All CPUs 8; memory: Request 12.7 GiB, Peak 6.28 GiB, (Machine memory 31.1 GiB); gpu: Request 2; gpus: Request 2, All GPUs 2; vram: Request 55.2 GiB, (All VRAM 45 GiB)'
}

@test "page: choosing a program in the table highlights it in charts and timeline" {
	look choice plain
}

@test "page: a timeline of 5,000 processes can be zoomed and shows their lifetimes" {
	make_page crowd --ticks 60 --crowd 5000
	look timeline crowd 5000
	[ "$(wc -c <"$PAGES/crowd.html")" -lt 400000 ]
}

@test "page: lists figures that differ much from the median of earlier runs" {
	for run in e1 e2 e3; do make_page "$run" --ticks 30 --job habit.R; done
	make_page now --ticks 90 --job habit.R
	grep -q 'Unusual: duration 3.0× the median of 3 earlier runs\.' "$PAGES/now.html"
	run grep -c Unusual "$PAGES/e3.html"
	[ "$output" = 0 ]
	# The page also draws a bar for each run, without a script. The first bar is a third of the last bar.
	grep -q 'aria-label="Duration, the oldest run first: 30 s, 30 s, 30 s, 1 min 30 s"><rect x="0" y="29.3" width="14" height="14.7"><title>30 s</title></rect>.*<rect class="now" x="54" y="0.0" width="14" height="44.0"><title>1 min 30 s</title>' "$PAGES/now.html"
	grep -q '<strong>1 min 30 s</strong> <span>earlier median 30 s</span>' "$PAGES/now.html"
	[ "$(grep -c 'class="multiple"' "$PAGES/now.html")" = 6 ]
	run grep -c 'class="multiple"' "$PAGES/e1.html"
	[ "$output" = 0 ]
	look opens,first now
	look axe now
}

@test "page: phases are listed and marked in the charts, and a click zooms to a phase" {
	look phases gpu
	grep -q 'As 3 jobs, each asking for what its phase needs, it would reserve less: <strong>.* CPU-minutes (.* %), .* GiB-[a-z]* (.* %), .* GPU-minutes (.* %)</strong>' "$PAGES/gpu.html"
	make_page flat --ticks 4
	run grep -c 'id="phases"' "$PAGES/flat.html"
	[ "$output" = 0 ]
}

@test "page: on a narrow screen, the table of parts has duration, CPU time and memory" {
	local run="$RUNS/20261121T020000Z-compute-7-4242-parts"
	make_page parts --ticks 60 --marks 4
	sed -i '2s/"<b>.*"/"begin fit"/;4s/"<b>.*"/"end fit"/' "$run/mark.csv"
	"$REPORT" html -o "$PAGES/parts.html" "$run"
	look parts,narrow parts
}

@test "page: marks of the job are listed and drawn in the charts" {
	make_page marked --ticks 60 --marks 250
	grep -q 'The first 200 of 250\.' "$PAGES/marked.html"
	look marks marked '<b>epoch 1</b>, "done"'
	look numbered marked 200
	look narrow marked
	run grep -c 'id="marks"' "$PAGES/plain.html"
	[ "$output" = 0 ]
}

@test "page: colours have enough contrast and suit colour-blind readers" {
	need node
	node "$PROJECT/tests/page/colours.mjs" "$PROJECT/report/page/assets/page.css"
}

@test "page: the accessibility checker axe finds no serious problem, light or dark" {
	look axe gpu
}

@test "page: without JavaScript, tables and figures are still shown" {
	look bare plain
}

@test "page: the highest point of a chart is the peak in its caption" {
	look peaks plain
	look peaks gpu
}

@test "page: has charts of GPUs if GPU usage was measured" {
	look shown gpu "cpu memory gpu disk_io disk_space network pressure gpus vram"
}

@test "page: names figures that were not measured, and draws no chart for them" {
	look shown plain "cpu memory disk_io disk_space network pressure"
	grep -q 'Not measured: GPU usage, .*GPUs in use, GPU memory (VRAM)\.' "$PAGES/plain.html"
}

@test "page: a job's name that looks like a script is shown as text" {
	local name='</script><script>window.attacked=1</script><img src=x onerror="window.attacked=1">&amp;'
	make_page hostile --ticks 5 --job "$name"
	look hostile hostile "$name"
}

@test "page: invalid UTF-8 and control characters are escaped as on a terminal" {
	make_page torn --ticks 5 --job "$(printf 'caf\351\t\377.R')"
	iconv -f UTF-8 -t UTF-8 "$PAGES/torn.html" >/dev/null
	grep -qF '<bdi>caf\xe9\t\xff.R</bdi>' "$PAGES/torn.html"
}

@test "page: says whether a run failed, was killed or was interrupted" {
	make_page failed --ticks 30 --status failed
	make_page killed --ticks 30 --status killed
	make_page cut --ticks 30 --status running
	grep -q 'Failed with exit status 3 after <strong>30 s' "$PAGES/failed.html"
	grep -q 'Killed by signal 9 (Killed) after <strong>30 s' "$PAGES/killed.html"
	grep -q 'The record ends after <strong>30 s' "$PAGES/cut.html"
	look opens cut
}

@test "page: peak memory is the same in the requests and in the details" {
	peak=$(perl -0ne 'print $1 if m{>Memory</th>.*?<strong>[^<]* · ([^<]*)</strong>}s' "$PAGES/plain.html")
	[ -n "$peak" ]
	grep -q "<dt>Peak memory</dt><dd>$peak</dd>" "$PAGES/plain.html"
}

@test "page: the table in Details has requested, used, request and reason" {
	make_page asked --gpu 1
	local run=$RUNS/20261121T020000Z-compute-7-4242-asked
	jq '.requested = {cpu: 4, memory_mib: 65536, gpu: 1, seconds: 7200}' "$run/run.json" >"$run/new" && mv "$run/new" "$run/run.json"
	"$REPORT" html -o "$PAGES/asked.html" "$run"
	grep -q 'It used <strong>10 % of the memory</strong> requested\.' "$PAGES/asked.html"
	for asked in 'CPU</th><td class="number">4' 'Memory</th><td class="number">64 GiB' 'GPU</th><td class="number">1' 'Time</th><td class="number">2 h'; do
		grep -qF "<th scope=\"row\">$asked</td>" "$PAGES/asked.html"
	done
	grep -q '2.0 × the peak (only 1 run so far)' "$PAGES/asked.html"
	look first,axe asked
}

@test "page: the text about the memory limit is not cut off" {
	make_page limited
	run=$RUNS/20261121T020000Z-compute-7-4242-limited
	set_column "$run/system.csv" cgroup_memory_limit_mib 1536
	"$REPORT" html -o "$PAGES/limited.html" "$run"
	grep -qE '<small>at its limit of 1.5 GiB, with [0-9.]+ [MG]iB charged to others</small>' "$PAGES/limited.html"
	look tiles limited
	look tiles plain
	look tiles gpu
}

@test "page: a run with file pages but without memory has charts" {
	local run
	run=$(RTRACK_SPOOL=$RUNS make_run 20261121T020000Z-compute-7-4242-files)
	set_column "$run/process.csv" memory_mib ""
	set_column "$run/process.csv" memory_file_mib 250
	printf '%s\n' '"timestamp","pid","memory_mib","rss_mib","memory_file_mib"' 1795226401.000,10,290,290,250 >"$run/member.csv"
	sed -i '/^[0-9.]*,10,/d' "$run/exit.csv"
	"$REPORT" html -o "$PAGES/files.html" "$run"
	look shown files "cpu memory disk_io disk_space network"
}

@test "page: a run with a single sample has charts" {
	make_page short --ticks 1 --interval 0.05
	look opens short
}

@test "page: an hour of samples takes less than 250 kB, and charts keep the peaks" {
	make_page hour --ticks 3600 --gpu 1
	[ "$(wc -c <"$PAGES/hour.html")" -lt 250000 ]
	grep -q 'thinned to 1000 points' "$PAGES/hour.html"
	look peaks,envelope,stacked hour
}

# make_lines NAME: adds code lines to a run. Its process grows to a peak, and runs out of memory at its end.
make_lines() {
	local run="$RUNS/20261121T020000Z-compute-7-4242-$1" i
	{
		echo '"timestamp","pid","seconds","language","file","line","function","samples","samples_cut","cpu_seconds","memory_mib","memory_growth_mib"'
		for i in {1..59}; do
			printf '%d.000,4242,1,"r","/home/ada/a_file_with_a_long_name_%d.R",%d,"a_function_with_a_name_that_is_long_%d",10,0,%d.5,%d,%d\n' \
				$((1795226400 + i)) $((i % 3)) $((i % 7 + 10)) $((i % 7)) $((i % 5)) $((90000 + (i == 57) * 100)) $(((i == 58) * 9000))
		done
	} >"$run/line.csv"
	sed -i 's/"status": "finished"/"status": "killed"/; s/"exit_code": 0/"exit_code": null/; s/"exit_signal": null/"exit_signal": 9, "killed_by": "oom"/' "$run/run.json"
	touch -d 2026-11-21T03:00:00Z "$run"/*
	"$REPORT" html -o "$PAGES/$1.html" "$run"
}

# make_stacks NAME: adds call stacks to a run. In the first half, main calls clean; in the second half, main calls train.
# Both call json. A second process runs task. A function of 0.05 s is too narrow to be drawn.
make_stacks() {
	local run="$RUNS/20261121T020000Z-compute-7-4242-$1" i
	{
		echo '"timestamp","pid","seconds","language","file","line","function","samples","samples_cut","cpu_seconds","memory_mib","memory_growth_mib","stack"'
		for i in {1..59}; do
			if ((i < 30)); then echo "$((1795226400 + i)),4242,1,\"python\",\"/home/ada/job.py\",7,\"clean\",10,0,1,90,0,11"; fi
			if ((i >= 30)); then echo "$((1795226400 + i)),4242,1,\"python\",\"/home/ada/job.py\",9,\"train\",10,0,2,90,0,12"; fi
			echo "$((1795226400 + i)),4243,1,\"python\",\"/home/ada/job.py\",30,\"task\",10,0,0.5,90,0,13"
		done
		echo '1795226459,4242,0.1,"python","/home/ada/job.py",50,"brief",1,0,0.05,90,0,14'
	} >"$run/line.csv"
	write_stacks "$run/stack.csv" <<-'EOF'
		11 /home/ada/job.py:20:main;/home/ada/job.py:7:clean;/usr/lib/python3.11/json/__init__.py:238:dumps
		12 /home/ada/job.py:21:main;/home/ada/job.py:9:train;/usr/lib/python3.11/json/__init__.py:238:dumps
		13 /home/ada/job.py:30:task;/venv/lib/python3.11/site-packages/np/core.py:1:mean
		14 /home/ada/job.py:21:main;/home/ada/job.py:50:brief
	EOF
	touch -d 2026-11-21T03:00:00Z "$run"/*
	"$REPORT" html -o "$PAGES/$1.html" "$run"
}

# speedscope_frames NAME: prints the CPU time of each frame of export --to speedscope, by the names of its callers.
speedscope_frames() {
	"$REPORT" export --to speedscope "$RUNS/20261121T020000Z-compute-7-4242-$1" | jq -c '.shared.frames as $f | .profiles[0] as $p |
		[range($p.weights | length) as $i | ($p.samples[$i] | map($f[.].name | sub(" \\(process.*"; ""))) as $names |
		range(1; ($names | length) + 1) | {key: ($names[:.] | join(";")), value: $p.weights[$i]}] |
		group_by(.key) | map({key: .[0].key, value: (map(.value) | add)}) | from_entries'
}

@test "page: the flame graph zooms by click, key and time range, and can be searched" {
	make_page flame --ticks 60
	make_stacks flame
	grep -q 'Not drawn: 1 frame below 0.1 % of the CPU time' "$PAGES/flame.html"
	look flame,narrow,axe,paper flame
	look bare flame
	valid "$PAGES/flame.html"
}

@test "page: frames of the flame graph equal show --by function and export --to speedscope" {
	make_page frames --ticks 60
	make_stacks frames
	look frames frames "$(speedscope_frames frames)"
	look functions frames "$("$REPORT" show --by function --format json "$RUNS/20261121T020000Z-compute-7-4242-frames" | jq -c .functions)"
	# Without call stacks, the frames are program, file, line and function.
	make_lines frames
	rm "$RUNS/20261121T020000Z-compute-7-4242-frames/stack.csv"
	look frames frames "$(speedscope_frames frames)"
	look narrow,axe,paper frames
}

@test "page: the memory chart marks code lines at the peak and at the largest growth" {
	make_page places --ticks 60
	make_lines places
	look places,charts places 3
}

@test "page: a chart's axis shows time since the start, or time of day with time zone" {
	look clock plain
}

@test "page: a chart can be saved as PNG, SVG and CSV" {
	look saved plain
}

@test "page: processes are a tree that folds and can be searched" {
	look tree plain
}

@test "page: the process tree has children below parents, even if parents form a cycle" {
	make_page below --commands 1
	local run="$RUNS/20261121T020000Z-compute-7-4242-below"
	cat >>"$run/start.csv" <<-'END'
		1795226399.995,31,90000,30,"/bin/true","true",
		1795226399.990,30,90000,4242,"/bin/sh","sh",
		1795226401.000,33,90100,4242,"/bin/ld","ld",
		1795226401.000,32,90100,4242,"/bin/as","as",
		1795226402.000,30,90300,4242,"/bin/sh","sh",
		1795226401.990,34,90300,30,"/bin/cat","cat",
		1795226403.000,40,90400,40,"/bin/own","own",
		1795226404.000,41,90500,42,"/bin/one","one",
		1795226405.000,42,90500,41,"/bin/other","other",
	END
	"$REPORT" html -o "$PAGES/below.html" "$run"
	look below below "4242 .30 ..31 .32 .33 .30 ..34 40 41 .42"
}

@test "page: legends show the figures of the time range in view" {
	look zoomed plain
}

@test "compare: the page is valid HTML without serious accessibility problems" {
	"$REPORT" compare plain.R gpu.R --fail-if 'peak_memory_mib>+1000%' -o "$PAGES/compare.html" >/dev/null
	look opens,axe compare
	valid "$PAGES/compare.html"
}

@test "page: the page of a run is valid HTML" {
	valid "$PAGES/plain.html" "$PAGES/gpu.html"
}

@test "html: without -o, writes rtrack-RUNID.html and prints its name" {
	cd "$BATS_TEST_TMPDIR"
	run --separate-stderr "$REPORT" html "$RUNS/20261121T020000Z-compute-7-4242-plain"
	[ "$status" -eq 0 ]
	[ "$output" = rtrack-20261121T020000Z-compute-7-4242-plain.html ]
	cmp "$output" "$PAGES/plain.html"
}

@test "html --open: opens the file in the browser" {
	cd "$BATS_TEST_TMPDIR"
	mkdir bin
	# shellcheck disable=SC2016 # for the shell that stands for a browser
	printf '#!/bin/sh\necho "$1" >"%s/new"; mv "%s/new" "%s/opened"\n' "$PWD" "$PWD" "$PWD" >bin/xdg-open
	chmod +x bin/xdg-open
	PATH="$PWD/bin:$PATH" BROWSER='' "$REPORT" html --open -o page.html
	for _ in {1..200}; do [ -e opened ] && break; sleep 0.05; done
	[ "$(cat opened)" = page.html ]
	run --separate-stderr env BROWSER=/nowhere/browser "$REPORT" html --open -o page.html
	[ "$status" -eq 1 ]
	[ "$stderr" = "rtrack-report: '/nowhere/browser' cannot be run: No such file or directory" ]
	run "$REPORT" html --open -o -
	[ "$status" -eq 2 ]
}

@test "html -o -: writes the page to stdout" {
	"$REPORT" html -o - "$RUNS/20261121T020000Z-compute-7-4242-plain" | cmp - "$PAGES/plain.html"
}

@test "html: if the disk is full, prints an error and exits with status 1" {
	[ -e /dev/full ] || skip "no /dev/full here"
	run "$REPORT" html -o /dev/full "$RUNS/20261121T020000Z-compute-7-4242-plain"
	[ "$status" -eq 1 ]
	[ "$output" = "rtrack-report: '/dev/full' cannot be written: No space left on device" ]
	run "$REPORT" html -o "$BATS_TEST_TMPDIR/none/x.html" "$RUNS/20261121T020000Z-compute-7-4242-plain"
	[ "$status" -eq 1 ]
	[ "$output" = "rtrack-report: '$BATS_TEST_TMPDIR/none/x.html' cannot be written: No such file or directory" ]
}

@test "page: charts and tables round durations alike, and fine time axes show seconds" {
	need node
	run --separate-stderr node -e '
		const units = require("vm").runInNewContext(require("fs").readFileSync("report/page/assets/units.js", "utf8") + ";units");
		for (const seconds of [0.006, 0.4, 59.96, 59.9996, 119.6, 3599.9, 7199, 86369, 86399.6, 91000, 2592000]) console.log(units.elapsed(seconds));
		for (const [at, step] of [[3915, 15], [3600, 15], [150.2, 0.2], [90300, 300]]) console.log(units.elapsed(at, step));
		console.log(":");
		for (const cpus of [1.4249, 0.0123, 0.162 / 403, 0.000096, -0.0004, 0.0000024, 0.00000024, 0]) console.log(units.cpus.format(cpus));
		console.log(":");
		for (const seconds of [0, 0.0004, 0.006, 0.9996, 4.916, 27.889, 59.96, 119.6, 3599.9, 8340, 86369, 91000]) console.log(units.duration(seconds));'
	[ "$(paste -sd , <<<"$output")" = "6 ms,0.4 s,59.96 s,1 min,2 min,1 h,2 h,23 h 59 min,1 d,1 d 1 h,30 d,1 h 5 min 15 s,1 h,2 min 30.2 s,1 d 1 h 5 min,:,1.42,0.012,0.0004,0.0001,-0.0004,0.000002,0,0,:,0 ms,0.4 ms,6 ms,1 s,4.92 s,27.9 s,1 min,2 min,1 h,2 h 19 min,23 h 59 min,1 d 1 h" ] ||
		{ paste -sd , <<<"$output"; return 1; }
}
