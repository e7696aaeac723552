/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the notes and the JSON of a recommendation. */
#include "report/advice/recommend.h"

#include "core/number.h"
#include "report/model/gpu_use.h"
#include "report/model/group.h"
#include "report/advice/split.h"
#include "report/model/outcome.h"
#include "report/model/exact.h"
#include "report/model/use.h"
#include "report/say/units.h"

#include <stdarg.h>
#include <string.h>

/* A note is added if a run was throttled for at least this share of its time. */
static const double THROTTLED_WORTH = 0.05;
/* A note is added if the control group's memory exceeds the peak by this factor. */
static const double WORTH_TELLING = 1.1;

/* With few runs, more requests are too small than 1 in AIM. docs/recommend.md documents these measured rates. */
enum { AIM = 500, FEW_RUNS = 4 };
static const double RATE_OF_ONE = 1.0 / 30;
static const double RATE_OF_FEW = 1.0 / 100;

struct model_wish recommend_wish(void)
{
	return (struct model_wish){
		.sections = MODEL_COURSE | MODEL_STATS,
		.process_columns = use_columns(TABLE_process) | gpu_use_columns(TABLE_process),
		.system_columns = use_columns(TABLE_system) | gpu_use_columns(TABLE_system),
	};
}

void recommend_note(struct recommendation *recommendation, const char *format, ...)
{
	va_list arguments;

	if (recommendation->note_count == RECOMMEND_NOTES_MAX)
		return;
	va_start(arguments, format);
	vsnprintf(recommendation->notes[recommendation->note_count++], RECOMMEND_NOTE_SIZE, format, arguments);
	va_end(arguments);
}

const char *recommend_unit(const struct recommendation *recommendation)
{
	return recommendation->of_groups ? "group" : "run";
}

/* -- notes ----------------------------------------------------------------------------------------- */

/* Adds a note on how the run ended, in the words of `show`. A run that ran out of memory gets a different note. */
static void note_words(struct recommendation *recommendation, const struct run *run, const char *rests)
{
	static const char killed[] = "killed";
	char end[160];

	outcome_describe(OUTCOME_UNKNOWN, run, end, sizeof end);
	if (!run_ended(run))
		recommend_note(recommendation, "The end of this run is unknown: %s.", rests);
	else
		recommend_note(recommendation, "This run %s%s: %s.",
			strncmp(end, killed, sizeof killed - 1) == 0 ? "was " : "", end, rests);
}

static void note_end(struct recommendation *recommendation, const struct run *run, bool others)
{
	const char *rests = !others                   ? "it may have needed more later"
			    : recommendation->classic ? "its peaks count, its means do not"
						      : "it needs at least as much";

	if (strcmp(run->status, "finished") == 0)
		return;
	if (strcmp(run->status, "running") == 0)
		recommend_note(recommendation, "This %s has not ended: %s.", recommend_unit(recommendation), rests);
	else if (*run->ends) /* for a group, a text on how its runs ended */
		recommend_note(recommendation, "%s: %s.", run->ends, rests);
	else if (strcmp(run->limit, "seconds") == 0)
		recommend_note(recommendation, "rtrack-run ended this run after %s: %s.",
			units_duration(run->limit_seconds).text, rests);
	else if (strcmp(run->limit, "memory") == 0)
		return; /* allowance.c and classic.c add a note on this end */
	else
		note_words(recommendation, run, rests);
}

void recommend_note_few(struct recommendation *recommendation)
{
	size_t runs = recommendation->classic ? recommendation->runs : recommendation->memory.runs;
	const char *unit = recommend_unit(recommendation);

	bool measured = !recommendation->classic && recommendation->failures == AIM;
	if (runs == 0 && recommendation->classic)
		recommend_note(recommendation, "No %s has finished yet: this may well be too little.", unit);
	else if (measured && runs > 0 && runs < FEW_RUNS)
		recommend_note(recommendation, "Chance that this is too little: %s (1 %% after %d %ss).",
			runs == 1 ? "about 3 %" : "1 to 3 %", FEW_RUNS, unit);
	else if (measured && runs == FEW_RUNS)
		recommend_note(recommendation, "Chance that this is too little: about 1 %%.");
	else if (runs == 1)
		recommend_note(recommendation, "Another %s may need more.", unit);
}

