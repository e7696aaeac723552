/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the model of a run, stage by stage. */
#include "report/model/model.h"

#include "core/number.h"
#include "report/model/dynamic_code.h"
#include "report/model/energy.h"
#include "report/model/nest.h"
#include "report/model/notebook_cells.h"
#include "report/say/message.h"
#include "report/spool/unit.h"

#include <math.h>

uint64_t model_columns(enum table_id table, unsigned sections)
{
	uint64_t columns = shortage_columns(table);

	if (table == TABLE_process)
		columns |= TOTALS_PROCESS_COLUMNS | SERIES_COLUMN(PROCESS_cpu_usage);
	if (table == TABLE_system)
		columns |= TOTALS_SYSTEM_COLUMNS | ENERGY_SYSTEM_COLUMNS;
	if (sections & MODEL_COURSE)
		columns |= cpu_use_columns(table);
	if (sections & MODEL_COURSE && table == TABLE_process)
		columns |= phases_columns() | parts_columns();
	if (sections & MODEL_STATS)
		columns |= stats_columns(table);
	return columns;
}

/* -- stages ---------------------------------------------------------------------------------------- */

static void read_tables(struct model *model, const struct model_wish *wish)
{
	const struct run *run = model->run;
	uint64_t process = wish->process_columns | model_columns(TABLE_process, wish->sections);
	uint64_t system = wish->system_columns | model_columns(TABLE_system, wish->sections);

	/* A missing table is treated as an empty table, so errors are ignored. */
	(void)series_load(&model->process, &run->files, TABLE_process, process);
	(void)series_load(&model->system, &run->files, TABLE_system, system);
	model->peak_cpu = series_peak_rate(&model->process, PROCESS_cpu_usage, run->start_time, run->interval);
	model->memory_is_rss = stats_memory_is_rss(&model->process);
	gpus_load(&model->gpus, &run->files);
}

static void make_totals(struct model *model)
{
	totals_make(&model->totals, model->run, &model->process, &model->system, &model->processes);
	model->asked = asked_of_run(model->run);
	model->efficiency = efficiency_of_run(&model->totals, model->run, &model->process);
	efficiency_tell(&model->efficiency, &model->totals);
	energy_make(
		&model->totals, &model->run->files, &model->gpus, &model->process, &model->system, &model->processes);
}

/* Reads member.csv if its samples are needed: if a process recorded no final figures, if a process had a memory
 * limit, or if the usage by program or process includes GPU time. */
static void read_members(struct model *model, unsigned sections)
{
	bool shared = model->gpus.count > 0 && sections & (MODEL_PROGRAMS | MODEL_PROCESSES);

	if (shared || processes_lack_figures(&model->processes) || processes_any_limited(&model->processes))
		processes_add_members(&model->processes, &model->run->files);
}

/* If the root's exit row is later than the end of the run, sets the end of the root to the end of the run. The root
 * writes its exit row after run.json, up to some hundredths of a second later on a busy machine. */
static void end_root(struct model *model)
{
	struct process *root = processes_root(&model->processes, model->run);

	if (root && root->end_time > model->run->stop_time)
		root->end_time = model->run->stop_time;
}

/* Returns the duration until the root ended, or the duration of the run if the two are nearly equal. Rows may be
 * written up to two ticks after the events that they record, so smaller differences are ignored. */
static double find_end_seconds(const struct model *model)
{
	double all = model->totals.wall_seconds, late = fmax(1, 2 * model->run->interval);

	const struct process *root = processes_root(&model->processes, model->run);
	double seconds = root ? root->end_time - model->run->start_time : UNKNOWN;

	return seconds >= 0 && seconds + late < all ? seconds : all;
}

/* Determines how the run ended. */
static void find_end(struct model *model)
{
	model->kills = kills_find(model->run, &model->processes, &model->system);
	model->ulimit = ulimit_find(model->run, &model->processes);
	model->shortage = shortage_find(model->run, &model->system, &model->processes, &model->kills, &model->ulimit,
		model->totals.peak_memory_needed_mib);
	postmortem_make(
		&model->postmortem, model->run, &model->processes, &model->kills, &model->ulimit, &model->shortage);
	model->outcome = outcome_of(model->run, model->postmortem.found);
	model->end_seconds = find_end_seconds(model);
	if (model->outcome == OUTCOME_FAILED)
		model->failed = failure_find(model->run, &model->processes);
	model->limit =
		postmortem_memory_limit(&model->postmortem, model->run, &model->system, model->totals.peak_memory_mib);
}

static void make_course(struct model *model)
{
	const struct run *run = model->run;

	marks_load(&model->marks, &run->files, run->start_time, parts_take, &model->parts);
	parts_make(&model->parts, run, &model->process, &model->processes, &model->totals);
	phases_find(&model->phases, &model->process, &model->marks, run->start_time, run->interval);
	cpu_prices_make(&model->cpu_prices, &model->process, run, model->totals.wall_seconds);
	cpu_waits_describe(&model->totals, &model->system, run, model->cpu_waits);
}

