#!/usr/bin/env bats
# Tests of the pages of real jobs, and of the most difficult pages. They are drawn, zoomed, shown dark, narrow and
# printed, and checked by axe and as HTML. tests/page/page.bats has the other tests of pages.
# bats file_tags=long

bats_require_minimum_version 1.5.0

load ../lib/helper
load ../lib/runs
load ../lib/page

# the checks that every page with charts must pass
MOST=charts,zoom,legend,axe
EVERY=$MOST,cursor,dark,narrow,paper

setup() {
	PAGE="$BATS_TEST_TMPDIR/page.html"
}

# page [ARGUMENT of html]...: makes $PAGE, which must be valid HTML.
page() {
	"$BUILD/rtrack-report" html -o "$PAGE" "$@"
	valid "$PAGE"
}

@test "page: the page of an R job with forks and spawned workers passes browser checks" {
	need Rscript
	cat >"$BATS_TEST_TMPDIR/job.R" <<-'END'
		work <- function(i) { s <- 0; for (k in 1:1500000) s <- s + sqrt(k * i); sum(numeric(2e6)) + s }
		found <- parallel::mclapply(1:4, work, mc.cores = 2)
		stopifnot(length(found) == 4, system("gzip -c /bin/sh >/dev/null; exit 3") == 3)
	END
	"$BUILD/rtrack-run" --interval 0.02 Rscript "$BATS_TEST_TMPDIR/job.R"
	page
	browse "$EVERY" "$PAGE"
	browse bare "$PAGE"
	grep -q '<span>job.R</span>' "$PAGE"
	grep -q '<span>gzip</span>' "$PAGE"
}

@test "page: a job in Python is shown with the source text of its code lines" {
	cat >"$BATS_TEST_TMPDIR/job.py" <<-'END'
		import json, time
		def load():
		    return [bytearray(b"x") * (3 << 20) for i in range(60) if not time.sleep(0.02)]  # a long line, that has to be cut where the page is narrow, and again: it is long
		def fit(n):
		    return sum(i * i for i in range(n))
		kept = load()
		end = time.time() + 2
		while time.time() < end: fit(200000); json.dumps(list(range(20000)))
	END
	touch -d yesterday "$BATS_TEST_TMPDIR/job.py"
	"$BUILD/rtrack-run" --lines 50 python3 "$BATS_TEST_TMPDIR/job.py"
	page
	browse "$EVERY" "$PAGE"
	grep -q '<bdi>job.py:5 in .*</bdi><code>return sum(i \* i for i in range(n))</code>' "$PAGE"
}

@test "page: the page of a parallel build names its programs and passes browser checks" {
	cd "$BATS_TEST_TMPDIR"
	for i in 1 2 3 4 5 6 7 8; do
		printf '#include <stdio.h>\n#include <stdlib.h>\nint part%s(int n) { return printf("%%d", n) + atoi("%s"); }\n' "$i" "$i" >"part$i.c"
	done
	printf 'parts = $(patsubst %%.c,%%.o,$(wildcard *.c))\nlibparts.a: $(parts)\n\tar rcs $@ $^\n' >Makefile
	LD_PRELOAD="$BUILD/librtrack.so" RTRACK_INTERVAL=0.01 make -s -j4 CFLAGS=-O2
	page
	browse "$EVERY" "$PAGE"
	grep -q '<span>cc1</span>' "$PAGE"
}

@test "page: stacked charts of many short processes agree with the table of programs" {
	cat >"$BATS_TEST_TMPDIR/job.sh" <<-'END'
		for i in $(seq 60); do
			awk 'BEGIN { for (i = 0; i < 200000; i++) s += i % 7 }' &
			sort </etc/passwd >/dev/null
			wait
		done
	END
	"$BUILD/rtrack-run" --interval 0.25 bash "$BATS_TEST_TMPDIR/job.sh"
	page
	browse billed,stacked "$PAGE" 0.9
	browse scaled "$PAGE"
}

@test "page: CPU time that no process recorded is hatched and has no program" {
	"$BUILD/rtrack-run" --interval 0.02 sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done'
	rm "$(only_run)"/{member,exit}.csv
	page
	browse unknown "$PAGE"
}

@test "page: the page of a run with GPUs passes browser checks" {
	made_run gpu --gpu 2
	page "$RTRACK_SPOOL/gpu"
	browse "$MOST,narrow,paper,peaks" "$PAGE"
}

@test "page: the page of a run killed with its tracker passes browser checks" {
	setsid "$BUILD/rtrack-run" --interval 0.01 sh -c 'while :; do :; done' 3>&- &
	local launcher=$! tries=6000
	until [ "$(cat "$RTRACK_SPOOL"/*/process.csv 2>/dev/null | wc -l)" -gt 5 ]; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ]
		sleep 0.01
	done
	kill -KILL -- "-$launcher"
	wait "$launcher" || true
	# The root may still be running on another processor.
	local root
	root=$(json pid "$RTRACK_SPOOL"/*/run.json)
	while grep -q '^State:[[:space:]]*[^[:space:]Z]' "/proc/$root/status" 2>/dev/null; do
		sleep 0.01
	done
	# A run counts as ended if nothing has been written for a while.
	touch -d '1 hour ago' "$RTRACK_SPOOL"/*/*
	page
	# The signal is known while the root is a zombie.
	grep -qE 'Killed by (an unseen signal|signal 9 \(Killed\)) after' "$PAGE"
	browse "$MOST" "$PAGE"
}