static void note_gpus(struct recommendation *recommendation, const struct model *model)
{
	char text[GPU_USE_SIZE];

	gpu_use_idle(model, text);
	if (*text)
		recommend_note(recommendation, "%s.", text);
	gpu_use_wait(model, text);
	if (*text)
		recommend_note(recommendation, "%s.", text);
	gpu_use_slowed(&model->gpus, text);
	if (*text)
		recommend_note(recommendation, "%s.", text);
	gpu_use_unsaid(&model->gpus, text);
	if (*text)
		recommend_note(recommendation, "%s.", text);
	if (gpu_use_untold(&model->gpus))
		recommend_note(recommendation, "What the job used of the GPUs cannot be told from what others used.");
}

static void note_held(struct recommendation *recommendation, const struct model *model)
{
	double peak_mib = model->totals.peak_memory_mib, needed_mib = model->shortage.needed_mib;
	double files_mib = totals_tmpfs_files(&model->totals);

	if (number_known(files_mib))
		recommend_note(recommendation,
			"Its files on tmpfs (/dev/shm) had up to %s, besides the %s of its processes. They count "
			"against a "
			"limit too.",
			units_figure(UNIT_mib, files_mib).text, units_figure(UNIT_mib, peak_mib).text);
	else if (needed_mib > peak_mib * WORTH_TELLING)
		recommend_note(recommendation,
			"Its control group held %s besides pages of files on disk, and its processes had %s. Files in "
			"tmpfs (/dev/shm) count against its limit too.",
			units_figure(UNIT_mib, needed_mib).text, units_figure(UNIT_mib, peak_mib).text);
}

/* Adds a note on mapped files, which count in the peak but not in the request. */
static void note_files(struct recommendation *recommendation, const struct totals *totals)
{
	double files_mib = totals_file_pages(totals);

	if (number_known(files_mib))
		recommend_note(recommendation,
			"%s of its peak of %s are pages of mapped files. The request leaves them out: under a smaller "
			"limit the kernel drops them, and the job reads them again.",
			units_figure(UNIT_mib, files_mib).text, units_figure(UNIT_mib, totals->peak_memory_mib).text);
}

void recommend_note_cache(struct recommendation *recommendation, const struct model *model)
{
	double limit_mib = model->shortage.charged_limit_mib;

	if (number_known(limit_mib))
		recommend_note(recommendation,
			"With its page cache the job was at its limit, %s: with less memory it may read more from "
			"disk.",
			units_figure(UNIT_mib, limit_mib).text);
}

double recommend_machine_mib(const struct model *model)
{
	double most = UNKNOWN;

	if (!model->group)
		return model->run->machine_memory_mib;
	for (size_t i = 0; i < model->group->host_count; i++)
		most = known_larger(most, model->group->hosts[i].machine_memory_mib);
	return most;
}

/* Adds a note if the request exceeds the memory of the run's machine. */
static void note_machine(struct recommendation *recommendation, const struct model *model)
{
	double machine_mib = recommend_machine_mib(model);

	if (recommendation->resources.memory_mib > machine_mib)
		recommend_note(recommendation, "The machine of this run has only %s: it cannot give this request.",
			units_figure(UNIT_mib, machine_mib).text);
}

/* Adds a note if the job waited for CPUs, because the classic rule uses only the CPUs that the job got. */
static void note_waited(struct recommendation *recommendation, const struct totals *totals)
{
	if (recommendation->classic && cpu_use_is_short(totals))
		recommend_note(recommendation, "The job got %s and wanted %s CPUs on average.",
			units_figure(UNIT_cpus, totals->mean_cpu_usage).text,
			units_figure(UNIT_cpus, totals->cpus_wanted).text);
}

