#!/usr/bin/env bats
# Tests of line.csv: CPU time and memory of Python and R lines are compared with what the program measures itself.

load ../lib/helper

setup() {
	need python3
	PYTHON=$(python3 -c 'import sys; print(sys.executable)')
	"$PYTHON" -c 'import sys; sys.exit(not (3, 8) <= sys.version_info < (3, 15))' || skip "lines are read of Python 3.8 to 3.14"
	cd "$BATS_TEST_TMPDIR"
	cat >job.py <<-'EOF'
		import json, sys, time
		used = {}
		def account(line, before):
		    used[line] = used.get(line, 0) + time.thread_time() - before
		def slow(n):
		    x = 0
		    for i in range(n): x += i * i                       # line 7
		data = list(range(40000))
		end = time.time() + float(sys.argv[1])
		while time.time() < end:
		    before = time.thread_time(); slow(600000); account(7, before)
		    before = time.thread_time(); json.loads(json.dumps(data)); account(12, before)  # line 12
		for line in used: print(line, used[line])
	EOF
}

# sum_of COLUMN TEXT: prints the sum of a column over the rows of line.csv that contain TEXT.
sum_of() {
	awk -F, -v name="\"$1\"" -v with="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) n = i; next }
		index($0, with) { sum += $n } END { printf "%.6f\n", sum }' "$run/line.csv"
}

# both_ways CHECK COMMAND...: runs a command under rtrack-run and under LD_PRELOAD alone, and then CHECK.
both_ways() {
	local way
	for way in launcher preload; do
		rm -rf "$RTRACK_SPOOL"
		case $way in
		launcher) "$BUILD/rtrack-run" "${@:2}" >out ;;
		preload) preload "${@:2}" >out ;;
		esac
		run=$(only_run)
		"$1" || return
	done
}

# wrong_twice CHECK...: a check fails only if it fails twice. On a busy machine samples are few, and a row may be late.
wrong_twice() {
	"$@" || { echo "wrong once: $(cat wrong)"; "$@"; }
}

# shares_are_true SCRIPT LINE…: `out` has a row "LINE SECONDS" for each line.
shares_are_true() {
	local all samples job=$1 line
	all=$(awk '{ sum += $2 } END { print sum }' out)
	samples=$(sum_of samples "$job\",")
	for line in "${@:2}"; do
		# The tolerance is five percentage points plus three standard deviations for this number of samples.
		awk -v truth="$(awk -v line=$line '$1 == line { print $2 }' out)" -v all="$all" -v samples="$samples" \
			-v seen="$(sum_of cpu_seconds "$job\",$line,")" -v lines="$(sum_of cpu_seconds "$job\",")" \
			'BEGIN { p = truth / all; d = p - seen / lines; may = 0.05 + 3 * sqrt(p * (1 - p) / samples)
				print 100 * p, 100 * seen / lines, samples, 100 * may; exit !(samples >= 20 && d < may && d > -may) }' >wrong || return
	done
	# The rows sum to the CPU time of the process, except for what it uses after the last sample, while it ends.
	awk -v rows="$(sum_of cpu_seconds '')" -v all="$(awk -F, 'NR > 1 { sum += $5 + $6 } END { print sum }' "$run/exit.csv")" \
		'BEGIN { print rows, all; d = rows - all; exit !(d < 0.05 + all / 20 && d > -0.05 - all / 20) }' >wrong || return
	[ "$(stat -c %a "$run/line.csv")" = 600 ] && [ "$(stat -c %a "$run/stack.csv")" = 600 ]
}

shares_of_python() {
	shares_are_true job.py 7 12
}

shares_of_r() {
	shares_are_true job.R 5 6 8 && grep -q '"job.R",6,"slow"' "$run/line.csv"
}

@test "CPU time of a Python line matches what the program measures itself" {
	export RTRACK_LINES=25
	wrong_twice both_ways shares_of_python "$PYTHON" job.py 10
}

