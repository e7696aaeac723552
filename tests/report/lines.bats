#!/usr/bin/env bats
# rtrack-report show --by line: lines of code, out of line.csv.
# bats file_tags=quick

bats_require_minimum_version 1.5.0
load ../lib/helper
load ../lib/runs

RUN=20261121T020000Z-compute-7-10-0001

# A line of two processes and two functions, a line that was given back, and what no line had.
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

@test "rtrack-report show --by line: a row a line, the most CPU time first, with its largest function" {
	with_lines
	report show --by line
	[ "$status" -eq 0 ]
	grep -qE '^ +3\.5 s +88 % +240 MiB +2\.5 s  job\.py:7 in decode$' <<<"$output"
	# No share of fewer than 20 looks, and no growth where memory was given back.
	grep -qE '^ +400 ms +500 ms  a, "b"\.py:9 in <module>$' <<<"$output"
	grep -qE '\(unknown\)$' <<<"$output"
	grep -qx '34 looks in all' <<<"$output"
	[ "$(report_value '[.lines[] | [.file, .line, .function, .samples, .samples_cut, .cpu_seconds, .seconds, .memory_mib, .memory_growth_mib]]' show --by line)" = \
		'[["/home/me/job.py",7,"decode",30,2,3.5,2.5,300,240],["/home/me/a, \"b\".py",9,"<module>",3,0,0.4,0.5,290,-100],[null,null,"unknown",1,0,0.1,0.1,10,10]]' ]
	report show --by line --limit 1
	[[ $output == *"(2 more)"* ]]
}

@test "rtrack-report show --by line: a run without lines says why there may be none" {
	make_run $RUN
	report show --by line
	[ "$status" -eq 0 ]
	[[ $output == "No lines: "* ]]
	[ "$(report_value '.lines' show --by line)" = '[]' ]
}

@test "rtrack-report show --by line: torn and strange rows of line.csv are left out with a warning" {
	with_lines
	printf '"x",1\n1795219203.000,1,nan,"python","f",1e300,"g",-5,0,inf,1,1\n1795219204.000,1,"torn' >>"$RTRACK_SPOOL/$RUN/line.csv"
	report show --by line
	[ "$status" -eq 0 ]
	grep -qE 'job\.py:7 in decode$' <<<"$output"
}
