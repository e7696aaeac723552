#!/usr/bin/env bats
# 200 random trees of processes, each held against the kernel's account and against the tree's own.
#
# A tree is its seed (tests/victims/work/tree.c). One that fails says so and how it is run again:
# TREES="17 93" bats tests/truth/trees.bats. The bounds are 1 % and 20 ms of CPU, and of the largest process 1 % and 1 MiB.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/exact

setup_file() {
	load ../lib/jobs
	TREE=$(victim tree)
	TREE_STATIC=$(victim tree "${CC:-cc}" -static) 2>/dev/null || TREE_STATIC=
	ACCOUNT=$(victim account)
	export TREE TREE_STATIC ACCOUNT
}

# Runs a tree in one way in a directory of its own: grow WAY SEED; prints the directory.
grow() {
	local way=$1 seed=$2 place=$BATS_TEST_TMPDIR/$1-$2 tracker=()
	mkdir "$place"
	case $way in
	preload) tracker=(env "LD_PRELOAD=$LIBRARY") ;;
	launcher) tracker=("$BUILD/rtrack-run") ;;
	esac
	RTRACK_SPOOL=$place RTRACK_INTERVAL=0.0$((seed % 3 * 4 + 1)) timeout -k 5 100 "$ACCOUNT" "$place/account" "${tracker[@]}" \
		"$TREE" "$seed" "$place/notes" "$TREE_STATIC" >"$place/said" 2>&1 </dev/null 3>&-
}

# How many orphans there were, and CPU seconds of those that no row names, and of their children, of which nobody told
# anybody.
# Without rtrack-run they are reaped outside the run. Those that speak at their end, or live for a tick, have a row.
unheard() {
	awk 'FNR == NR { split($0, cell, ","); has_row[cell[2]] = 1; next }
		$3 == "exec" { next }
		{ cpu[$4] = $1; parent[$4] = $5; passes[$4] = $3 == "middle" }
		END {
			for (pid in cpu) {
				for (at = pid; !(at in has_row) && parent[at] in cpu && !passes[parent[at]];)
					at = parent[at]
				sum += at in has_row ? 0 : cpu[pid] + 0.003
				orphans += !(parent[pid] in cpu) || passes[parent[pid]]
			}
			printf "unheard %.6f\norphans %d\n", sum, orphans - 1 # the root is none
		}' "$2/start.csv" "$1/notes"
}

# What the tree, the kernel and the run say, one figure a line: name and value.
figures() {
	awk '$3 != "exec" { cpu += $1; bytes += $2; count++ } $3 == "ignores" { ignores = 1 }
		END { printf "own_cpu %.6f\nown_bytes %d\nown_count %d\nignores %d\n", cpu, bytes, count, ignores }' "$1/notes"
	awk '{ printf "kernel_cpu %.6f\nkernel_peak %.3f\n", $1 - $4, $2 / 1024 }' "$1/account"
	"$BUILD/rtrack-report" stats --format json "$2" |
		sed -n 's/^.*"\(cpu_seconds\|processes\|exact\)":[[:space:]]*\([^,}]*\).*/\1 \2/p'
	unheard "$1" "$2"
	printf 'silent %s\n' "$(grep -c '"sampler"' "$2/exit.csv")"
	printf 'tracker %s\nread %s\nwritten %s\nmissing %s\npeak %s\n' "$(sum_of "$2/system.csv" tracker_cpu)" \
		"$(sum_of "$2/process.csv" read_chars)" "$(sum_of "$2/process.csv" write_chars)" \
		"$(sum_of "$2/exit.csv" missing_cpu)" "$(largest_process "$2")"
}