void recommend_note_basis(struct recommendation *recommendation, const struct model *model)
{
	const struct run *run = model->run;
	double throttled = series_sum(&model->system, SYSTEM_cpu_throttled);

	note_machine(recommendation, model);
	recommend_note_few(recommendation);
	note_end(recommendation, run, recommendation->runs > 1);
	note_held(recommendation, model);
	if (!recommendation->classic)
		note_files(recommendation, &model->totals);
	if (model->totals.ended_unseen > 0 && !model->totals.exact && run_ended(run))
		recommend_note(
			recommendation, "Not all processes were followed to their ends: figures are a lower bound.");
	if (exactness_missing_records(run))
		recommend_note(recommendation, "Figures are a lower bound, because these are missing: %s.",
			exactness_missing_records(run));
	if (recommendation->classic && throttled >= model->totals.wall_seconds * THROTTLED_WORTH)
		recommend_note(recommendation, "The job was held back by its CPU limit for %s: it may use more CPUs.",
			units_duration(throttled).text);
	note_waited(recommendation, &model->totals);
	note_gpus(recommendation, model);
}

struct split recommend_split(const struct recommendation *recommendation, const struct phases *phases)
{
	struct split_basis basis = split_basis_of(phases, &recommendation->memory, recommendation->failures);

	return split_of(phases, recommendation->classic ? NULL : &basis);
}

void recommend_note_phases(struct recommendation *recommendation, const struct model *model)
{
	struct split split = recommend_split(recommendation, &model->phases);
	char saving[256];

	if (!split.worth_it)
		return;
	split_describe(&split, true, saving, sizeof saving);
	recommend_note(recommendation,
		"Its phases differ in usage: as %zu jobs, one for each phase, it would reserve %.200s less.",
		model->phases.count, saving);
}

/* -- JSON ------------------------------------------------------------------------------------------ */

static cJSON *server_json(const struct server *server)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddStringToObject(object, "vendor", server->vendor);
	cJSON_AddStringToObject(object, "server", server->id);
	cJSON_AddStringToObject(object, "name", server->name);
	cJSON_AddStringToObject(object, "architecture", server->architecture);
	cJSON_AddStringToObject(object, "region", server->region);
	json_add_number(object, "vcpus", server->vcpus, 2);
	json_add_number(object, "memory", server->memory_mib, 0);
	json_add_number(object, "gpu", server->gpu, 2);
	json_add_number(object, "vram", server->vram_mib, 0);
	cJSON_AddStringToObject(object, "gpu_model", server->gpu_model);
	json_add_number(object, "price", server->price, 6);
	json_add_number(object, "price_spot", server->spot_price, 6);
	cJSON_AddStringToObject(object, "currency", server->currency);
	return object;
}

static cJSON *cost_json(const struct cost *cost)
{
	cJSON *object = cJSON_CreateObject();

	json_add_number(object, "run", cost->run, 6);
	json_add_number(object, "current", cost->current, 6);
	json_add_number(object, "saving", cost->saving, 6);
	json_add_number(object, "saving_percent", cost->saving_percent, 2);
	json_add_number(object, "run_spot", cost->spot, 6);
	cJSON_AddStringToObject(object, "currency", cost->currency);
	return object;
}

/* Returns the regression line of peak by input size, or null if there is none or the next input size is unknown. */
static cJSON *line_json(const struct rule_answer *memory)
{
	static const double GIB = 1073741824;

	if (memory->line_runs == 0)
		return cJSON_CreateNull();
	cJSON *line = cJSON_CreateObject();
	cJSON_AddNumberToObject(line, "runs", (double)memory->line_runs);
	json_add_number(line, "start_mib", memory->line_start, 3);
	json_add_number(line, "mib_per_gib", memory->line_slope * GIB, 3);
	json_add_number(line, "fit", memory->line_fit, 4);
	json_add_number(line, "largest_bytes", memory->line_largest, 0);
	return line;
}

