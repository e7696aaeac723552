#!/usr/bin/env bats
# Tests of rtrack-report show --by line: code lines, which are read from line.csv
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

RUN=20261121T020000Z-compute-7-10-0001

# with_lines makes a run in which two processes execute a line, two functions share a line, a line frees memory, and
# some time has no line.
with_lines() {
	make_run $RUN
	cat >"$RTRACK_SPOOL/$RUN/line.csv" <<-'EOF'
		"timestamp","pid","seconds","language","file","line","function","samples","samples_cut","cpu_seconds","memory_mib","memory_growth_mib"
		1795219201.000,100,1.000,"python","/home/me/job.py",7,"encode",10,2,1.000000,300.000,250.000
		1795219202.000,100,1.000,"python","/home/me/job.py",7,"decode",15,0,2.000000,290.000,-10.000
		1795219202.000,101,0.500,"python","/home/me/job.py",7,"encode",5,0,0.500000,20.000,0.000
		1795219202.000,100,0.500,"python","/home/me/a, ""b"".py",9,"<module>",3,0,0.400000,290.000,-100.000
		1795219202.000,100,0.100,"python","",,"unknown",1,0,0.100000,10.000,10.000
	EOF
}

@test "show --by line: one row per code line, the most CPU time first" {
	with_lines
	report show --by line
	[ "$status" -eq 0 ]
	grep -qE '^ +3\.5 s +88 % +240 MiB +2\.5 s +30  job\.py:7 in decode$' <<<"$output"
	# A line with fewer than 20 samples has no percentage. A line that freed memory has no growth.
	grep -qE '^ +400 ms +500 ms +3  a, "b"\.py:9 in <module>$' <<<"$output"
	grep -qE '\(unknown\)$' <<<"$output"
	grep -qx '34 samples in all' <<<"$output"
	[ "$(report_value '[.lines[] | [.file, .line, .function, .samples, .samples_cut, .cpu_seconds, .seconds, .memory_mib, .memory_growth_mib]]' show --by line)" = \
		'[["/home/me/job.py",7,"decode",30,2,3.5,2.5,300,240],["/home/me/a, \"b\".py",9,"<module>",3,0,0.4,0.5,290,-100],[null,null,"unknown",1,0,0.1,0.1,10,10]]' ]
	report show --by line --limit 1
	[[ $output == *"(2 more)"* ]]
}

@test "show --by line: explains why a run has no code lines" {
	make_run $RUN
	report show --by line
	[ "$status" -eq 0 ]
	[[ $output == "No lines: "* ]]
	[ "$(report_value '.lines' show --by line)" = '[]' ]
}

@test "show --by line: a line of a notebook has the number of its cell" {
	make_run $RUN finished study.ipynb
	sed -i "s|/home/ada|$BATS_TEST_TMPDIR|" "$RTRACK_SPOOL/$RUN/run.json"
	# A cell that was not executed in this file has the number of its position among the cells with code.
	cat >"$BATS_TEST_TMPDIR/study.ipynb" <<-'EOF'
		{"cells": [{"cell_type": "markdown", "source": "def burn(n):\n    return sum(range(n))"},
		 {"cell_type": "code", "execution_count": 7, "source": ["def burn(n):\n", "    return sum(range(n))"]},
		 {"cell_type": "code", "execution_count": null, "source": " \n"},
		 {"cell_type": "code", "execution_count": null, "source": "%%rtrack fit\nburn(10 ** 8)\n'ä'"}]}
	EOF
	# The names are those of ipykernel 7.4.0.
	cat >"$RTRACK_SPOOL/$RUN/line.csv" <<-'EOF'
		"timestamp","pid","seconds","language","file","line","function","samples","samples_cut","cpu_seconds","memory_mib","memory_growth_mib"
		1795226401.000,100,1.000,"python","/tmp/ipykernel_77/1632970196.py",2,"burn",10,0,1.000000,300.000,250.000
		1795226401.000,100,1.000,"python","/tmp/ipykernel_77/3291012604.py",2,"<module>",10,0,0.500000,300.000,0.000
		1795226401.000,100,1.000,"python","/tmp/ipykernel_77/1.py",1,"other",10,0,0.400000,300.000,0.000
	EOF
	report show --by line
	grep -q ' In \[7\] line 2 in burn  return sum(range(n))$' <<<"$output"
	grep -q ' In \[2\] line 2 in <module>  burn(10 \*\* 8)$' <<<"$output"
	grep -q ' 1.py:1 in other$' <<<"$output"
	report show --by function
	grep -q ' In \[7\] in burn$' <<<"$output"
	"$BUILD/rtrack-report" html -o "$BATS_TEST_TMPDIR/page.html" $RUN
	grep -qF '<bdi>In [7] line 2 in burn</bdi><code>return sum(range(n))</code>' "$BATS_TEST_TMPDIR/page.html"
	rm "$BATS_TEST_TMPDIR/study.ipynb"
	report show --by line
	grep -q ' 1632970196.py:2 in burn$' <<<"$output"
}