# functions_are_true: compares each own function's share of the CPU time of all own functions with its share in `out`, and
# checks that no function of a library is listed.
functions_are_true() {
	local samples
	"$BUILD/rtrack-report" show -v "$run" --by function --format json >functions.json
	samples=$(jq '[.functions[] | select(.file != null and (.file | endswith("/work.py")))] | map(.samples) | add' functions.json)
	while read -r name truth; do
		# The tolerance is the same as in shares_are_true.
		awk -v truth="$truth" -v samples="$samples" -v name="$name" -v seen="$(jq --arg name "$name" \
			'[.functions[] | select(.file != null and (.file | endswith("/work.py")))] |
				(map(select(.function == $name) | .cpu_seconds) | add) / (map(.cpu_seconds) | add)' functions.json)" \
			'BEGIN { may = 0.05 + 3 * sqrt(truth * (1 - truth) / samples)
				print name, truth, seen, samples; d = truth - seen; exit !(samples >= 20 && d < may && d > -may) }' >wrong || return
	done <out
	jq -e '[.functions[] | select(.file != null)][:2] | map(.function) | sort == ["clean", "train"]' functions.json >wrong &&
		jq -e '[.functions[] | select(.function == "<module>" and .total_cpu_share > 0.5)] | length == 1' functions.json >wrong
}

@test "the CPU time of a library belongs to the function that called it" {
	need jq
	cat >work.py <<-'EOF'
		import json, time
		data = list(range(20000))
		def clean(until):
		    while time.thread_time() < until: json.dumps(data, indent=1)
		def train(until):
		    while time.thread_time() < until: json.dumps(data, indent=1)
		used = [0, 0]
		# Both functions run many times in turn, so their shares do not depend on when the first sample is taken.
		for _ in range(10):
		    begun = time.thread_time()
		    clean(begun + 0.1)
		    between = time.thread_time()
		    train(between + 0.3)
		    used[0] += between - begun
		    used[1] += time.thread_time() - between
		print("clean", used[0] / sum(used))
		print("train", used[1] / sum(used))
	EOF
	export RTRACK_LINES=25
	wrong_twice both_ways functions_are_true "$PYTHON" work.py
}

@test "RTRACK_OWN names an installed package as the user's code" {
	mkdir -p lib/python3/site-packages/mine
	printf '%s\n' 'import json, time' 'data = list(range(20000))' 'def fit(until):' \
		'    while time.thread_time() < until: json.dumps(data, indent=1)' >lib/python3/site-packages/mine/model.py
	printf '%s\n' 'import os, sys' 'sys.path.insert(0, os.path.abspath("lib/python3/site-packages"))' 'from mine.model import fit' 'fit(2)' >work.py
	"$BUILD/rtrack-run" --own 'other,mine' "$PYTHON" work.py
	run=$(only_run)
	grep -q 'site-packages/mine/model.py",4,"fit"' "$run/line.csv"
	grep -q 'site-packages/mine/model.py",4,"fit",1$' "$run/stack.csv"
	rm -rf "$RTRACK_SPOOL"
	"$BUILD/rtrack-run" "$PYTHON" work.py
	run=$(only_run)
	grep -q 'work.py",4,"<module>"' "$run/line.csv"
	fails grep -q 'site-packages/mine/model.py",4,"fit",1$' "$run/stack.csv"
	# A package that pip has installed from a folder is the user's code without a setting.
	mkdir source lib/python3/site-packages/mine-1.0.dist-info
	touch source/pyproject.toml
	echo '{"dir_info": {}, "url": "file://'"$PWD"'/source"}' >lib/python3/site-packages/mine-1.0.dist-info/direct_url.json
	echo 'mine/model.py,,' >lib/python3/site-packages/mine-1.0.dist-info/RECORD
	rm -rf "$RTRACK_SPOOL"
	preload "$PYTHON" work.py
	run=$(only_run)
	grep -q 'site-packages/mine/model.py",4,"fit"' "$run/line.csv"
}

# grown_by SCRIPT LINE: the line grew memory by about 300 MiB.
grown_by() {
	awk -v grown="$(sum_of memory_growth_mib "$1\",$2,")" 'BEGIN { print grown; exit !(grown > 270 && grown < 330) }' >wrong
}

grown_in_python() {
	grown_by grow.py 2
}

grown_in_r() {
	grown_by grow.R 3
}

@test "line.csv has the code line in which memory grows" {
	printf '%s\n' 'import time; held = []; time.sleep(1.5)' \
		'for i in range(150): held.append(bytearray(b"x") * (2 << 20)); time.sleep(0.02)' 'time.sleep(0.5)' >grow.py
	wrong_twice both_ways grown_in_python "$PYTHON" grow.py
}