@test "page: the page of a run that a signal ended names the signal" {
	run "$BUILD/rtrack-run" --interval 0.01 sh -c 'i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done; kill -KILL $$'
	[ "$status" -eq 137 ]
	page
	grep -q 'Killed by signal 9 (Killed)' "$PAGE"
	browse "$MOST" "$PAGE"
}

@test "page: the page of a run that took a millisecond passes browser checks" {
	"$BUILD/rtrack-run" true
	page
	browse opens,narrow,dark,paper,axe "$PAGE"
	# The process started and ended within one millisecond, and used CPU time.
	local run
	run=$(only_run)
	set_column "$run/exit.csv" timestamp "$(sed -n '2s/,.*//p' "$run/start.csv")"
	set_column "$run/exit.csv" utime 0.002
	page
	browse brief "$PAGE"
}

@test "page: the page of a run without rows says that nothing was measured" {
	"$BUILD/rtrack-run" true
	local file
	for file in "$RTRACK_SPOOL"/*/{process,system,member,exit}.csv; do sed -i 1q "$file"; done
	rm -f "$RTRACK_SPOOL"/*/.summary
	page
	grep -q 'Not measured: CPU, Memory' "$PAGE"
	browse opens,paper,axe "$PAGE"
}

@test "page: the page of a run with a million samples passes browser checks" {
	python3 "$PROJECT/bench/spool.py" "$BATS_TEST_TMPDIR/long" 1 1000000
	page --spool "$BATS_TEST_TMPDIR/long"
	rm -r "$BATS_TEST_TMPDIR/long"
	[ "$(wc -c <"$PAGE")" -lt 1000000 ]
	grep -q 'The charts show 1000000 ticks thinned to 1000 points' "$PAGE"
	browse "$MOST,peaks" "$PAGE"
}

@test "page: the page of a run with 5,000 concurrent processes passes browser checks" {
	made_run crowd --ticks 60 --crowd 5000
	sed -i -E '2,$s/^[0-9.]+/1795226459.500/' "$RTRACK_SPOOL/crowd/exit.csv"
	page "$RTRACK_SPOOL/crowd"
	browse together,pick,paper,axe "$PAGE"
}

@test "page: the page that compares two runs is valid HTML and passes browser checks" {
	made_run before --ticks 30 --job a.R
	made_run after --ticks 60 --job a.R
	"$BUILD/rtrack-report" compare "$RTRACK_SPOOL/before" "$RTRACK_SPOOL/after" --fail-if 'cpu_seconds<0' -o "$PAGE" >/dev/null
	valid "$PAGE"
	browse opens,paper,axe "$PAGE"
}

@test "page: a printed table repeats its heading on every sheet, but not its sum" {
	need pdftotext
	made_run many --ticks 30 --commands 70
	page "$RTRACK_SPOOL/many"
	browse print "$PAGE" "$BATS_TEST_TMPDIR/page.pdf"
	pdftotext -layout "$BATS_TEST_TMPDIR/page.pdf" "$BATS_TEST_TMPDIR/page.txt"
	# Form feeds separate the sheets.
	awk 'BEGIN { RS = "\f" }
		/tool-[0-9]+ -c/ { rows++; headings += /Program +Processes/ }
		/(^|\n) *All +[0-9]/ { sums++ }
		END { print rows, headings, sums; exit !(rows >= 2 && rows == headings && sums == 1) }' "$BATS_TEST_TMPDIR/page.txt"
}

# foot_is_not_alone PAGE: the last sheet contains more than the foot, wherever the page begins on its first sheet.
foot_is_not_alone() {
	local paper
	browse papers "$1" "$BATS_TEST_TMPDIR/paper"
	for paper in "$BATS_TEST_TMPDIR"/paper-*.pdf; do
		pdftotext -layout "$paper" - | awk 'BEGIN { RS = "\f" }
			/Made by rtrack-report/ { seen++; sub(/Made by rtrack-report.*/, ""); lines = gsub(/[^\n ][^\n]*\n/, "") }
			END { print FILENAME, seen, lines; exit !(seen == 1 && lines >= 3) }' || { echo "$paper"; return 1; }
	done
}

@test "page: the footer is never alone on a printed sheet" {
	need pdftotext
	made_run foot --ticks 1
	page "$RTRACK_SPOOL/foot"
	foot_is_not_alone "$PAGE"
	# The short page lists an earlier run before its foot.
	for _ in 1 2; do "$BUILD/rtrack-run" --job short true; done
	page short
	grep -q 'Compared with the run before it' "$PAGE"
	foot_is_not_alone "$PAGE"
}

