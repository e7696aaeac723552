# Metaflow from PyPI, in the test's own folder

# use_metaflow: changes to the test's folder and sets PYTHON to the interpreter of an environment with Metaflow.
use_metaflow() {
	venv metaflow metaflow==2.19.39
	cd "$BATS_TEST_TMPDIR"
	# Metaflow refuses to run as root, and uses no network if all locations are given.
	export HOME=$PWD USER=a-user USERNAME=a-user METAFLOW_USER=a-user METAFLOW_DEFAULT_DATASTORE=local \
		METAFLOW_DEFAULT_METADATA=local METAFLOW_DATASTORE_SYSROOT_LOCAL=$PWD/store RTRACK_SPOOL=$PWD/spool
}
