# The tools that read the output of recommend --for: Python libraries in the versions of tests/advice/dialects.txt, and
# sbatch

needs_python() {
	venv dialects -r "$PROJECT/tests/advice/dialects.txt"
	export PYTHON
}

# needs_sbatch: sets up sbatch without a controller.
needs_sbatch() {
	need sbatch
	printf '%s\n' ClusterName=none SlurmctldHost=localhost SlurmctldPort=1 AuthType=auth/none CredType=cred/none \
		GresTypes=gpu MessageTimeout=2 >slurm.conf
	export SLURM_CONF=$PWD/slurm.conf
}

# is_read_by_sbatch: fails unless sbatch accepts the request. After reading it, sbatch asks a controller, which does not
# exist.
is_read_by_sbatch() {
	run ! sbatch --test-only "$@"
	# shellcheck disable=SC2154 # run sets it
	[[ $output == *"Unable to contact slurm controller"* ]] || { echo "$output"; return 1; }
}
