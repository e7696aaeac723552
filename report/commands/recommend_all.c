/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report recommend --all: prints the request of each job, as a table, as JSON, or as one file for a tool. */
#include "report/commands/commands.h"
#include "report/commands/many.h"

#include "report/advice/classic.h"
#include "report/advice/dialects.h"
#include "report/history/history.h"
#include "report/commands/groups.h"
#include "report/say/alloc.h"
#include "report/say/message.h"
#include "report/spool/unit.h"
#include "report/text/table.h"
#include "report/commands/advice.h"

#include <stdlib.h>
#include <string.h>

enum { JOB_LEAST = 11 };

struct requests_wish {
	bool classic;
	struct allowance_wish allowance; /* options of the allowance rule; the classic rule uses only `earlier` */
};

struct all {
	const struct jobs *jobs;
	struct recommendation *items; /* one recommendation per job; `runs` is 0 if there is no recommendation */
};

/* -- table ----------------------------------------------------------------------------------------- */

static const char *replay_text(const struct recommendation *item, char *text, size_t size)
{
	if (item->classic || item->replay.runs == 0)
		return "-";
	snprintf(text, size, "%zu of %zu", item->replay.too_small, item->replay.runs);
	return text;
}

/* Formats the CPUs of all ranks as "16 x 5", or of a job without ranks as "80". */
static struct figure cpus_figure(const struct resources *resources)
{
	struct figure figure = terminal_count(resources->cpu);

	if (resources_are_divided(resources))
		snprintf(figure.text, sizeof figure.text, "%.0f x %.0f", resources->tasks, resources->rank_cpus);
	return figure;
}

static int print_jobs(const struct all *all)
{
	struct terminal terminal = terminal_of(stdout);
	struct text_table table = TABLE(&terminal, {"Job", TABLE_NAME, 0, 0}, {"Runs", TABLE_FIGURE, 5, 0},
		{"CPUs", TABLE_FIGURE, 7, 0}, {"Memory", TABLE_FIGURE, 10, 0}, {"GPUs", TABLE_FIGURE, 5, 0},
		{"Time", TABLE_FIGURE, 12, 0}, {"Too small", TABLE_FIGURE, 15, 0});
	char replay[48];

	for (size_t i = 0; i < all->jobs->count; i++)
		if (all->items[i].runs > 0)
			table_see(&table, 0, all->jobs->items[i].name);
	(void)table_fit(&table, JOB_LEAST, 0);
	table_heading(&table);
	for (size_t i = 0; i < all->jobs->count; i++) {
		const struct recommendation *item = &all->items[i];
		const struct resources *resources = &item->resources;
		if (item->runs == 0)
			continue;
		table_row(&table, all->jobs->items[i].name, terminal_count((double)item->runs).text,
			cpus_figure(resources).text, terminal_figure(UNIT_mib, resources->memory_mib).text,
			terminal_count(resources->gpu).text, terminal_duration(resources->seconds).text,
			replay_text(item, replay, sizeof replay));
	}
	return EXIT_DONE;
}

/* -- output for programs --------------------------------------------------------------------------- */

static int print_jobs_json(const struct all *all)
{
	cJSON *list = cJSON_CreateArray();

	for (size_t i = 0; i < all->jobs->count; i++) {
		if (all->items[i].runs == 0)
			continue;
		cJSON *object = recommend_json(&all->items[i]);
		cJSON *named = cJSON_CreateObject();
		cJSON_AddStringToObject(named, "job", all->jobs->items[i].name);
		for (cJSON *part; object && (part = cJSON_DetachItemFromArray(object, 0));)
			cJSON_AddItemToObject(named, part->string, part);
		cJSON_Delete(object);
		cJSON_AddItemToArray(list, named);
	}
	return json_print(list);
}

/* Returns whether the latest run of a job has this label "orchestrator". "" means no label. */
static bool is_task_of(const struct jobs *jobs, const struct job *job, const char *orchestrator)
{
	struct run run;

	if (runs_open(&run, &jobs->runs, job->names[0]) != 0)
		return false;
	const cJSON *labels = cJSON_GetObjectItemCaseSensitive(run.json, "labels");
	bool same = strcmp(json_string(labels, "orchestrator"), orchestrator) == 0;
	run_close(&run);
	return same;
}

/* Stores the jobs that have a recommendation. If `orchestrator` is not NULL, stores only tasks of this orchestrator.
 * Returns the number of stored jobs. */
static size_t choose_jobs(const struct all *all, const char *orchestrator, struct dialect_job *chosen)
{
	size_t count = 0;

	for (size_t i = 0; i < all->jobs->count; i++) {
		const struct job *job = &all->jobs->items[i];
		if (all->items[i].runs > 0 && (!orchestrator || is_task_of(all->jobs, job, orchestrator)))
			chosen[count++] = (struct dialect_job){job->name, all->items[i].resources};
	}
	return count;
}

