# The tools that read what recommend --for writes: Python's libraries with the versions of tests/advice/dialects.txt, and
# sbatch.

setup_file() {
	if PYTHON=$("$PROJECT/scripts/venv" dialects -r "$PROJECT/tests/advice/dialects.txt" 2>"$BATS_FILE_TMPDIR/why"); then
		export PYTHON
	fi
}

# Skips the test where the libraries cannot be had.
needs_python() {
	[ -n "${PYTHON:-}" ] || skip "$(cat "$BATS_FILE_TMPDIR/why")"
}

# Skips the test where there is no sbatch. There is no controller that it could ask.
needs_sbatch() {
	command -v sbatch >/dev/null || skip "no sbatch here"
	printf '%s\n' ClusterName=none SlurmctldHost=localhost SlurmctldPort=1 AuthType=auth/none CredType=cred/none \
		GresTypes=gpu MessageTimeout=2 >slurm.conf
	export SLURM_CONF=$PWD/slurm.conf
}

# Fails unless sbatch took all that it was asked for: what follows the reading is the controller, which is not there.
is_read_by_sbatch() {
	run ! sbatch --test-only "$@"
	# shellcheck disable=SC2154 # run sets it
	[[ $output == *"Unable to contact slurm controller"* ]] || { echo "$output"; return 1; }
}
