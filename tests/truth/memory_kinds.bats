#!/usr/bin/env bats
# Tests of kinds of memory: file pages, which the kernel can drop, and huge pages, which no other figure includes

load ../lib/helper
load ../lib/jobs

# holds: writes and runs a program that keeps memory until a tick has read it. The program ends once process.csv has
# four more rows.
holds() {
	cat >"$BATS_TEST_TMPDIR/holds.py" <<'EOF'
import glob, mmap, os, sys, tempfile, time
if sys.argv[1] == "file":
    file = tempfile.NamedTemporaryFile(dir="/var/tmp")
    for _ in range(100):
        file.write(bytes(1 << 20))
    file.flush()
    held = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    sum(held[i] for i in range(0, len(held), 4096))
else:
    held = mmap.mmap(-1, 40 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x40000)
    held[:] = bytes(len(held))
rows = lambda: sum(len(open(name).readlines()) for name in glob.glob(os.environ["RTRACK_SPOOL"] + "/*/process.csv"))
end = rows() + 4
while rows() < end:
    time.sleep(0.05)
EOF
	RTRACK_INTERVAL=0.2 "$@"
}

largest() {
	column "$1/process.csv" "$2" | sort -g | tail -1
}

@test "memory_file_mib counts mapped pages of files" {
	for way in "$BUILD/rtrack-run" preload; do
		holds "$way" python3 "$BATS_TEST_TMPDIR/holds.py" file
		run=$(only_run)
		awk -v file="$(largest "$run" memory_file_mib)" -v all="$(largest "$run" memory_mib)" \
			'BEGIN { exit !(file >= 100 && file <= all && all < 160) }'
		rm -rf "$RTRACK_SPOOL"
	done
}

@test "mapped file pages count neither for --max-memory nor for the request" {
	holds "$BUILD/rtrack-run" --max-memory 70M python3 "$BATS_TEST_TMPDIR/holds.py" file
	run "$BUILD/rtrack-report" stats --format json
	[ "$(jq '.totals | .peak_memory_mib >= 75 and .peak_memory_needed_mib < 60' <<<"$output")" = true ]
	output=$("$BUILD/rtrack-report" recommend --offline --format json 2>/dev/null)
	[ "$(jq '.resources.memory < 160' <<<"$output")" = true ]
}

@test "huge pages are in hugetlb_mib, in the peak and in the request" {
	[ "$(awk '/HugePages_Free/ { print $2 }' /proc/meminfo)" -ge 20 ] || skip "this machine has no huge pages to give"
	holds "$BUILD/rtrack-run" python3 "$BATS_TEST_TMPDIR/holds.py" huge
	[ "$(largest "$(only_run)" hugetlb_mib)" = 40.000 ]
	run "$BUILD/rtrack-report" stats --format json
	[ "$(jq '.totals | .peak_memory_mib >= 45 and .peak_memory_needed_mib >= 45 and .peak_memory_at_most_mib >= 45' <<<"$output")" = true ]
	[ "$(jq .totals.exact_memory <<<"$output")" = false ]
	output=$("$BUILD/rtrack-report" recommend --offline --format json 2>/dev/null)
	[ "$(jq '.resources.memory >= 120' <<<"$output")" = true ]
}

@test "file pages that are locked in memory are counted in needed memory" {
	"$BUILD/rtrack-run" "$(victim kinds)" locked 100 || skip "this user may not lock 100 MiB of memory"
	run "$BUILD/rtrack-report" stats --format json
	[ "$(jq '.totals.peak_memory_needed_mib >= 100' <<<"$output")" = true ]
	[ "$(largest "$(only_run)" locked_mib)" = 100.000 ]
}

@test "memory given back by MADV_FREE does not end a job under --max-memory" {
	"$BUILD/rtrack-run" --max-memory 150M "$(victim kinds)" freed 100
}

@test "page tables of processes that share memory are counted in needed memory" {
	"$BUILD/rtrack-run" "$(victim kinds)" tables 200
	run "$BUILD/rtrack-report" stats --format json
	# Each of the twenty forks needs 8 bytes of page table for each of 51,200 pages.
	[ "$(jq '.totals | .peak_memory_needed_mib - .peak_memory_mib | . >= 7 and . < 20' <<<"$output")" = true ]
}
