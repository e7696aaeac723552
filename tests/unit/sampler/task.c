/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of sampler/run/task.h: each orchestrator's task is found by the environment and the command line of a
 * process. */
#include "sampler/run/task.h"

#include "sampler/run/names.h"
#include "tests/unit/lib/tap.h"
#include "tests/unit/lib/texts.h"

enum { WORDS_MAX = 20, PID = 77 };

static const struct {
	const char *what;
	const char *environment[WORDS_MAX];
	const char *arguments[WORDS_MAX];
	bool begins;
	bool is_helper;
	const char *job;    /* "" for the command's name */
	const char *labels; /* "key=value key=value" */
	const char *group;  /* "group rank node of" */
} cases[] = {
	{"no orchestrator", {"PATH=/bin"}, {"make", "step", "x"}, false, false, "", "", "- - - -"},
	{"a step of Metaflow", {"USER=u", "METAFLOW_RUN_ID=9"},
		{"python", "dir/flow.py", "--quiet", "--datastore-root", "relative", "step", "train", "--run-id", "12",
			"--task-id", "3", "--input-paths", "12/start/1", "--retry-count", "2", "--split-index", "4"},
		true, false, "flow/train", "orchestrator=metaflow flow=flow step=train run=12 task=3 index=4 attempt=2",
		"- - - -"},
	{"the flow of Metaflow", {"USER=u"}, {"python", "flow.py", "run"}, false, false, "", "", "- - - -"},
	{"the command of Metaflow that starts a pod", {"USER=u"},
		{"python", "flow.py", "kubernetes", "step", "train", "--run-id", "12", "--task-id", "3"}, false, true,
		"", "orchestrator=metaflow flow=flow step=train run=12 task=3", "- - - -"},
	{"the shell of a pod of Metaflow", {"MF_PATHSPEC=Flow/9/fit/2", "MF_ATTEMPT=1"}, {"bash", "-c", "true"}, false,
		true, "", "orchestrator=metaflow flow=Flow step=fit pathspec=Flow/9/fit/2 attempt=1", "- - - -"},
	{"the step in a pod of Metaflow",
		{"MF_PATHSPEC=Flow/9/fit/2", "MF_ATTEMPT=1", "KUBERNETES_SERVICE_HOST=h", "HOSTNAME=pod-1"},
		{"python", "flow.py", "step", "fit", "--run-id", "9", "--task-id=2"}, true, false, "Flow/fit",
		"orchestrator=metaflow flow=Flow step=fit run=9 task=2 pathspec=Flow/9/fit/2 attempt=1 pod=pod-1",
		"- - - -"},
	{"a task of Nextflow without its script", {"NXF_TASK_WORKDIR=/nowhere/at/all"}, {"bash", "-ue", ".command.sh"},
		true, false, "", "orchestrator=nextflow workdir=/nowhere/at/all", "- - - -"},
	{"tee as Nextflow calls it", {"PATH=/bin"}, {"tee", ".command.out"}, false, true, "", "", "- - - -"},
	{"tee as others call it", {"PATH=/bin"}, {"tee", "command.out"}, false, false, "", "", "- - - -"},
	{"other commands of Nextflow", {"NXF_TASK_WORKDIR=/nowhere"}, {"cp", "a", "b"}, false, true, "",
		"orchestrator=nextflow workdir=/nowhere", "- - - -"},
	{"a task of Airflow",
		{"AIRFLOW_CTX_DAG_ID=etl", "AIRFLOW_CTX_TASK_ID=load", "AIRFLOW_CTX_DAG_RUN_ID=m",
			"AIRFLOW_CTX_TRY_NUMBER=1"},
		{"bash", "-c", "x"}, true, false, "etl/load", "orchestrator=airflow dag=etl task=load run=m attempt=1",
		"- - - -"},
	{"incomplete variables of Airflow", {"AIRFLOW_CTX_DAG_ID=etl"}, {"bash"}, false, false, "", "", "- - - -"},
	{"a task of Slurm",
		{"SLURM_JOB_ID=5", "SLURM_JOB_NAME=n", "SLURM_STEP_ID=0", "SLURM_PROCID=3", "SLURM_NODEID=1",
			"SLURM_STEP_NUM_TASKS=4", "SLURM_TASK_PID=77", "SLURM_RESTART_COUNT=2"},
		{"./a.out"}, true, false, "n",
		"orchestrator=slurm slurm_job_id=5 slurm_job_name=n slurm_step_id=0 attempt=2", "5.0 3 1 4"},
	{"a command in a script of Slurm",
		{"SLURM_JOB_ID=5", "SLURM_JOB_NAME=n", "SLURM_TASK_PID=76", "SLURM_ARRAY_JOB_ID=4",
			"SLURM_ARRAY_TASK_ID=2"},
		{"./a.out"}, false, false, "",
		"orchestrator=slurm slurm_job_id=5 slurm_job_name=n slurm_array_job_id=4 slurm_array_task_id=2",
		"- - - -"},
	{"a rank of Open MPI in a job of Slurm",
		{"OMPI_COMM_WORLD_RANK=2", "OMPI_COMM_WORLD_SIZE=8", "PMIX_NAMESPACE=ns", "SLURM_JOB_ID=5",
			"SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=1"},
		{"./a.out"}, true, false, "", "orchestrator=openmpi slurm_job_id=5", "ns 2 - 8"},
	{"an executor of Spark", {"PATH=/bin"},
		{"java", "-cp", "x", "org.apache.spark.executor.CoarseGrainedExecutorBackend", "--executor-id", "7",
			"--app-id", "app-1"},
		true, false, "", "orchestrator=spark application=app-1 executor=7", "app-1 7 - -"},
	{"a worker of Ray", {"RAY_JOB_ID=01000000"},
		{"/bin/python", "/lib/ray/workers/default_worker.py", "--session-name=session_1", "--startup-token=3"},
		true, false, "ray/worker", "orchestrator=ray job=01000000 session=session_1",
		"session_1/01000000 - - -"},
	{"the shell that becomes a worker of Ray", {"RAY_JOB_ID=01000000"},
		{"bash", "-c", "exec /bin/python /lib/ray/workers/default_worker.py --startup-token=3"}, false, true,
		"", "orchestrator=ray job=01000000", "- - - -"},
	{"a pod of an indexed job", {"KUBERNETES_SERVICE_HOST=h", "HOSTNAME=my-job-3", "JOB_COMPLETION_INDEX=3"}, {"x"},
		false, false, "", "orchestrator=kubernetes pod=my-job-3", "my-job 3 - -"},
	{"a job of many nodes of AWS Batch",
		{"AWS_BATCH_JOB_ID=id-a", "AWS_BATCH_JOB_ATTEMPT=1", "AWS_BATCH_JOB_NODE_INDEX=1",
			"AWS_BATCH_JOB_NUM_NODES=2"},
		{"x"}, true, false, "", "orchestrator=batch batch_job_id=id-a attempt=1", "id 1 1 2"},
	{"a job of PBS", {"PBS_JOBID=101.srv", "PBS_JOBNAME=align", "PBS_QUEUE=long"}, {"/var/spool/101.srv.SC"}, true,
		false, "align", "orchestrator=pbs pbs_job_id=101.srv queue=long", "- - - -"},
	{"an element of an array of LSF",
		{"LSB_JOBID=17", "LSB_JOBINDEX=3", "LSB_JOBNAME=align", "LSB_PROJECT_NAME=bio"}, {"17.shell"}, true,
		false, "align", "orchestrator=lsf lsf_job_id=17 lsf_array_index=3 account=bio", "- - - -"},
	{"a job of Grid Engine",
		{"SGE_O_WORKDIR=/home/ada", "JOB_ID=101", "SGE_TASK_ID=undefined", "JOB_NAME=align", "QUEUE=all.q"},
		{"/var/spool/job_scripts/101"}, true, false, "align",
		"orchestrator=sge sge_job_id=101 sge_task_id=undefined queue=all.q", "- - - -"},
	{"a job of GitLab", {"GITLAB_CI=true", "CI_JOB_ID=1", "CI_JOB_NAME=test"}, {"x"}, true, false, "test",
		"orchestrator=gitlab job=test run=1", "- - - -"},
	{"a task of Flyte",
		{"FLYTE_INTERNAL_EXECUTION_ID=f1", "FLYTE_INTERNAL_TASK_NAME=train.fit", "FLYTE_ATTEMPT_NUMBER=1",
			"KUBERNETES_SERVICE_HOST=h", "HOSTNAME=f1-n0-1"},
		{"x"}, true, false, "train.fit", "orchestrator=flyte execution=f1 task=train.fit attempt=1 pod=f1-n0-1",
		"- - - -"},
	{"a step of Dagster", {"DAGSTER_RUN_JOB_NAME=etl", "DAGSTER_RUN_STEP_KEY=load"}, {"x"}, true, false, "etl/load",
		"orchestrator=dagster job=etl step=load", "- - - -"},
	{"a flow run of Prefect", {"PREFECT__FLOW_RUN_ID=1-2", "PREFECT__FLOW_NAME=train"}, {"x"}, true, false, "train",
		"orchestrator=prefect flow=train run=1-2", "- - - -"},
	{"a node of Argo", {"ARGO_WORKFLOW_NAME=wf", "ARGO_NODE_ID=wf-1", "ARGO_CONTAINER_NAME=main"}, {"x"}, true,
		false, "", "orchestrator=argo workflow=wf node=wf-1 container=main", "- - - -"},
	{"a step of GitHub Actions",
		{"GITHUB_RUN_ID=9", "GITHUB_RUN_ATTEMPT=2", "GITHUB_WORKFLOW=ci", "GITHUB_JOB=test",
			"GITHUB_ACTION=__run"},
		{"x"}, true, false, "ci/test/__run",
		"orchestrator=github workflow=ci job=test step=__run run=9 attempt=2", "- - - -"},
	{"the command of Metaflow that starts a Batch job", {"PATH=/bin"},
		{"python3.11", "flow.py", "batch", "step", "train", "--run-id", "12", "--task-id", "3"}, false, true,
		"", "orchestrator=metaflow flow=flow step=train run=12 task=3", "- - - -"},
	{"the command of Metaflow that renders a card", {"PATH=/bin"},
		{"python", "flow.py", "--quiet", "card", "create", "Flow/9/fit/2"}, false, true, "", "", "- - - -"},
	{"the command of Metaflow that saves a pod's logs", {"PATH=/bin"}, {"python", "-m", "metaflow.mflog.save_logs"},
		false, true, "", "", "- - - -"},
	{"a sidecar of Metaflow", {"PATH=/bin"}, {"python", "-u", "/lib/metaflow/sidecar/sidecar_worker.py", "x"},
		false, true, "", "", "- - - -"},
	{"the command of Metaflow that fetches files", {"PATH=/bin"},
		{"python", "/lib/metaflow/plugins/datatools/s3/s3op.py", "get"}, false, true, "", "", "- - - -"},
	{"git, which Metaflow calls", {"PATH=/bin"}, {"git", "rev-parse", "HEAD"}, false, false, "", "", "- - - -"},
	{"variables of the predecessor", {"TRACKER_JOB_NAME=j", "TRACKER_TEAM=t", "TRACKER_ORCHESTRATOR=own"}, {"x"},
		false, false, "j", "team=t orchestrator=own", "- - - -"},
	{"all variables of the predecessor",
		{"TRACKER_JOB_NAME=j", "TRACKER_PROJECT_NAME=p", "TRACKER_STAGE_NAME=s", "TRACKER_TASK_NAME=t",
			"TRACKER_TEAM=m", "TRACKER_ENV=e", "TRACKER_LANGUAGE=l", "TRACKER_ORCHESTRATOR=o",
			"TRACKER_EXECUTOR=x", "TRACKER_EXTERNAL_RUN_ID=i", "TRACKER_CONTAINER_IMAGE=c"},
		{"x"}, false, false, "j",
		"project=p stage=s task=t team=m env=e language=l orchestrator=o executor=x external_run_id=i "
		"container_image=c",
		"- - - -"},
	{"similar variables and words",
		{"SLURM_JOB_IDS=5", "SLURM_JOB=5", "SLURM", "S", "", "MF_PATHSPECS=a/b/c/d", "GITHUB_RUN_IDENTITY=1"},
		{"python", "f.py", "steps", "", "x", "a.command.sh",
			"xorg.apache.spark.executor.CoarseGrainedExecutorBackend"},
		false, false, "", "", "- - - -"},
	{"the last variable of a row, and its first one in another place",
		{"CI_JOB_ID=1", "CI_JOB_NAME=test", "ARGO_NODE_ID=n", "GITLAB_CI=true"}, {"x"}, true, false, "test",
		"orchestrator=gitlab job=test run=1", "- - - -"},
	{"empty values", {"SLURM_JOB_ID=", "TRACKER_TEAM=", "KUBERNETES_SERVICE_HOST="}, {"x"}, false, false, "", "",
		"- - - -"},
	{"an option without a value", {"PATH=/bin"}, {"python", "f.py", "step", "x", "--task-id", "3", "--run-id"},
		false, false, "", "", "- - - -"},
};