@test "show --by line: damaged rows of line.csv are ignored with a warning" {
	with_lines
	printf '"x",1\n1795219203.000,1,nan,"python","f",1e300,"g",-5,0,inf,1,1\n1795219204.000,1,"torn' >>"$RTRACK_SPOOL/$RUN/line.csv"
	report show --by line
	[ "$status" -eq 0 ]
	grep -qE 'job\.py:7 in decode$' <<<"$output"
}

# with_peak makes a run in which process 100 first loads data and then fits a model. It has the most memory in the
# second tick, and process 101 has less.
with_peak() {
	make_run $RUN "$@"
	cat >"$RTRACK_SPOOL/$RUN/line.csv" <<-'EOF'
		"timestamp","pid","seconds","language","file","line","function","samples","samples_cut","cpu_seconds","memory_mib","memory_growth_mib"
		1795226401.000,100,0.400,"python","/home/me/job.py",40,"read",4,0,0.400000,100.000,60.000
		1795226401.000,100,0.600,"python","/home/me/job.py",42,"load",6,0,0.600000,100.000,40.000
		1795226402.000,100,0.500,"python","/home/me/job.py",42,"load",5,0,0.500000,220.000,120.000
		1795226402.000,100,0.500,"python","/home/me/job.py",57,"fit",5,0,0.500000,230.000,10.000
		1795226402.000,101,1.000,"python","/home/me/job.py",60,"wait",5,0,0.500000,30.000,30.000
		1795226403.000,100,1.000,"python","/home/me/job.py",58,"fit",5,0,0.500000,10.000,-220.000
		1795226404.000,100,1.000,"python","/home/me/job.py",59,"more",5,0,0.500000,200.000,190.000
		1795226404.000,100,0.000,"python","",,"unknown",0,0,0.100000,,
	EOF
}

@test "show: names the code lines where the largest process grew until its peak" {
	with_peak
	report show -v
	[ "$status" -eq 0 ]
	tr -s ' \n' ' ' <<<"$output" | grep -qF 'code job.py:42 in load grew 160 MiB; job.py:40 in read grew 60 MiB; at the peak job.py:57 in fit'
	for command in show stats; do
		[ "$(report_value '[.peak_lines | .pid, .memory_mib, .at.line, .at.function, [.grew[] | [.line, .memory_growth_mib]]]' $command)" = \
			'[100,230,57,"fit",[[42,160],[40,60]]]' ]
		[ "$(report_value '[.lines[] | [.line, .samples, .cpu_share]] | sort | .[3]' $command)" = '[57,5,null]' ]
	done
}

@test "show: names no code line if other processes had most of the peak memory" {
	with_peak
	sed -i 's/,2[23]0\.000,/,99.000,/' "$RTRACK_SPOOL/$RUN/line.csv"
	[ "$(report_value .peak_lines show)" = null ]
	report show -v
	[[ $output != *"  code"* ]]
}