# Prints what is wrong with a tree, and nothing if it is right: judge WAY PLACE RUN
judge() {
	figures "$2" "$3" | awk -v way="$1" '
		{ f[$1] = $2 }
		function wrong(what) { printf "%s; ", what }
		END {
			kernel = f["kernel_cpu"] - f["tracker"]; cpu = f["cpu_seconds"]
			slack = 0.02 + 0.01 * kernel
			# Where SIGCHLD is ignored the kernel adds children to nobody; what they know themselves lacks their ends.
			most = f["ignores"] ? f["own_cpu"] + 0.003 * f["own_count"] : kernel
			least = f["ignores"] ? f["own_cpu"] : kernel
			if (f["ignores"] && kernel > most) most = kernel
			if (way == "preload") least -= f["unheard"]
			if (cpu == "" || kernel <= 0) wrong("no figures")
			if (cpu > most + slack) wrong("too much CPU")
			if (cpu + f["missing"] < least - slack) wrong("too little CPU")
			# The launcher reaps every orphan; without one, what ends between two ticks may be in no account.
			whole = !f["ignores"] && (way == "launcher" || f["exact"] == "true" && f["unheard"] == 0)
			if ((whole || f["exact"] == "true") && cpu < least - slack) wrong("less than exact")
			# rtrack-run itself is in what the kernel says, and may be the largest of a small tree.
			# The peak of an orphan that says nothing is known as of the last tick, and to nobody who reaped it.
			away = f["peak"] - f["kernel_peak"]
			if (whole && (way == "launcher" || f["silent"] == 0) && f["kernel_peak"] > 12 && away * away > (1 + 0.01 * f["kernel_peak"]) ^ 2) wrong("peak")
			room = 16384 * f["own_count"] + 0.01 * f["own_bytes"]
			# No record tells bytes that the page cache answered: an orphan has those of the last tick, its parent none.
			if (way == "preload" && f["orphans"] > 0) whole = 0
			if (whole && f["read"] < f["own_bytes"]) wrong("bytes read are missing")
			if (whole && f["written"] < f["own_bytes"]) wrong("bytes written are missing")
			if (f["read"] > f["own_bytes"] + room) wrong("too many bytes read")
			if (f["written"] > f["own_bytes"] + room) wrong("too many bytes written")
			if (f["processes"] > f["own_count"]) wrong("too many processes")
		}'
}

# Grows one tree and says what is wrong with it: try_tree WAY SEED
try_tree() {
	local place=$BATS_TEST_TMPDIR/$1-$2 run problem
	grow "$1" "$2" || echo "tree $2 under $1 ended with status $?: $(tail -n 2 "$place/said")"
	run=$(RTRACK_SPOOL=$place only_run_in "$place")
	problem=$(is_over "$run" && judge "$1" "$place" "$run")
	if [ -n "$problem" ]; then
		echo "tree $2 under $1: $problem(TREES=$2 bats tests/truth/trees.bats)"
		figures "$place" "$run" | tr '\n' ' '
		echo
	fi
	rm -rf "$place"
}

only_run_in() {
	local runs=("$1"/*/run.json)
	[ ${#runs[@]} -eq 1 ] && printf '%s\n' "${runs[0]%/run.json}"
}

# Grows trees FROM to TO in one way, six at a time, and fails if any is wrong.
trees() {
	local way=$1 seed running=0 from=$2 to=$3
	for seed in ${TREES:-$(seq "$from" "$to")}; do
		try_tree "$way" "$seed" >"$BATS_TEST_TMPDIR/$way-$seed.problem" 2>&1 &
		running=$((running + 1))
		[ $running -lt 6 ] || wait -n
	done
	wait
	cat "$BATS_TEST_TMPDIR"/*.problem
	[ -z "$(cat "$BATS_TEST_TMPDIR"/*.problem)" ]
}

@test "random trees 1 to 50 under a bare LD_PRELOAD" {
	trees preload 1 50
}

@test "random trees 51 to 100 under a bare LD_PRELOAD" {
	trees preload 51 100
}

@test "random trees 101 to 150 under rtrack-run" {
	trees launcher 101 150
}

@test "random trees 151 to 200 under rtrack-run" {
	trees launcher 151 200
}
