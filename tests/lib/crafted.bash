# Makes runs with large tables that a user has made up, and runs rtrack-report on them with limits of CPU time and memory.

ID=20261121T020000Z-compute-7-10-0001

setup() {
	cd "$BATS_TEST_TMPDIR"
}

# crafted TABLE ROWS HEADER ROW: replaces a table of the run $run. awk's printf makes each row from the format ROW, in which
# up to three %d are the number of the row.
crafted() {
	awk -v rows="$2" -v header="$3" -v row="$4\n" 'BEGIN { print header; for (i = 1; i <= rows; i++) printf row, i, i, i }' >"$run/$1.csv"
}

# within SECONDS ARG…: runs rtrack-report with at most that much CPU time.
within() {
	(ulimit -t "$1" && exec "$BUILD/rtrack-report" "${@:2}")
}

# below_mib MIB ARG…: runs rtrack-report with at most that much address space. A sanitizer needs terabytes, so it has no
# limit.
below_mib() {
	([ -n "${SANITIZER-}" ] || ulimit -v $(($1 << 10)) && exec "$BUILD/rtrack-report" "${@:2}")
}
