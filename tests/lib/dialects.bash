# The tools that read what recommend --for writes: Python's libraries with the versions of tests/advice/dialects.txt, and
# sbatch.

needs_python() {
	venv dialects -r "$PROJECT/tests/advice/dialects.txt"
	export PYTHON
}

# Sets up sbatch without a controller.
needs_sbatch() {
	need sbatch
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