@test "R: code lines are found by expression, with CPU time and memory" {
	need Rscript
	[ "$(uname -m)" = x86_64 ] || skip "lines of R are read on x86-64"
	cat >job.R <<-'EOF'
		slow <- function(n) { x <- 0; for (i in seq_len(n)) x <- x + sqrt(i) }
		used <- function() sum(proc.time()[1:2])
		until <- function(seconds) { end <- used() + seconds; function() used() < end }
		begun <- used(); more <- until(2)
		while (more()) sort(runif(1e5)); a <- used() - begun         # line 5
		more <- until(4); while (more()) slow(1e5)
		b <- used() - begun - a; more <- until(1)
		while (more()) {                                             # line 8
		  slow(1e5)
		}
		cat(5, a, "\n"); cat(6, b, "\n"); cat(8, used() - begun - a - b, "\n")
	EOF
	export RTRACK_LINES=25
	wrong_twice both_ways shares_of_r Rscript job.R
	printf '%s\n' 'Sys.sleep(1.5); held <- list()' '# 300 MiB' \
		'for (i in 1:150) { held[[i]] <- rnorm(262144); Sys.sleep(0.02) }' 'Sys.sleep(0.5)' >grow.R
	wrong_twice both_ways grown_in_r Rscript grow.R
	# A function that mclapply calls has its own name, and not that of the parameter.
	printf '%s\n' 'fit_one <- function(i) { end <- proc.time()[[1]] + 1; while (proc.time()[[1]] < end) sqrt(runif(1e4)) }' \
		'invisible(parallel::mclapply(1:2, fit_one, mc.cores = 2))' \
		'...future.FUN <- function(fold, rate = 2) { end <- proc.time()[[1]] + 1; while (proc.time()[[1]] < end) sqrt(runif(1e4)) }' \
		'invisible(lapply(1, function(i) ...future.FUN(i)))' >folds.R
	rm -rf "$RTRACK_SPOOL"
	"$BUILD/rtrack-run" Rscript folds.R
	run=$(only_run)
	grep -q '"folds.R",[0-9]*,"fit_one"' "$run/line.csv"
	# In a worker of future, only ...future.FUN holds the function, so its parameters are recorded.
	grep -qF '"function(fold, rate)"' "$run/line.csv"
	fails grep -q '"FUN",1$' "$run/stack.csv"
}

@test "R: code of a chunk of a document has the label of the chunk" {
	need Rscript r-cran-knitr
	[ "$(uname -m)" = x86_64 ] || skip "lines of R are read on x86-64"
	printf '%s\n' '```{r start}' 'used <- function() sum(proc.time()[1:2])' \
		'fit <- function() { end <- used() + 1; while (used() < end) sqrt(runif(1e4)) }' '```' \
		'```{r load}' 'end <- used() + 1' 'while (used() < end) sqrt(runif(1e4))' '```' '```{r train}' 'fit()' '```' >study.Rmd
	"$BUILD/rtrack-run" --lines 25 Rscript -e 'knitr::knit("study.Rmd", quiet = TRUE)' >/dev/null
	run=$(only_run)
	grep -qF '"chunk load"' "$run/line.csv"
	grep -qF '"fit"' "$run/line.csv"
}

embedded() {
	local cpu
	cpu=$(sum_of cpu_seconds 'job.py",')
	awk -v seen="$cpu" 'BEGIN { exit !(seen > 0) }' || { echo "lines have $cpu s"; return 1; }
}

@test "a program that embeds Python gets code lines after a second of CPU time" {
	local library folder
	library=$("$PYTHON" -c 'import sysconfig as c; print("python" + c.get_config_var("LDVERSION"))')
	folder=$("$PYTHON" -c 'import sysconfig as c; print(c.get_config_var("LIBDIR"))')
	echo 'int Py_BytesMain(int, char **); int main(int count, char **words) { return Py_BytesMain(count, words); }' >solver.c
	cc -o solver solver.c -L"$folder" -Wl,-rpath,"$folder" "-l$library" 2>err || skip "this Python is linked statically"
	sed -i 's/^end = .*/begun = time.process_time()/; s/^while .*/while time.process_time() < begun + float(sys.argv[1]):/' job.py
	both_ways embedded ./solver job.py 4
}

no_lines() {
	[ ! -e "$run/line.csv" ]
}

