#!/usr/bin/env bats
# Tests of 500 random process trees, tracked both ways and compared with the kernel's account: totals called exact must
# be exact, and each bound must hold (tests/lib/trees.py). `make check-truth TREES=20000` runs more trees.
# A tree that fails prints its seed. To run seeds again: SEEDS="17 93" bats tests/truth/trees.bats.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs

setup_file() {
	load ../lib/jobs
	TREE=$(victim tree)
	TREE_STATIC=$(victim tree "${CC:-cc}" -static) 2>/dev/null || TREE_STATIC=
	ACCOUNT=$(victim account)
	export TREE TREE_STATIC ACCOUNT
}

# trees WAY FIRST COUNT [OPTION…]
trees() {
	local way=$1 first=$2 count=$3
	shift 3
	mkdir -p "$BUILD/logs"
	python3 "$PROJECT/tests/lib/trees.py" --build "$BUILD" --tree "$TREE" --account "$ACCOUNT" --static "$TREE_STATIC" \
		--ways "$way" --first "$first" --count "$count" --seeds "${SEEDS:-}" "$@" >"$BUILD/logs/trees-$way-$first.log" 2>&1 || {
		cat "$BUILD/logs/trees-$way-$first.log"
		return 1
	}
	grep '^NOTE' "$BUILD/logs/trees-$way-$first.log" | sed 's/^/# /' >&3 || true
	# A tracker that calls nothing exact would pass, so a minimum number of exact totals is required.
	[ -n "${SEEDS:-}" ] || awk -v least="${CLAIMS:-0}" '/trees: / { if ($4 < least) { print; exit 1 } }' "$BUILD/logs/trees-$way-$first.log"
}

# These failures are not explained. Tree 51156 under LD_PRELOAD alone, with the root as pid 1, had 25 ms too much in one
# whole check, and not in 60 runs before. Roots like this one had too much in tests/unit/sampler/orders.c, but those
# causes are fixed.
# Other failures were seen once on a machine with a load of 25 to 45, and not in 40 to 160 repetitions. Tree 723424
# under rtrack-run, with PID namespaces in its children, had 34 ms too much. Under LD_PRELOAD, the bounds of 702499,
# 62344, 720742, 721738, 721867 and 723025 were 20 to 136 ms too low, and 700986 was called exact although 27 ms were
# missing. Perhaps the root and a guard used CPU time after the control group was read.
@test "random process trees 1 to 250 under LD_PRELOAD alone have right totals" {
	CLAIMS=30 trees preload 1 250
}

@test "random process trees 251 to 500 under rtrack-run have right totals" {
	CLAIMS=150 trees launcher 251 250
}

# The causes were these. Under rtrack-run, /proc showed another namespace, and reaped processes could not be read. Tree
# 53302 has an unseen child that ignores SIGCHLD, and other processes are in its control group. The bounds of the last
# three trees were some ms too low on a busy machine.
# Some preloaded roots were pid 1, which adopts orphans and whose end kills all other processes.
# From 720330 on: a parent was listed but had ended before it was read (3 of 48 runs failed); the new sampling process
# read a zombie; roots had no free descriptor, so it is unknown what they left (18 of 65).
# From 6000160 on: a parent without records was between the root and a killed child (10 of 12); /proc hid orphans from
# rtrack-run (7 of 10); a zombie was read and had ended before its child; a recorded process below a parent without
# records was searched for before its record came.
# In 8000071 and 9003426, a process of an inner namespace had the root's pid there. In 9105626 and 9108356, rtrack-run
# is pid 1, and unseen children of a process that ignored SIGCHLD were in no account (3 and 8 of 10). In 9105942, which
# also has a foreign /proc, a child's row came many ticks before the account that contained it (8 of 10).
@test "process trees whose totals were once wrong have right totals" {
	SEEDS="${SEEDS:-50373 50393 50587 53302 50134 51777 53903 720330 720461 720564 6000160 6000190 6000653 8000071 9003426 9105626 9105942 9108356}" trees launcher 0 0
	SEEDS="${SEEDS:-51164 51523 51772 702486 703238 720570 6001710 6002376}" trees preload 0 0
}

@test "random process trees 501 to 600, some of them killed, have right totals" {
	trees preload,launcher 501 100 --kill-roots
}