@test "show: names the last code line of a process that ran out of memory" {
	with_peak killed
	sed -i 's/"exit_signal": 9/"exit_signal": 9, "killed_by": "oom"/' "$RTRACK_SPOOL/$RUN/run.json"
	sed -i 's/,10,100,1,\(.*\),0,,"self",1/,100,100,1,\1,,9,"launcher",1/; s/,10,100,1,/,100,100,1,/' "$RTRACK_SPOOL/$RUN"/{start,exit}.csv
	[ "$(report_value '[.out_of_memory.lines | .at.line, [.grew[] | [.line, .memory_growth_mib]]]' show)" = '[59,[[59,190],[42,160],[40,60]]]' ]
	report show -v
	grep -qF 'at the end job.py:59 in more' <<<"$(tr -s ' \n' ' ' <<<"$output")"
	# A sample without a line, 1 ms before the last tick, does not replace the last known line.
	sed -i '/^1795226404.000,100,1.000/i 1795226403.999,100,0.001,"python","",,"unknown",1,0,0.001000,,' "$RTRACK_SPOOL/$RUN/line.csv"
	[ "$(report_value .out_of_memory.lines.at.line show)" = 59 ]
}

@test "code lines of a group are the lines of all its runs" {
	local i
	for i in 1 2; do
		RUN=20261121T020000Z-compute-7-10-000$i
		with_peak
		sed -i 's/"labels"/"group": "g", "labels"/' "$RTRACK_SPOOL/$RUN/run.json"
	done
	[ "$(report_value '[.lines[] | select(.line == 42)] | map([.samples, .cpu_share])' stats --group g)" = "[[22,$(awk 'BEGIN { printf "%.4f", 2.2 / 7.2 }')]]" ]
	[ "$(report_value '[.lines[] | select(.line == 42) | .samples]' show --by line --group g)" = '[22]' ]
}

@test "html: shows the source text of code lines if the file is unchanged" {
	local file="$BATS_TEST_TMPDIR/job.py" link="$BATS_TEST_TMPDIR/link.py"
	cd "$BATS_TEST_TMPDIR"
	with_peak
	printf '# %s\n' $(seq 41) >"$file"
	printf '\tframe = load("<a>")  \r\n' >>"$file"
	touch -d 2026-11-21T01:00:00Z "$file"
	sed -i "s|/home/me/job.py|$file|" "$RTRACK_SPOOL/$RUN/line.csv"
	"$BUILD/rtrack-report" html -o page.html $RUN
	grep -qF '<bdi>job.py:42 in load</bdi><code>frame = load(&quot;&lt;a&gt;&quot;)</code></th><td class="number">1.1 s</td><td class="number">–</td><td class="number">160 MiB</td>' page.html
	grep -qF 'job.py:42 in load grew 160 MiB; job.py:40 in read grew 60 MiB; at the peak job.py:57 in fit' page.html
	# A line number beyond the end of the file has no source text.
	grep -qF '<bdi>job.py:57 in fit</bdi></th>' page.html
	touch "$file"
	"$BUILD/rtrack-report" html -o page.html $RUN
	grep -qF '<bdi>job.py:42 in load</bdi></th>' page.html
	# A row of line.csv may name any file. The page shows no text of a symbolic link.
	touch -d 2026-11-21T01:00:00Z "$file"
	ln -s "$file" "$link"
	sed -i "s|$file|$link|" "$RTRACK_SPOOL/$RUN/line.csv"
	"$BUILD/rtrack-report" html -o page.html $RUN
	grep -qF '<bdi>link.py:42 in load</bdi></th>' page.html
}

@test "html: a run without code lines has no section for code lines" {
	cd "$BATS_TEST_TMPDIR"
	make_run $RUN
	"$BUILD/rtrack-report" html -o page.html $RUN
	fails grep -qF 'id="lines"' page.html
}

@test "show --by function: one row per function" {
	with_peak
	report show --by function
	[ "$status" -eq 0 ]
	grep -qE '^ +1\.1 s +1\.1 s +160 MiB +1\.1 s +11  job\.py in load$' <<<"$output"
	grep -qE '^ +1 s +1 s +1\.5 s +10  job\.py in fit$' <<<"$output"
	[ "$(report_value '[.functions[] | select(.function == "fit") | [.line, .samples, .cpu_seconds]]' show --by function)" = '[[null,10,1]]' ]
}