wait_for_end() {
	local deadline=$((SECONDS + 60))
	while pgrep -f "^rtrack-keeper $run" >/dev/null; do
		[ $SECONDS -lt $deadline ] || return 1
		sleep 0.1
	done
}

@test "a process that outlives the job's first process gets code lines" {
	[ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" = 0 ] || skip "Yama forbids to read the memory of other processes"
	local root_end
	preload sh -c '"$1" job.py 7 >out & sleep 2' sh "$PYTHON"
	root_end=$(date +%s)
	run=$(only_run)
	wait_for_end
	awk -F, -v end="$root_end" 'index($0, "job.py\"") && $1 > end + 1 { n++ } END { exit !(n >= 2) }' "$run/line.csv"
	awk -v rows="$(sum_of cpu_seconds '')" -v all="$(awk '{ sum += $2 } END { print sum }' out)" \
		'BEGIN { print rows, all; exit !(rows > 0.75 * all && rows < 1.1 * all + 0.3) }'
	rm -rf "$RTRACK_SPOOL"
	RTRACK_LINES=off preload sh -c '"$1" job.py 3 >out & sleep 1' sh "$PYTHON"
	run=$(only_run)
	wait_for_end
	no_lines
}

@test "with RTRACK_LINES=off, or without an interpreter, no code lines are recorded" {
	RTRACK_LINES=off both_ways no_lines "$PYTHON" job.py 2
	both_ways no_lines sleep 1.5
	run "$BUILD/rtrack-run" --lines 1000 true
	[ "$status" -eq 125 ]
	[[ $output == *"off or a number from 0.1"* ]]
}

@test "memory of a process that is not an interpreter is not read" {
	need strace
	strace -f -o calls -e trace=process_vm_readv "$BUILD/rtrack-run" --no-preload sh -c 'sleep 1.5 & wait'
	fails grep -q process_vm_readv calls
	strace -o calls -e trace=process_vm_readv "$BUILD/rtrack-run" --no-preload "$PYTHON" job.py 1.5 >out
	grep -q process_vm_readv calls
}

@test "if the memory of a process cannot be read, it has no code lines and no message" {
	need strace
	strace -o calls -e trace=process_vm_readv -e inject=process_vm_readv:error=EPERM \
		"$BUILD/rtrack-run" --no-preload "$PYTHON" job.py 2 2>err >out
	grep -q EPERM calls
	[ "$(wc -l <calls)" -lt 10 ]
	[ ! -s err ]
	run=$(only_run)
	no_lines
}

# early_lines: the first process, its fork and the interpreter that it starts have lines, although no sample of processes
# was due before their end.
early_lines() {
	local name
	for name in first forked started; do
		grep -q "early.py\",[0-9]*,\"$name\",1\$" "$run/stack.csv" || { echo "no sample in $name" >wrong; return 1; }
	done
	# The sum of the rows includes the time before the first sample and after the last one.
	awk -v rows="$(sum_of cpu_seconds '')" -v all="$(awk -F, 'NR > 1 { sum += $5 + $6 } END { print sum }' "$run/exit.csv")" \
		'BEGIN { print rows, all; d = rows - all; exit !(d < 0.05 + all / 20 && d > -0.05 - all / 20) }' >wrong || return
	grep -qF '"",,"before the first sample",' "$run/line.csv"
}

@test "processes that are shorter than an interval have code lines" {
	cat >early.py <<-'EOF'
		import os, subprocess, sys, time
		def spin():
		    end = time.process_time() + 1.5
		    while time.process_time() < end: pass
		def first():
		    spin()
		def forked():
		    spin()
		    os._exit(0)
		def started():
		    spin()
		if sys.argv[1:]:
		    started()
		else:
		    child = os.fork()
		    if child == 0: forked()
		    subprocess.run([sys.executable, "early.py", "again"], check=True)
		    first()
		    os.waitpid(child, 0)
	EOF
	export RTRACK_INTERVAL=3600
	wrong_twice both_ways early_lines "$PYTHON" early.py
}

@test "at the highest rate, lines are sampled until the program ends" {
	printf 'import time\nwhile time.process_time() < 3: pass\n' >spin.py
	"$BUILD/rtrack-run" --lines 100 "$PYTHON" spin.py
	run=$(only_run)
	awk -v spin="$(sum_of cpu_seconds 'spin.py",2,')" 'BEGIN { print spin; exit !(spin > 1.5) }'
}