static int print_file(const struct all *all, const char *tool)
{
	enum dialect dialect = (enum dialect)dialect_find(tool);
	const char *orchestrator = dialect_orchestrator(dialect), *title = dialect_names[dialect].title;
	struct dialect_job *jobs = xcalloc(all->jobs->count, sizeof *jobs);
	size_t count = choose_jobs(all, orchestrator, jobs);

	/* Snakemake sets no variables in its jobs, so a run has the label only if rtrack.smk or the rule sets it. */
	if (count == 0 && dialect == DIALECT_snakemake) {
		count = choose_jobs(all, "", jobs);
		if (count > 0)
			message_print("note: no run has the label orchestrator=snakemake, so all jobs without an "
				      "orchestrator are in the file");
	}
	if (count == 0) {
		message_print("no run of these jobs is a task of %s", title);
		free(jobs);
		return EXIT_NO_DATA;
	}
	bool *has = xcalloc(count, sizeof *has);
	char *text = dialect_file(jobs, count, dialect, has);
	fputs(text, stdout);
	free(text);
	for (size_t i = 0; i < count; i++)
		if (!has[i])
			message_print("note: job '%s' is left out: %s does not allow this name, or has it already",
				jobs[i].name, title);
	free(has);
	free(jobs);
	return EXIT_DONE;
}

/* -- requests -------------------------------------------------------------------------------------- */

/* Makes the request by the classic rule, which needs the whole record of the latest run. Returns false if that run
 * cannot be read. */
static bool ask_classic(struct recommendation *recommendation, const struct jobs *jobs, const struct job *job,
	const struct requests_wish *wish)
{
	struct run run;
	struct model model;
	const struct model_wish needs = recommend_wish();

	if (runs_open(&run, &jobs->runs, job->names[0]) != 0)
		return false;
	model_read(&model, &run, &needs);
	classic_make(recommendation, &model, wish->allowance.earlier);
	recommend_note_basis(recommendation, &model);
	classic_apply_limit(recommendation, &model);
	model_free(&model);
	run_close(&run);
	return true;
}

/* Makes the request of a job from its ended runs, of which the allowance rule needs only the digests. The script and
 * the steps of a Slurm job share a request, so jobs_read_uses adds them up. `ranks` is the group of ranks that contains
 * the job's latest run, or NULL. Returns false if no run can be read. */
static bool ask_of_digests(struct recommendation *recommendation, const struct jobs *jobs, const struct job *job,
	const struct requests_wish *wish, const struct group *ranks)
{
	struct uses uses;

	/* Reads the earlier runs and the latest run, which takes the place of RUN in `recommend RUN`. */
	jobs_read_uses(&uses, jobs, job, wish->allowance.earlier + 1);
	bool known = uses.count > 0;
	if (known) {
		allowance_of_uses(recommendation, &uses, uses.items[uses.count - 1].vcpus, &wish->allowance);
		recommend_note_few(recommendation);
		if (ranks)
			advice_set_ranks(&recommendation->resources, ranks);
	}
	uses_free(&uses);
	return known;
}

/* Makes the request of a job. Returns false if no run can be read. */
static bool make_request(struct recommendation *recommendation, const struct jobs *jobs, const struct job *job,
	const struct requests_wish *wish)
{
	struct run run;
	struct group group;

	*recommendation = (struct recommendation){.classic = wish->classic};
	if (wish->classic)
		return ask_classic(recommendation, jobs, job, wish);
	if (runs_open(&run, &jobs->runs, job->names[0]) != 0)
		return ask_of_digests(recommendation, jobs, job, wish, NULL);
	bool slurm = unit_is_slurm(&run), known = true;
	bool ranks = groups_is_rank(&run) &&
		     groups_read_of_rank(&group, &run, NULL, 0, slurm ? 0 : wish->allowance.earlier) == 0;
	if (ranks && !slurm) {
		/* The job is outside Slurm, and its latest run is a rank of the group. */
		advice_of_group(recommendation, &group, &wish->allowance);
		recommend_note_few(recommendation);
	} else {
		known = ask_of_digests(recommendation, jobs, job, wish, ranks ? &group : NULL);
	}
	if (ranks)
		group_free(&group);
	run_close(&run);
	return known;
}

/* -- all ------------------------------------------------------------------------------------------- */

/* Returns the number of jobs with a recommendation. */
static size_t ask_all(struct all *all, const struct requests_wish *wish)
{
	size_t found = 0;

	for (size_t i = 0; i < all->jobs->count; i++) {
		if (make_request(&all->items[i], all->jobs, &all->jobs->items[i], wish))
			found++;
		else
			all->items[i].runs = 0;
	}
	return found;
}

static int print_all(const struct all *all, const struct options *options, size_t found)
{
	const struct runs *runs = &all->jobs->runs;
	const char *tool = advice_tool(options);

	if (options->json)
		return print_jobs_json(all);
	if (found > 0)
		return tool ? print_file(all, tool) : print_jobs(all);
	/* The file for a tool would have no request, so the exit status is not 0. */
	int status = runs_say_none_listed(runs->spool, runs->count, "no run of these jobs has ended");
	return tool ? EXIT_NO_DATA : status;
}

static int recommend_all(const struct options *options, const struct jobs *jobs)
{
	struct requests_wish wish;
	struct all all = {jobs, xcalloc(jobs->count, sizeof *all.items)};
	int status = EXIT_NO_DATA;

	if (advice_wish(options, &wish.allowance, &wish.classic) == 0)
		status = print_all(&all, options, ask_all(&all, &wish));
	free(all.items);
	return status;
}

int recommend_all_command(const struct options *options, const char *spool)
{
	struct jobs jobs;

	if (options_given(options, OPTION_history)) {
		message_print("--all and --history cannot be used together");
		return EXIT_USAGE;
	}
	if (options->run) {
		message_print("unexpected argument '%s': --all takes no run", options->run);
		return EXIT_USAGE;
	}
	if (options_list_jobs(&jobs, options, spool) != 0)
		return EXIT_NO_DATA;
	int status = recommend_all(options, &jobs);
	jobs_free(&jobs);
	return status;
}
