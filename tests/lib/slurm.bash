# A cluster of two Slurm nodes on this machine (tests/servers/slurm)

# need_slurm: for setup_file. Skips the tests if no cluster can be made.
need_slurm() {
	as_root "run slurmd"
	need munged slurmctld slurmd srun sbatch
}

# cluster: runs the script on stdin on the cluster in the folder `cluster`, for at most CLUSTER_SECONDS.
cluster() {
	cat >script.sh
	local status=0
	timeout -k 10 "${CLUSTER_SECONDS:-150}" "$PROJECT/tests/servers/slurm" cluster sh -eu script.sh >out 2>&1 3>&- || status=$?
	[ $status = 0 ] || { cat out; tail -n 5 cluster/*.log; false; }
}
