# A stand-in for the library of NVIDIA's driver (tests/victims/hosts/driver.c), and jobs that use its devices.

unset RTRACK_GPU # helper.bash

# simulate_driver [FLAG…] builds it; $script is the file that says what it answers.
simulate_driver() {
	export RTRACK_NVML="$BATS_TEST_TMPDIR/libnvidia-ml.so"
	export script="$RTRACK_NVML.script"
	"${CC:-cc}" -std=gnu11 -shared -fPIC -O1 "$@" -o "$RTRACK_NVML" "$PROJECT/tests/victims/hosts/driver.c" -ldl
	: >"$script"
	export RTRACK_INTERVAL=0.2
}

# gpu_job FILE ROWS [LINE…]: a script of a job that adds lines to the driver's, with PID for its own, and ends when
# FILE of its run has so many rows more. Lines behind "then" are added after as many rows. How many devices there are is
# asked only once, perhaps before the job has begun: the driver is told at once.
gpu_job() {
	cat >"$BATS_TEST_TMPDIR/job.sh" <<-'END'
		file=$1 rows=$2
		shift 2
		rows() { cat "$RTRACK_SPOOL"/2*/$file 2>/dev/null | wc -l; }
		more_rows() {
			enough=$(($(rows) + rows))
			until [ "$(rows)" -gt "$enough" ]; do sleep 0.05; done
		}
		add() { sed "s/PID/$$/" "$0.lines" >>"$script"; : >"$0.lines"; }
		: >"$0.lines"
		for line; do
			if [ "$line" = then ]; then
				add
				more_rows
			else
				printf '%s\n' "$line" >>"$0.lines"
			fi
		done
		add
		more_rows
	END
	printf '%s\n' "${@:3}" | grep '^devices ' >>"$script" || :
	JOB=(sh "$BATS_TEST_TMPDIR/job.sh" "$@")
}

# last_cell FILE COLUMN prints it of the last row.
last_cell() {
	column "$1" "$2" | tail -1
}
