#!/usr/bin/env bats
# Test of Airflow, from PyPI: each try of a BashOperator task is a run.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

@test "Airflow: LD_PRELOAD in a BashOperator gives each try of a task its own run" {
	venv airflow -r "$PROJECT/tests/jobs/locks/airflow.txt"
	cd "$BATS_TEST_TMPDIR"
	export HOME=$PWD AIRFLOW_HOME=$PWD PATH=${PYTHON%/*}:$PATH AIRFLOW__CORE__LOAD_EXAMPLES=False \
		AIRFLOW__CORE__DAGS_FOLDER=$PWD/dags AIRFLOW__USAGE_DATA_COLLECTION__ENABLED=False
	mkdir dags
	recipe Airflow python >dags/train.py
	airflow db migrate >out 2>&1 || { tail out; false; }
	python dags/train.py >out 2>&1 || { tail out; false; }
	[ "$(jq -c '[.job, .status, .labels.orchestrator, .labels.dag, .labels.task, .labels.attempt]' "$(only_run)/run.json")" = '["train/fit","finished","airflow","train","fit","1"]' ]
}