/* Returns the measured probability that a request is too small if it is based on so few runs, or UNKNOWN. */
static double rate_of(const struct recommendation *recommendation)
{
	if (recommendation->failures != AIM || recommendation->memory.runs > FEW_RUNS ||
		recommendation->memory.runs == 0)
		return UNKNOWN;
	return recommendation->memory.runs < FEW_RUNS ? RATE_OF_ONE : RATE_OF_FEW;
}

static void add_basis(cJSON *basis, const struct recommendation *recommendation)
{
	const struct rule_answer *memory = &recommendation->memory;
	static const char *const reasons[] = {[RULE_BY_PEAKS] = "peaks",
		[RULE_BY_INPUT] = "input",
		[RULE_BY_LIMIT] = "limit",
		[RULE_AFTER_DEATH] = "death",
		[RULE_AFTER_DOUBT] = "doubt"};

	json_add_number(basis, "failures", 1 / recommendation->failures, 9);
	cJSON_AddNumberToObject(basis, "finished", (double)memory->runs);
	cJSON_AddNumberToObject(basis, "deaths", (double)memory->deaths);
	json_add_number(basis, "median", memory->median, 3);
	json_add_number(basis, "largest", memory->largest, 3);
	json_add_number(basis, "spread", memory->largest - memory->median, 3);
	cJSON_AddItemToObject(basis, "input", line_json(memory));
	cJSON_AddStringToObject(basis, "by", reasons[memory->reason]);
	cJSON_AddItemToObject(basis, "replay", replay_json(&recommendation->replay));
	json_add_number(basis, "too_small_after_few", rate_of(recommendation), 4);
	cJSON *cpus = cJSON_AddObjectToObject(basis, "cpu");
	json_add_number(cpus, "more_used", recommendation->cpus.more_share, 4);
	json_add_number(cpus, "longer", recommendation->cpus.longer, 4);
	json_add_number(cpus, "throttled", recommendation->cpus.throttled_share, 4);
	cJSON *text = cJSON_AddArrayToObject(basis, "text");
	for (size_t i = 0; i < BASIS_COUNT; i++)
		if (*recommendation->basis[i])
			cJSON_AddItemToArray(text, cJSON_CreateString(recommendation->basis[i]));
}

cJSON *recommend_json(const struct recommendation *recommendation)
{
	const struct resources *resources = &recommendation->resources;
	cJSON *json = cJSON_CreateObject();
	cJSON *part = cJSON_AddObjectToObject(json, "resources");

	json_add_number(part, "cpu", resources->cpu, 0);
	json_add_number(part, "memory", resources->memory_mib, 0);
	json_add_number(part, "gpu", resources->gpu, 0);
	json_add_number(part, "vram", resources->vram_mib, 0);
	json_add_number(part, "seconds", resources->seconds, 0);
	if (!recommendation->classic)
		json_add_number(part, "disk", resources->disk_mib, 0);
	part = cJSON_AddObjectToObject(json, "basis");
	cJSON_AddNumberToObject(part, "runs", (double)recommendation->runs);
	cJSON_AddStringToObject(part, "rule", recommendation->rule);
	if (!recommendation->classic)
		add_basis(part, recommendation);
	cJSON_AddItemToObject(
		json, "server", recommendation->has_server ? server_json(&recommendation->server) : cJSON_CreateNull());
	cJSON_AddItemToObject(
		json, "cost", recommendation->has_cost ? cost_json(&recommendation->cost) : cJSON_CreateNull());
	part = cJSON_AddArrayToObject(json, "notes");
	for (size_t i = 0; i < recommendation->note_count; i++)
		cJSON_AddItemToArray(part, cJSON_CreateString(recommendation->notes[i]));
	return json;
}