/* Returns the process that died for lack of memory. If it is unknown, returns the process that held the most memory
 * when memory ran out, or NULL. */
static const struct process *find_dead(const struct postmortem *postmortem)
{
	if (!postmortem->found || postmortem->victim)
		return postmortem->victim;
	return postmortem->count > 0 ? postmortem->holders[0].process : NULL;
}

static void make_code(struct model *model)
{
	const struct process *dead = find_dead(&model->postmortem);
	struct code_rows rows = {0};

	code_rows_add(&rows, &model->run->files);
	dynamic_code_resolve(&rows, &model->processes, model->run->cwd);
	code_make(&model->code, &rows);
	notebook_cells_find(&model->code, &model->processes, model->run);
	code_find_peak(&model->code, &model->process);
	parts_find_lines(&model->parts, &model->code);
	if (dead)
		code_find_death(&model->code, dead->id.pid);
}

/* Computes the requested sections from the tables, processes, totals and the outcome. */
static void make_sections(struct model *model, unsigned sections)
{
	if (sections & MODEL_PROGRAMS)
		bill_by_command(&model->programs, &model->processes, &model->totals);
	if (sections & MODEL_PROCESSES)
		bill_by_process(&model->by_process, &model->processes, &model->totals);
	if (sections & MODEL_COURSE)
		make_course(model);
	if (sections & MODEL_STATS)
		stats_make(&model->stats, &model->process, &model->system, model->run->interval);
}

/* -- the model ------------------------------------------------------------------------------------- */

void model_read(struct model *model, const struct run *run, const struct model_wish *wish)
{
	*model = (struct model){.run = run};
	read_tables(model, wish);
	processes_load(&model->processes, &run->files);
	inner_add(&model->processes, run, &model->inner);
	end_root(model);
	make_totals(model);
	read_members(model, wish->sections);
	find_end(model);
	make_sections(model, wish->sections);
	if (wish->sections & MODEL_LINES)
		make_code(model);
	model->usable = model->process.rows > 0 || model->processes.count > 0;
}

void model_of_many(struct model *model, unsigned sections)
{
	const struct run *run = model->run;

	model->peak_cpu = series_peak_rate(&model->process, PROCESS_cpu_usage, run->start_time, run->interval);
	model->memory_is_rss = stats_memory_is_rss(&model->process);
	model->kills = (struct kills){.from = UNKNOWN, .to = UNKNOWN, .limit_mib = UNKNOWN};
	model->ulimit = (struct ulimit){.limit_mib = UNKNOWN, .used_mib = UNKNOWN};
	model->shortage = shortage_find(run, &model->system, &model->processes, &model->kills, &model->ulimit,
		model->totals.peak_memory_needed_mib);
	/* a post-mortem exists only for a single run */
	model->postmortem = (struct postmortem){.used_mib = UNKNOWN};
	model->outcome = outcome_of(run, false);
	model->end_seconds = model->totals.wall_seconds;
	model->limit = memory_limit_of(run, &model->system);
	model->usable = true;
	make_sections(model, sections);
}

struct statistic model_statistic(const struct model *model, enum stat_id id)
{
	struct statistic statistic = model->stats.of[id];

	if (id == STAT_process_cpu_usage) {
		statistic.mean = model->totals.mean_cpu_usage;
		statistic.max = model->peak_cpu;
	} else if (id == STAT_process_memory_mib) {
		statistic.mean = model->totals.mean_memory_mib;
		statistic.max = model->totals.peak_memory_mib;
	}
	return statistic;
}

char *model_totals_text(const struct model *model)
{
	const char *counted_in = nest_parent(model->run);
	char unit[UNIT_NAME_SIZE], allocation[UNIT_NAME_SIZE];
	cJSON *json = cJSON_CreateObject();

	totals_write_json(&model->totals, json);
	if (*counted_in)
		cJSON_AddStringToObject(json, COUNTED_IN, counted_in);
	unit_of(model->run, unit);
	if (*unit)
		cJSON_AddStringToObject(json, "unit", unit);
	unit_allocation(model->run, allocation);
	if (*allocation)
		cJSON_AddStringToObject(json, "allocation", allocation);
	char *text = cJSON_PrintUnformatted(json);
	cJSON_Delete(json);
	return text;
}

void model_free(struct model *model)
{
	series_free(&model->process);
	series_free(&model->system);
	gpus_free(&model->gpus);
	processes_free(&model->processes);
	inner_runs_free(&model->inner);
	bill_free(&model->programs);
	bill_free(&model->by_process);
	marks_free(&model->marks);
	parts_free(&model->parts);
	code_free(&model->code);
	*model = (struct model){0};
}

int model_check(const struct model *model)
{
	if (model->usable)
		return 0;
	message_print("'%s' has no usable data", model->run->directory);
	return -1;
}