@test "page: a very long command is printed without cut lines or overlaps" {
	made_run wordy --ticks 3
	jq --arg word "$(printf 'word-%.0s' {1..400})" '.command += [$word]' "$RTRACK_SPOOL/wordy/run.json" >"$BATS_TEST_TMPDIR/changed"
	mv "$BATS_TEST_TMPDIR/changed" "$RTRACK_SPOOL/wordy/run.json"
	page "$RTRACK_SPOOL/wordy"
	browse command "$PAGE"
}

@test "docs/picture.sh: tracks a job and draws the picture of README.md from its run" {
	need Rscript
	need_browser
	needs_module playwright-core
	cd "$BATS_TEST_TMPDIR"
	cat >job.R <<-'END'
		x <- parallel::mclapply(1:2, function(i) { held <- numeric(5e6); until <- Sys.time() + 1; while (Sys.time() < until) sum(sqrt(1:1e5)) }, mc.cores = 2)
	END
	"$PROJECT/docs/picture.sh" fresh.svg "$PWD/job.R"
	# Both pictures have the same elements, except for figures and curves.
	bones() { python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$1" && grep -oE '<(svg|g|pattern|clipPath|defs)[ >]' "$1" | sort | uniq -c; grep -oE '(CPU|Memory)</text>' "$1"; }
	bones fresh.svg >fresh
	bones "$PROJECT/docs/picture.svg" | diff - fresh
	for file in fresh.svg "$PROJECT/docs/picture.svg"; do
		[ "$(wc -c <"$file")" -lt 60000 ]
		fails grep -qE 'NaN|undefined|<script|href=' "$file"
	done
}

@test "export --to speedscope: the viewer speedscope shows CPU time and memory growth" {
	needs_module speedscope
	need_browser
	local run=20261121T020000Z-compute-7-10-0001
	make_run $run
	cat >"$RTRACK_SPOOL/$run/line.csv" <<-'EOF'
		"timestamp","pid","seconds","language","file","line","function","samples","samples_cut","cpu_seconds","memory_mib","memory_growth_mib"
		1795226401.000,10,1,"python","/home/me/job.py",42,"load",6,0,0.6,100,64
		1795226402.000,10,1,"python","/home/me/a ""b"" <c>.py",57,"fit",14,0,1.4,90,-10
		1795226402.000,11,1,"python","",,"unknown",1,0,0.5,90,
	EOF
	"$BUILD/rtrack-report" export --to speedscope -o "$BATS_TEST_TMPDIR/run.json" $run
	node "$PROJECT/tests/page/speedscope.mjs" "$BATS_TEST_TMPDIR/run.json" >"$BATS_TEST_TMPDIR/tables"
	jq -c '.["CPU time"]' <"$BATS_TEST_TMPDIR/tables" | tee /dev/stderr |
		grep -F '["fit","1.40s (56%)","1.40s (56%)"]' | grep -F '["R (process 10)","2.00s (80%)"' |
		grep -F '["job.py:42","600.00ms (24%)"' | grep -F '["(unknown)","500.00ms (20%)"' | grep -qF '["a \"b\" <c>.py:57","1.40s (56%)"'
	jq -c '.["Growth of memory"]' <"$BATS_TEST_TMPDIR/tables" | tee /dev/stderr | grep -qF '["load","64.00 MB (100%)","64.00 MB (100%)"]'
}

@test "export --to speedscope, collapsed: the viewer speedscope shows whole call stacks" {
	needs_module speedscope
	need_browser
	local run=20261121T020000Z-compute-7-10-0001 format
	make_run $run
	cat >"$RTRACK_SPOOL/$run/line.csv" <<-'EOF'
		"timestamp","pid","seconds","language","file","line","function","samples","samples_cut","cpu_seconds","memory_mib","memory_growth_mib","stack"
		1795226401.000,10,1,"python","/home/me/job.py",7,"clean",10,0,1,100,0,11
		1795226402.000,10,1,"python","/home/me/job.py",9,"train",30,0,3,100,0,12
	EOF
	write_stacks "$RTRACK_SPOOL/$run/stack.csv" <<-'EOF'
		11 /home/me/job.py:20:main;/home/me/job.py:7:clean;/usr/lib/python3.11/json/__init__.py:238:dumps
		12 /home/me/job.py:20:main;/home/me/job.py:9:train;/usr/lib/python3.11/json/__init__.py:238:dumps
	EOF
	for format in speedscope collapsed; do
		"$BUILD/rtrack-report" export --to $format -o "$BATS_TEST_TMPDIR/run" $run
		node "$PROJECT/tests/page/speedscope.mjs" "$BATS_TEST_TMPDIR/run" >"$BATS_TEST_TMPDIR/tables"
		# The names in the collapsed format end with the file and the line.
		jq -c '[.["CPU time"] // .[""] | .[] | map(sub(" \\([a-z_]+[.]py:[0-9]+\\)$"; "") | sub("^.* \\("; "(")) | .[0:3]]' "$BATS_TEST_TMPDIR/tables" | tee /dev/stderr |
			grep -F '["main","(100%)","(<0.01%)"]' | grep -F '["train","(75%)","(<0.01%)"]' | grep -F '["clean","(25%)","(<0.01%)"]' |
			grep -qF '["dumps","(100%)","(100%)"]'
	done
}