# with_stacks makes a run in which clean and train, called by main, both call json.dumps. A worker runs train as dynamic
# code. Some samples have no code of the user.
with_stacks() {
	make_run $RUN
	local job=/home/me/job.py json=/usr/lib/python3.11/json
	cat >"$RTRACK_SPOOL/$RUN/start.csv" <<-'EOF'
		"timestamp","pid","start_ticks","ppid","exe","command"
		1795226400.000,10,100,1,"/usr/bin/python3.11","python3 job.py"
		1795226400.500,101,150,10,"/usr/bin/python3.11","/usr/bin/python3 -m joblib.externals.loky.backend.popen_loky_posix"
	EOF
	cat >"$RTRACK_SPOOL/$RUN/line.csv" <<-'EOF'
		"timestamp","pid","seconds","language","file","line","function","samples","samples_cut","cpu_seconds","memory_mib","memory_growth_mib","stack"
		1795226401.000,10,1.000,"python","/home/me/job.py",7,"clean",25,0,1.000000,100.000,0.000,11
		1795226402.000,10,1.000,"python","/home/me/job.py",9,"train",50,0,2.000000,100.000,0.000,12
		1795226403.000,10,1.000,"python","/home/me/job.py",9,"train",25,0,1.000000,100.000,0.000,13
		1795226403.000,10,0.500,"python","/home/me/job.py",8,"train",10,0,0.500000,100.000,0.000,14
		1795226403.000,101,1.000,"python","<dynamic-code>",9,"train",25,0,1.000000,100.000,0.000,15
		1795226403.000,101,0.300,"python","<frozen runpy>",198,"_run_module_as_main",7,0,0.300000,100.000,0.000,16
		1795226404.000,101,0.200,"python","<frozen importlib._bootstrap>",1,"_load",5,0,0.200000,100.000,0.000,17
		1795226404.000,10,0.000,"python","",,"unknown",0,0,0.100000,,,
	EOF
	write_stacks "$RTRACK_SPOOL/$RUN/stack.csv" <<-EOF
		11 $job:20:main;$job:7:clean;$json/__init__.py:238:dumps;$json/encoder.py:200:JSONEncoder.encode
		12 $job:21:main;$job:9:train;$json/__init__.py:238:dumps;$json/encoder.py:200:JSONEncoder.encode
		13 $job:21:main;$job:9:train;$job:9:train;/venv/lib/python3.11/site-packages/np/core.py:1:mean
		14 $job:21:main;$job:8:train
		15 <frozen runpy>:198:_run_module_as_main;<dynamic-code>:9:train;$json/__init__.py:238:dumps
	EOF
}

@test "show --by function: samples in a library belong to the function that called it" {
	with_stacks
	report show --by function
	[ "$status" -eq 0 ]
	# A sample counts once for a recursive function. Code of the interpreter itself is one row.
	grep -qE '^ +4\.5 s +74 % +4\.5 s +74 % .* 110  job\.py in train$' <<<"$output"
	grep -qE '^ +1 s +16 % +1 s +16 % .* 25  job\.py in clean$' <<<"$output"
	grep -qE '^ +0 ms +4\.5 s +74 % +0 ms +0  job\.py in main$' <<<"$output"
	grep -qE '^ +500 ms +500 ms .* 12  \(interpreter\)$' <<<"$output"
	fails grep -qE 'frozen|dumps|encode' <<<"$output"
	[ "$(report_value '[.functions[] | [.function, .cpu_seconds, .total_cpu_seconds, .total_cpu_share]]' show --by function)" = \
		'[["train",4.5,4.5,0.7377],["clean",1,1,0.1639],["interpreter",0.5,0.5,null],["unknown",0.1,0.1,null],["main",0,4.5,0.7377]]' ]
	[ "$(report_value '.functions | map(.cpu_seconds) | add' show --by function)" = 6.1 ]
}

