#!/usr/bin/env bats
# The bands of the stacks on the page, of runs with known figures: which programs have one, and what it holds.
# bats file_tags=quick

bats_require_minimum_version 1.5.0

load ../lib/helper
load ../lib/runs
load ../lib/page

setup() {
	cd "$BATS_TEST_TMPDIR"
	run=$(make_run 20261121T020000Z-compute-7-10-0001)
	start=1795226400
}

# members LINE…: rows of member.csv, "SECOND PID MIB".
members() {
	{
		echo '"timestamp","pid","memory_mib","rss_mib"'
		printf '%s\n' "$@" | awk -v start=$start '{ printf "%.3f,%d,%s,%s\n", start + $1, $2, $3, $3 }'
	} >"$run/member.csv"
}

@test "page: who ended since the row before holds the memory of the last row, what it held before and up to its peak" {
	# The last row of a run is written at its end, when nobody lives; R grew after it was sampled.
	members "1 10 100" "2 10 100" "3 10 150" "3 12 60"
	set_column "$run/process.csv" memory_mib 100 100 210 280
	set_column "$run/exit.csv" timestamp $((start + 1)).5 $((start + 3)).2 $((start + 4)).0
	"$BUILD/rtrack-report" html -o page.html "$run"
	browse held page.html '{"R": 220, "gcc": 60}'
	# What is beyond all peaks is nobody's.
	set_column "$run/process.csv" memory_mib 100 100 210 400
	"$BUILD/rtrack-report" html -o page.html "$run"
	browse held page.html '{"R": 290, "gcc": 60, "all others": 50}'
	# Of a run that goes on, who ended holds nothing at the last row.
	sed -i '/,10,100,1,/d' "$run/exit.csv"
	"$BUILD/rtrack-report" html -o page.html "$run"
	browse held page.html '{"R": 150, "gcc": 0, "all others": 250}'
}

@test "page: a program with a part of the CPU time has a band, also where others have as large a peak" {
	for i in 1 2 3 4 5 6 7; do
		printf '%d.500,2%d,15%d,10,"/usr/bin/small%d","small%d"\n' $start $i $i $i $i >>"$run/start.csv"
		printf '%d.700,2%d,15%d,10,0.001,0,90.0,0,0,0,,"self",1\n' $((start + 1)) $i $i >>"$run/exit.csv"
	done
	set_column "$run/exit.csv" peak_rss_mib 41
	sed -i "s/,2\([1-7]\),15\([1-7]\),10,0.001\(.*\),41,/,2\1,15\2,10,0.001\3,100,/" "$run/exit.csv"
	"$BUILD/rtrack-report" html -o page.html "$run"
	perl -0ne 'print "$1\n" if /"cpu":\{.*?"stack":\[(.*?)\]/s' page.html | grep -o '"label":"[^"]*"' >bands
	grep -q '"gcc"' bands
}
