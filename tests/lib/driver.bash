# Simulates an NVIDIA driver library (tests/victims/hosts/driver.c), and makes jobs that use its devices.

unset RTRACK_GPU # helper.bash sets it

# simulate_driver [FLAG…]: builds the library. The file $script contains the answers that it gives.
simulate_driver() {
	export RTRACK_NVML="$BATS_TEST_TMPDIR/libnvidia-ml.so"
	export script="$RTRACK_NVML.script"
	"${CC:-cc}" -std=gnu11 -shared -fPIC -O1 "$@" -o "$RTRACK_NVML" "$PROJECT/tests/victims/hosts/driver.c" -ldl
	: >"$script"
	export RTRACK_INTERVAL=0.2
}

# gpu_job FILE ROWS [LINE…]: sets JOB to a job that adds the lines to the driver's script, with its own pid for PID. The
# job ends once FILE of its run has ROWS more rows. Lines after a "then" are added after ROWS more rows. The driver
# reads the number of devices only once, perhaps before the job begins, so this line is added at once.
gpu_job() {
	[[ "$*" != *PID* ]] || in_first_pid_namespace "the driver reports pids of that namespace"
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

# last_cell FILE COLUMN: prints that cell of the last row.
last_cell() {
	column "$1" "$2" | tail -1
}