static struct task task_of(size_t i, const char *around)
{
	struct task task = {.of.environment = (char *const *)(const void *)cases[i].environment,
		.of.arguments = (char *const *)(const void *)cases[i].arguments};
	while (task.of.count < WORDS_MAX && cases[i].arguments[task.of.count])
		task.of.count++;
	task_find(&task, around, PID);
	return task;
}

/* Returns the values of a JSON object of texts or numbers as "key=value key=value", with "-" for null. */
static const char *flat(const char *json, bool keys)
{
	static char out[2048];
	size_t length = 0;
	for (const char *line = strchr(json, '\n'); line; line = strchr(line + 1, '\n')) {
		char key[64], value[512];
		if (sscanf(line, " \"%63[^\"]\": \"%511[^\"]\"", key, value) != 2 &&
			sscanf(line, " \"%63[^\"]\": %511[^,\n{]", key, value) != 2)
			continue;
		const char *text = strcmp(value, "null") == 0 ? "-" : value;
		length += (size_t)snprintf(out + length, sizeof out - length, "%s%s%s%s", length > 0 ? " " : "",
			keys ? key : "", keys ? "=" : "", text);
	}
	out[length] = '\0';
	return out;
}

static void check_case(size_t i)
{
	static char text[8192];
	struct task task = task_of(i, NULL);
	struct buffer job = BUFFER(text);

	ok(task.begins == cases[i].begins, cases[i].what);
	ok(task.is_helper == cases[i].is_helper, "  whether it is a helper");
	task_write_job(&task, &job);
	is_text(buffer_terminate(&job), cases[i].job, "  job");

	struct json json = {.out = BUFFER(text)};
	json_begin_object(&json, NULL);
	task_write_labels(&task, &json, TEXT(""));
	json_end_object(&json);
	is_text(flat(buffer_terminate(&json.out), true), cases[i].labels, "  labels");

	json = (struct json){.out = BUFFER(text)};
	json_begin_object(&json, NULL);
	task_write_group(&task, &json, TEXT(""));
	json_end_object(&json);
	is_text(flat(buffer_terminate(&json.out), false), cases[i].group, "  group and member");
}

