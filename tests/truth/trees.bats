#!/usr/bin/env bats
# 500 random trees of processes, each tracked in both ways and held against the kernel's account: what is called exact is,
# and each bound holds. See tests/lib/trees.py; `make check-truth TREES=20000` grows more.
#
# A tree that fails says so and how it is grown again: SEEDS="17 93" bats tests/truth/trees.bats.
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
	# A tracker that claims nothing helps no user.
	[ -n "${SEEDS:-}" ] || awk -v least="${CLAIMS:-0}" '/trees: / { if ($4 < least) { print; exit 1 } }' "$BUILD/logs/trees-$way-$first.log"
}

# 51156 under a bare LD_PRELOAD, with process 1 as the root, had 25 ms too much in a whole check, and not in 60 runs before. Such
# roots had too much in tests/unit/sampler/orders.c for causes that are gone; whether one of them was its own is not known.
# Open, each seen once on a machine with a load of 25 to 45, and not in 40 to 160 more of the same seed: 723424 under rtrack-run
# had 34 ms too much (PID namespaces of its children); the bounds of 702499, 62344, 720742, 721738, 721867 and 723025 under
# LD_PRELOAD were 20 to 136 ms short, and 700986 was called exact with 27 ms missing: perhaps what was used after the control
# group had been asked, at the ends of the root and of a guard.
@test "random trees 1 to 250 under a bare LD_PRELOAD" {
	CLAIMS=30 trees preload 1 250
}

@test "random trees 251 to 500 under rtrack-run" {
	CLAIMS=150 trees launcher 251 250
}

# Under rtrack-run /proc told of others, and what was reaped could not be read. 53302 has an unseen child that ignores SIGCHLD
# beside others in the control group. The bounds of the last three were some ms short on a busy machine. The bare roots were
# process 1, which takes in orphans, and takes along what is left. From 720330 on: a parent that was listed and gone before it
# was read (3 of 48), a zombie that a keeper caught, and roots without a descriptor, so that it is unknown what they left (18 of
# 65). From 6000160 on: a silent parent between the root and one that was killed (10 of 12), orphans of which /proc told
# rtrack-run nothing (7 of 10), a caught zombie that ended before its child, and a speaker below a silent parent that was looked
# for before it was heard. In 8000071 and 9003426 a process of a namespace below had the root's pid there. In 9105626 and 9108356
# rtrack-run is process 1, and unseen children of a process that ignored SIGCHLD were in no account (3 and 8 of 10). In 9105942,
# with the /proc of others besides, a child's row came many ticks before the account that held it (8 of 10).
@test "trees that were told wrongly once" {
	SEEDS="${SEEDS:-50373 50393 50587 53302 50134 51777 53903 720330 720461 720564 6000160 6000190 6000653 8000071 9003426 9105626 9105942 9108356}" trees launcher 0 0
	SEEDS="${SEEDS:-51164 51523 51772 702486 703238 720570 6001710 6002376}" trees preload 0 0
}

@test "random trees 501 to 600 with roots that may be killed as well, both ways" {
	trees preload,launcher 501 100 --kill-roots
}