@test "show --by function --deep: lists called library functions below their caller" {
	with_stacks
	report show --by function --deep
	[ "$(grep -A 2 'job.py in train' <<<"$output" | sed -E 's/^.* [0-9]+  //')" = 'job.py in train
  json/__init__.py in dumps
  np/core.py in mean' ]
	grep -qE '^ +3 s +49 % .* 75    json/__init__\.py in dumps$' <<<"$output"
	[ "$(report_value '[.functions[] | [.function, [.library[] | [.function, .cpu_seconds]]]] | .[0:3]' show --by function --deep)" = \
		'[["train",[["dumps",3],["mean",1]]],["clean",[["dumps",1]]],["interpreter",[]]]' ]
	[ "$(report_value '.functions[0] | has("library")' show --by function)" = false ]
}

@test "show --by line: code that a worker received is shown as the parent's script" {
	with_stacks
	[ "$(report_value '[.lines[] | select(.function == "train") | [.file, .line, .samples]]' show --by line)" = \
		'[["/home/me/job.py",9,100],["/home/me/job.py",8,10]]' ]
	# If no parent runs a script, the name "<dynamic-code>" stays.
	sed -i 's/python3 job.py/python3 -m ipykernel_launcher/' "$RTRACK_SPOOL/$RUN/start.csv"
	[ "$(report_value '[.lines[] | select(.file == "<dynamic-code>") | .samples]' show --by line)" = '[25]' ]
	# If no row has the path of the script, it is expected in the directory of the job.
	sed -i 's/python3 -m ipykernel_launcher/python3 other.py/' "$RTRACK_SPOOL/$RUN/start.csv"
	[ "$(report_value '[.lines[] | select(.samples == 25 and .line == 9) | .file]' show --by line)" = '["/home/ada/other.py"]' ]
}

@test "export --to speedscope: a sample has its whole call stack" {
	with_stacks
	report export --to speedscope -o "$BATS_TEST_TMPDIR/out" $RUN
	[ "$status" -eq 0 ]
	jq -e '.profiles[0].weights | add - 6.1 | fabs < 1e-9' "$BATS_TEST_TMPDIR/out"
	[ "$(jq -c '.shared.frames as $f | .profiles[0].samples[0] | map($f[.])' "$BATS_TEST_TMPDIR/out")" = \
		'[{"name":"python3.11 (process 10)"},{"name":"main","file":"/home/me/job.py","line":20},{"name":"clean","file":"/home/me/job.py","line":7},{"name":"dumps","file":"/usr/lib/python3.11/json/__init__.py","line":238},{"name":"JSONEncoder.encode","file":"/usr/lib/python3.11/json/encoder.py","line":200}]' ]
	# Equal frames of different stacks are one frame.
	[ "$(jq -c '[.shared.frames[] | select(.name == "dumps")] | length' "$BATS_TEST_TMPDIR/out")" = 1 ]
}

@test "export --to collapsed: writes each call stack with its CPU time in µs" {
	with_stacks
	# Stack 1 stands for further stacks. Its row in line.csv has the file, the line and the function.
	echo '1795226404.000,1,0,"python","",,"other",' >>"$RTRACK_SPOOL/$RUN/stack.csv"
	echo '1795226404.000,10,1.000,"python","/home/me/job.py",9,"train",3,0,0.300000,100.000,0.000,1' >>"$RTRACK_SPOOL/$RUN/line.csv"
	# A second row of a stack is added to the first one. A semicolon in a name does not end a frame.
	echo '1795226404.000,10,1.000,"python","/home/me/job.py",7,"clean",25,0,0.500000,100.000,0.000,11' >>"$RTRACK_SPOOL/$RUN/line.csv"
	sed -i 's/"<frozen importlib._bootstrap>",1,"_load"/"a;b.py",1,"f;g"/' "$RTRACK_SPOOL/$RUN/line.csv"
	report export --to collapsed $RUN
	[ "$status" -eq 0 ]
	[ "$(sort <<<"$output")" = "$(sort <<-'EOF'
		python3.11;(unknown) 100000
		python3.11;a,b.py;a,b.py:1;f,g 200000
		python3.11;job.py;job.py:9;train 300000
		python3.11;<frozen runpy>;<frozen runpy>:198;_run_module_as_main 300000
		python3.11;_run_module_as_main (<frozen runpy>:198);train (job.py:9);dumps (__init__.py:238) 1000000
		python3.11;main (job.py:20);clean (job.py:7);dumps (__init__.py:238);JSONEncoder.encode (encoder.py:200) 1500000
		python3.11;main (job.py:21);train (job.py:8) 500000
		python3.11;main (job.py:21);train (job.py:9);dumps (__init__.py:238);JSONEncoder.encode (encoder.py:200) 2000000
		python3.11;main (job.py:21);train (job.py:9);train (job.py:9);mean (core.py:1) 1000000
	EOF
	)" ]
	# The sum over the stacks is the CPU time of all code lines.
	[ "$(awk '{ sum += $NF } END { print sum }' <<<"$output")" = 6900000 ]
}

@test "compare --by function: omits functions that only call other functions" {
	with_stacks
	report compare $RUN $RUN --by function
	[ "$status" -eq 0 ]
	grep -qE '^job\.py in clean +1 s +1 s +=' <<<"$output"
	fails grep -q 'job.py in main' <<<"$output"
}

@test "show --by function: damaged rows of stack.csv are ignored" {
	with_stacks
	printf '%s\n' '1795226403.000,11,nan,"python","f",1,"g",1' '1795226403.000,,0,"python","f",1,"g",1' \
		'1795226403.000,11,9,"python","f",1,"skipped",1' '1795226403.000,11,0,"python","f",1,"again",1' '"x"' >>"$RTRACK_SPOOL/$RUN/stack.csv"
	report show --by function
	[ "$status" -eq 0 ]
	grep -qE '^ +1 s .* job\.py in clean$' <<<"$output"
	fails grep -qE 'skipped|again' <<<"$output"
	rm "$RTRACK_SPOOL/$RUN/stack.csv"
	report show --by function
	grep -qE '^ +1 s +16 % +1 s +16 % .* job\.py in clean$' <<<"$output"
}

@test "compare --by function, line: prints CPU time and memory growth of both runs" {
	local a=$RUN b=20261121T020100Z-compute-7-10-0002
	with_peak
	RUN=$b
	with_peak finished job.R 60
	# In the second run, the file is in another folder and its lines are two lines lower. The function fit takes
	# four times as long.
	sed -i 's/1795226/1795286/; s|/home/me|/scratch/1|; s/,42,"load"/,44,"load"/
		s/,57,"fit",5,0,0.5/,59,"fit",25,0,2.0/; s/,40,"read",4,0,0.4.*/,40,"read2",25,0,1.0,1,1/' "$RTRACK_SPOOL/$b/line.csv"
	report compare "$a" "$b" --by function
	[ "$status" -eq 0 ]
	grep -qE '^job\.py in fit +1 s +2\.5 s +\+1\.5 s$' <<<"$output"
	grep -qE '^job\.py in load +1\.1 s +1\.1 s +=$' <<<"$output"
	grep -qE '^  memory grew +160 MiB +160 MiB +=$' <<<"$output"
	[ "$(report_value '[.functions[] | [.name, .cpu_seconds.a, .cpu_seconds.b]] | .[0:3]' compare "$a" "$b" --by function)" = \
		'[["job.py in fit",1,2.5],["job.py in read2",null,1],["job.py in read",0.4,null]]' ]
	[ "$(report_value '[.lines[].name] | length' compare "$a" "$b" --by line)" = 10 ]
	report compare "$a" "$b" --by function -o "$BATS_TEST_TMPDIR/page.html"
	grep -qF '<h2>CPU time by function</h2>' "$BATS_TEST_TMPDIR/page.html"
	grep -qF '>job.py in fit</th><td class="number">1 s</td><td class="number">2.5 s</td><td class="number">+1.5 s</td><td class="number"></td>' "$BATS_TEST_TMPDIR/page.html"
	grep -qF '>memory grew</th><td class="number">160 MiB</td><td class="number">160 MiB</td><td class="number">=</td>' "$BATS_TEST_TMPDIR/page.html"
	report compare "$a" "$b" --by process
	[ "$status" -eq 2 ]
	report compare "$a" "$b"
	[[ $output != *"CPU time by function"* ]]
}

@test "export --to speedscope: without stacks, samples have process, file and function" {
	with_peak
	report export --to speedscope -o "$BATS_TEST_TMPDIR/out" $RUN
	[ "$status" -eq 0 ]
	[ "$(jq -c '[.["$schema"], (.profiles[] | [.type, .name, .unit, .endValue])]' "$BATS_TEST_TMPDIR/out")" = \
		'["https://www.speedscope.app/file-format-schema.json",["sampled","CPU time","seconds",3.6],["sampled","Growth of memory","bytes",471859200]]' ]
	[ "$(jq -c '.shared.frames as $f | .profiles[0] | (.weights | add), (.samples[0] | map($f[.].name))' "$BATS_TEST_TMPDIR/out" | tr -d '\n')" = \
		'3.6["a program (process 100)","job.py","job.py:40","read"]' ]
	# The export of a run without lines is a valid file.
	rm "$RTRACK_SPOOL/$RUN/line.csv"
	"$BUILD/rtrack-report" export --to speedscope $RUN | jq -e '.profiles[0].samples == []'
}

@test "show: lists for a part only the code lines that were sampled during the part" {
	with_peak
	printf '%s\n' '"timestamp","pid","label"' '1795226400.500,100,"begin all"' '1795226401.001,100,"begin fit"' \
		'1795226402.999,100,"end fit"' '1795226404.000,100,"end all"' >"$RTRACK_SPOOL/$RUN/mark.csv"
	# The row at the end of a part is written after the end mark.
	[ "$(report_value '[.parts[] | select(.name == "fit") | .lines[] | [.line, .samples]]' show)" = '[[42,5],[57,5],[58,5],[60,5]]' ]
	[ "$(report_value '[.parts[] | select(.name == "all") | .lines[] | .line]' show)" = '[42,57,58,59,60]' ]
	rm "$RTRACK_SPOOL/$RUN/line.csv"
	[ "$(report_value '[.parts[].lines]' show)" = '[[],[]]' ]
}

@test "html: a flame graph omits narrow frames, and is not drawn for few samples" {
	local i
	cd "$BATS_TEST_TMPDIR"
	with_peak
	for i in {1..600}; do
		echo "1795226404.000,100,0,\"python\",\"/home/me/job.py\",$((1000 + i)),\"f$((i % 40))\",1,0,$(((i <= 300) * 2)).00$((i % 2 + 1))000,10,0"
	done >>"$RTRACK_SPOOL/$RUN/line.csv"
	# A name of a function cannot end the data of the graph.
	echo '1795226404.000,100,0,"python","/home/me/job.py",9000,"</script>f",1,0,3.000000,10,0' >>"$RTRACK_SPOOL/$RUN/line.csv"
	"$BUILD/rtrack-report" html -o page.html $RUN
	grep -qF '["\u003c/script>f","job.py",0]' page.html
	fails grep -qF '</script>f' page.html
	[ "$(grep -cE '^\["job\.py:1[0-9]+","",0\]' page.html)" = 300 ]
	grep -q 'Not drawn: 6[0-9]* frames below 0.1 % of the CPU time' page.html
	sed -i '3,$d' "$RTRACK_SPOOL/$RUN/line.csv"
	"$BUILD/rtrack-report" html -o page.html $RUN
	grep -q '<bdi>job.py:40 in read' page.html
	fails grep -q 'id="flames"' page.html
}

@test "html: the memory chart marks the line at the peak and the largest growth" {
	cd "$BATS_TEST_TMPDIR"
	with_peak
	"$BUILD/rtrack-report" html -o page.html $RUN
	grep -qF '"places":[[2.000,"+120 MiB job.py:42 in load","text"],[2.000,"peak job.py:57 in fit","text"]]' page.html
	rm "$RTRACK_SPOOL/$RUN/line.csv"
	"$BUILD/rtrack-report" html -o page.html $RUN
	fails grep -qF '"places"' page.html
}