/* If a process is the root of the surrounding run (after an exec), it begins no task, whatever its name is. */
static void check_own_run(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
		ok(!task_of(i, "/spool/20261121T015600Z-host-77-abcd").begins,
			"a process in its own run begins no task");
}

static void check_tags(void)
{
	static char text[4096];
	struct task task = task_of(1, NULL);
	struct json json = {.out = BUFFER(text)};

	json_begin_object(&json, NULL);
	task_write_labels(&task, &json, TEXT("step=mine,step=other\nx=1,=2,3,y="));
	json_end_object(&json);
	is_text(flat(buffer_terminate(&json.out), true),
		"step=mine x=1 orchestrator=metaflow flow=flow run=12 task=3 index=4 attempt=2",
		"tags take precedence over the orchestrator's labels, each key once");
	json = (struct json){.out = BUFFER(text)};
	json_begin_object(&json, NULL);
	task_write_labels(&task, &json, TEXT("\nnote=one, two\nstep=,"));
	json_end_object(&json);
	is_text(flat(buffer_terminate(&json.out), true),
		"note=one, two step=, orchestrator=metaflow flow=flow run=12 task=3 index=4 attempt=2",
		"in a list that begins with a newline, values may contain commas");
	json = (struct json){.out = BUFFER(text)};
	json_begin_object(&json, NULL);
	task_write_group(&task, &json, TEXT("wish"));
	json_end_object(&json);
	is_text(flat(buffer_terminate(&json.out), false), "wish - - -", "RTRACK_GROUP is the group");
}

int main(void)
{
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
		check_case(i);
	check_own_run();
	check_tags();
	return done();
}
