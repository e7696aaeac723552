# Tests of another processor, by qemu-user (packages/guest).

# make_guest MACHINE: for setup_file; leaves $guest, the directory of its programs, and $emulate, what runs a file of it.
make_guest() {
	local status=0
	"$PROJECT/packages/guest" "$1" 2>"$BATS_FILE_TMPDIR/why" || status=$?
	[ "$status" -ne 77 ] || skip "$(cat "$BATS_FILE_TMPDIR/why")"
	[ "$status" -eq 0 ] || { cat "$BATS_FILE_TMPDIR/why"; return 1; }
	machine=$1
	guest=$BUILD/guests/$1
	emulate="qemu-$1 -L /usr/$1-linux-gnu"
	burn=$(victim burn "$1-linux-gnu-gcc" -static-libgcc)
	export machine guest emulate burn
}

# Every one passes, and there are so many; but core_spool, which goes through all days until the year 9999.
units_pass() {
	cd "$PROJECT"
	local failed='' count=0 unit
	for unit in "$guest"/build/unit/*; do
		case $unit in
		*.* | */core_spool) continue ;;
		esac
		timeout 100 $emulate "$unit" >"$BATS_TEST_TMPDIR/said" 2>&1 || { failed="$failed $unit"; grep '^not ok' "$BATS_TEST_TMPDIR/said" || :; }
		count=$((count + 1))
	done
	[ -z "$failed" ] || { echo "failed:$failed"; return 1; }
	[ "$count" -ge "$1" ]
}

# What was built is for that machine, by its header and by its own word.
is_built_for_it() {
	local program
	for program in rtrack-run rtrack-report librtrack.so; do
		readelf -h "$guest/build/$program" | grep -q "Machine: *$1" || return 1
		[ "$program" = librtrack.so ] || "$guest/$program" --version | grep -q "^built for $machine with glibc .* by gcc " || return 1
	done
	fails grep -q NEEDED <(readelf -dW "$guest/build/librtrack.so")
}
