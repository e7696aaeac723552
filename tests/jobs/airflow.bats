#!/usr/bin/env bats
# Test of Airflow, from PyPI: each try of a task is a run.
# bats file_tags=long

load ../lib/helper
load ../lib/jobs
load ../lib/recipes

@test "Airflow: the documented BashOperator and @task are runs, and their requests load" {
	venv airflow -r "$PROJECT/tests/jobs/locks/airflow.txt"
	cd "$BATS_TEST_TMPDIR"
	export HOME=$PWD AIRFLOW_HOME=$PWD PATH=$BUILD:$PATH PYTHONPATH=$PROJECT/integrations/python/src PYTHONDONTWRITEBYTECODE=1 \
		AIRFLOW__CORE__LOAD_EXAMPLES=False AIRFLOW__CORE__DAGS_FOLDER=$PWD/dags AIRFLOW__USAGE_DATA_COLLECTION__ENABLED=False
	mkdir dags
	recipe Airflow python >dags/train.py
	"$PYTHON" -m airflow db migrate >out 2>&1 || { tail out; false; }
	"$PYTHON" dags/train.py >out 2>&1 || { tail out; false; }
	# dag.test() runs the two folds of `score` in one process, in any order. The run is that of the first one.
	[ "$(jq -c '[.job, .status, .labels.orchestrator, .labels.dag, .labels.task, .labels.attempt, .labels.map_index]' "$RTRACK_SPOOL"/*/run.json | sort | sed '$s/"[01]"\]$/"FOLD"]/' | paste -sd' ')" = \
		'["train/fit","finished","airflow","train","fit","1","-1"] ["train/score","finished","airflow","train","score","1","FOLD"]' ]
	# The DAG runs again with the arguments for operators that run in the worker.
	rtrack-run --job pipeline true
	rtrack-report recommend --all --for airflow >dags/wanted.py
	sed -i '1i import wanted' dags/train.py
	sed -i 's|task_id="fit",|&\n        **wanted.TASKS["train/fit"],|; s|@task$|@task(**wanted.TASKS["train/score"])|' dags/train.py
	mv "$RTRACK_SPOOL" first
	"$PYTHON" dags/train.py >out 2>&1 || { tail out; false; }
	[ "$(jq -r '.job + " " + .status' "$RTRACK_SPOOL"/*/run.json | sort | paste -sd,)" = "train/fit finished,train/score finished" ]
	"$PYTHON" -c 'import sys; sys.path.insert(0, "dags"); import wanted; assert list(wanted.TASKS) == ["train/fit", "train/score"], wanted.TASKS'
}
