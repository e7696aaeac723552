/* rtrack-report html: reads a run, fills the struct of its page, and has the page written.
 *
 * Everything of the run that can be read is shown; only a run without any series and any process has no page. A page
 * that could not be written whole is removed, so that it is not mistaken for one. */
#define _GNU_SOURCE
#include "report/advice/waste_price.h"
#include "report/commands/commands.h"
#include "report/compare/past.h"
#include "report/model/cpu_use.h"
#include "report/model/allocation.h"
#include "report/model/bill.h"
#include "report/model/exactness.h"
#include "report/model/phases.h"
#include "report/model/shares.h"
#include "report/model/stats.h"
#include "report/model/model.h"
#include "report/model/totals.h"
#include "report/model/group_told.h"
#include "report/page/group.h"
#include "report/history/history.h"
#include "report/model/shortage.h"
#include "report/commands/many.h"
#include "report/page/page_file.h"
#include "report/page/charts.h"
#include "report/page/write.h"
#include "report/model/parts.h"
#include "report/say/message.h"
#include "report/services/facts.h"
#include "report/page/trend_page.h"
#include "report/spool/marks.h"
#include "report/commands/advice.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* All that is read of a run; the page points into it. */
struct material {
	const struct run *run;
	char *command;
	char *labels;
	struct series process, system;
	struct processes processes;
	struct bill bill;
	struct totals totals;
	struct stats stats;
	struct history history;
	struct past past;
	struct recommendation recommendation;
	struct waste_money waste_money;
	struct phases phases;
	struct cpu_prices cpu_prices;
	struct postmortem postmortem;
	struct marks marks;
	struct parts parts;
	struct gpus gpus;
	const struct group *group; /* NULL: it is of a run */
	char *members;             /* its section */
	struct share_source whole; /* of a run */
	struct share_source *sources;
	size_t source_count;
	char *over_time;          /* the section on the job's runs */
	struct page_given *given; /* NULL: the run is shown by itself */
};

static void load_series(struct series *series, const struct run *run, enum table_id id, uint64_t also)
{
	uint64_t wanted = charts_columns(id) | recommend_columns(id) | also;
	if (series_load(series, run->directory, id, wanted) != 0)
		*series = (struct series){.table = &tables[id]};
}

/* Returns 0, or -1 with errno when there is no memory. */
static int read_run(struct material *material)
{
	const struct run *run = material->run;
	load_series(&material->process, run, TABLE_process,
		TOTALS_PROCESS_COLUMNS | phases_columns() | parts_columns() | cpu_use_columns(TABLE_process) |
			SERIES_COLUMN(PROCESS_rss_mib));
	load_series(&material->system, run, TABLE_system,
		TOTALS_SYSTEM_COLUMNS | ENERGY_SYSTEM_COLUMNS | cpu_use_columns(TABLE_system));
	if (processes_load(&material->processes, run->directory) != 0)
		return -1;
	if (totals_make(&material->totals, run, &material->process, &material->system, &material->processes) != 0)
		return -1;
	if (gpus_load(&material->gpus, run->directory) != 0 ||
		energy_make(&material->totals, run->directory, &material->gpus, &material->process, &material->system,
			&material->processes) != 0)
		return -1;
	return 0;
}

/* Takes what the group has; it is freed with the material. */
static int take_group(struct material *material, struct group *group)
{
	size_t size;

	material->process = group->sum.series;
	material->system = group->machine.series;
	material->processes = group->processes;
	group->sum.series = group->machine.series = (struct series){0};
	group->processes = (struct processes){0};
	material->totals = group->totals;
	material->sources = calloc(group->count + 1, sizeof *material->sources);
	if (!material->sources)
		return -1;
	for (size_t i = 0; i < group->count; i++)
		if (group->parts[i].process_count > 0)
			material->sources[material->source_count++] =
				(struct share_source){group->parts[i].run.directory, group->parts[i].first_process,
					group->parts[i].process_count};
	FILE *out = open_memstream(&material->members, &size);
	if (!out)
		return -1;
	group_write_html(out, group);
	return fclose(out) == 0 ? 0 : -1;
}

/* Makes the section on the job's runs. */
static int add_over_time(struct material *material)
{
	struct trend trend;
	size_t size;

	if (trend_read(&trend, material->run->directory, material->run->job) != 0)
		return -1;
	FILE *out = open_memstream(&material->over_time, &size);
	if (out)
		trend_write_section(out, &trend, material->run->id, NULL);
	trend_free(&trend);
	return out && fclose(out) == 0 ? 0 : -1;
}

static struct model summary_of(const struct material *material)
{
	return (struct model){.process = material->process,
		.gpus = material->gpus,
		.system = material->system,
		.processes = material->processes,
		.totals = material->totals,
		.usable = true};
}

static bool is_of_nobody(const struct material *material)
{
	return material->process.rows == 0 && material->processes.count == 0;
}

/* Makes the post-mortem, of whose victim the bill then knows. Returns 0, or -1 when there is no memory. */
static int look_back(struct material *material)
{
	const struct model model = summary_of(material);
	struct postmortem_question lack = {.died = false}; /* each part of a group has its own */

	if (is_of_nobody(material))
		return 0;
	if (!material->group)
		lack = shortage_question(material->run, &model);
	return postmortem_make(&material->postmortem, material->run, &material->system, &material->processes, &lack);
}

/* Fills what follows from what was read. Returns 0, or -1 with errno when there is no memory. */
static int derive(struct material *material)
{
	const struct run *run = material->run;

	stats_make(&material->stats, &material->process, &material->system, run->interval);
	material->command = run_command_line(run);
	material->labels = run_labels_line(run);
	if (!material->command || !material->labels)
		return -1;
	if (!material->given && history_read(&material->history, run, HISTORY_RUNS) != 0)
		return -1;
	if (!material->given && !material->group && add_over_time(material) != 0)
		return -1;
	if (marks_load(&material->marks, run->directory) != 0 ||
		phases_find(&material->phases, &material->process, &material->marks, run->start_time, run->interval) !=
			0)
		return -1;
	message_quiet(true); /* what is wrong with mark.csv has been said */
	int failed = parts_make(&material->parts, run, &material->process, &material->processes);
	message_quiet(false);
	if (failed != 0)
		return -1;
	cpu_prices_make(
		&material->cpu_prices, &material->process, &material->system, run, material->totals.wall_seconds);
	past_make(&material->past, &material->totals, &material->stats, &material->history);
	if ((material->gpus.count > 0 || processes_lack_figures(&material->processes)) &&
		processes_add_members(&material->processes, run->directory) != 0)
		return -1;
	if (look_back(material) != 0)
		return -1;
	return bill_by_command(&material->bill, &material->processes, &material->totals);
}

static void release(struct material *material)
{
	series_free(&material->process);
	series_free(&material->system);
	bill_free(&material->bill);
	processes_free(&material->processes);
	history_free(&material->history);
	marks_free(&material->marks);
	parts_free(&material->parts);
	gpus_free(&material->gpus);
	free(material->command);
	free(material->labels);
	free(material->members);
	free(material->sources);
	free(material->over_time);
}

static struct page_table table_of(const struct series *series)
{
	struct page_table table = {.rows = series->rows};
	for (size_t i = 0; i < COLUMNS_MAX; i++)
		table.columns[i] = series->columns[i];
	return table;
}

static struct page_use use_of(const struct stats *stats, enum stat_id id)
{
	return (struct page_use){stats->of[id].mean, stats->of[id].max};
}

static struct page_stats stats_of(const struct stats *stats)
{
	return (struct page_stats){
		.cpu = use_of(stats, STAT_process_cpu_usage),
		.memory_mib = use_of(stats, STAT_process_memory_mib),
		.gpu = use_of(stats, STAT_process_gpu_usage),
		.gpus = use_of(stats, STAT_process_gpu_utilized),
		.vram_mib = use_of(stats, STAT_process_gpu_vram_mib),
		.disk_space_gb = stats->of[STAT_system_disk_space_used_gb].max,
		.received = stats->of[STAT_system_net_recv_bytes].sum,
		.sent = stats->of[STAT_system_net_sent_bytes].sum,
	};
}

static void fill_commands(struct page *page, struct material *material)
{
	page->bill = &material->bill;
	page->programs = &material->bill.programs;
	page->process_list = &material->processes;
	material->whole = (struct share_source){material->run->directory, 0, material->processes.count};
	page->sources = material->sources ? material->sources : &material->whole;
	page->source_count = material->sources ? material->source_count : 1;
}

/* A status that the page knows: run.json may hold any text. */
static const char *known_status(const char *status)
{
	static const char *const known[] = {"finished", "failed", "killed", "running", "interrupted"};
	for (size_t i = 0; i < ARRAY_LENGTH(known); i++)
		if (strcmp(status, known[i]) == 0)
			return known[i];
	return "unknown";
}

static void fill_run(struct page *page, const struct material *material)
{
	const struct run *run = material->run;
	const cJSON *server = cJSON_GetObjectItemCaseSensitive(run->json, "server");
	const cJSON *cloud = cJSON_GetObjectItemCaseSensitive(run->json, "cloud");
	const cJSON *tracker = cJSON_GetObjectItemCaseSensitive(run->json, "tracker");
	page->job = text_of(run->job);
	page->id = text_of(run->id);
	page->command = text_of(material->command);
	page->labels = text_of(material->labels);
	page->cwd = text_of(run->cwd);
	page->user = text_of(run->user);
	page->host = text_of(run->host);
	page->mode = text_of(json_string(tracker, "mode"));
	page->version = text_of(json_string(tracker, "version"));
	page->status = known_status(run->status);
	page->start_time = run->start_time;
	page->stop_time = run->stop_time;
	page->interval = run->interval;
	enum outcome outcome = outcome_of(run, material->postmortem.found);
	page->outcome = *run->ends ? "not all finished" : outcome_word(outcome);
	page->outcome_word = outcome_preposition(outcome);
	outcome_describe(outcome, run, page->outcome_text, sizeof page->outcome_text);
	outcome_describe_silence(run, page->silence, sizeof page->silence);
	page->limit = postmortem_memory_limit(
		&material->postmortem, run, &material->system, material->totals.peak_memory_mib);
	page->os = text_of(json_string(server, "os"));
	const char *allocation = allocation_guess(&material->process, &material->system);
	page->allocation = text_of(allocation ? allocation : json_string(server, "allocation"));
	page->gpu_name = text_of(json_string(server, "gpu_name"));
	page->cloud = text_of(json_string(cloud, "vendor"));
	page->instance_type = text_of(json_string(cloud, "instance_type"));
	page->region = text_of(json_string(cloud, "region"));
	page->vcpus = run->vcpus;
	page->memory_mib = run->machine_memory_mib;
	page->gpu_count = json_double(server, "gpu_count");
	page->gpu_memory_mib = json_double(server, "gpu_memory_mib");
}

static void fill_use(struct page *page, const struct material *material)
{
	const struct totals *totals = &material->totals;
	page->wall_seconds = totals->wall_seconds;
	page->cpu_seconds = totals->cpu_seconds;
	page->user_seconds = totals->user_seconds;
	page->system_seconds = totals->system_seconds;
	page->peak_memory_mib = totals->peak_memory_mib;
	page->peak_memory_at_most_mib = totals->peak_memory_at_most_mib;
	if (!totals->exact_memory && !(totals->peak_memory_at_most_mib < material->run->machine_memory_mib))
		page->peak_memory_at_most_mib = UNKNOWN;
	page->peak_memory_together_mib = totals->peak_memory_together_mib;
	page->memory_is_rss = stats_memory_is_rss(&material->process);
	page->peaks_are_known = totals->exact_memory || !run_ended(material->run);
	page->has_two_peaks = totals_together_tells(totals, material->run);
	page->peak_is_least = totals_peak_is_least(totals);
	page->peak_process_memory_mib = totals->peak_process_memory_mib;
	page->processes = totals->processes;
	page->processes_are_least = material->run->lacks_rows;
	page->read_bytes = totals->disk_read_bytes;
	page->write_bytes = totals->disk_write_bytes;
	page->totals = totals;
	if (exactness_is_told(totals, material->run))
		exactness_describe_unseen(totals, material->run, page->exactness, sizeof page->exactness);
	else if (!totals->exact && strcmp(material->run->status, "running") != 0)
		snprintf(page->exactness, sizeof page->exactness, "%s", exactness_describe(totals, material->run));
	page->missing_records = exactness_missing_records(material->run);
	page->stats = stats_of(&material->stats);
	page->history = stats_of(&material->history.stats);
	page->history_seconds = history_mean(&material->history, TOTAL_wall_seconds);
	page->past = &material->past;
	page->history_runs = (double)material->history.count;
	/* The same figure must have the same value everywhere. So they are those of the totals, by time, and not the
	 * predecessor's, which counts rows. */
	page->stats.memory_mib = (struct page_use){totals->mean_memory_mib, totals->peak_memory_mib};
	page->stats.cpu =
		(struct page_use){totals->mean_cpu_usage, series_peak_rate(&material->process, PROCESS_cpu_usage,
								  material->run->start_time, material->run->interval)};
	page->phases = &material->phases;
	page->cpu_prices = &material->cpu_prices;
	cpu_waits_describe(&material->process, &material->system, material->run, page->cpu_waits);
	page->marks = &material->marks;
	page->parts = &material->parts;
	page->tables[TABLE_process] = table_of(&material->process);
	page->tables[TABLE_system] = table_of(&material->system);
}

static int write_model(FILE *out, const void *page)
{
	return page_write(out, page);
}

static int write_page(const struct options *options, const struct page *page, const struct run *run)
{
	const char *path = options->text[OPTION_output];
	if (path && strcmp(path, "-") == 0) {
		if (page_write(stdout, page) == 0)
			return EXIT_DONE;
		return ferror(stdout) ? EXIT_NO_DATA : page_file_fail("-"); /* main reports errors of stdout */
	}
	char *name = path ? NULL : page_file_name(run->id);
	if (!path && !name)
		return page_file_fail("the page");
	int status = page_file_write(path ? path : name, write_model, page);
	if (status == EXIT_DONE && options->json)
		status = page_file_print_name(path ? path : name);
	else if (status == EXIT_DONE && name)
		printf("%s\n", name);
	if (status == EXIT_DONE && options_given(options, OPTION_open))
		status = page_file_open(path ? path : name);
	free(name);
	return status;
}

/* Returns 0, or -1 after a message. */
static int advise_page(struct page *page, struct material *material, const struct options *options)
{
	const struct model model = summary_of(material);

	if (is_of_nobody(material))
		return 0;
	page->postmortem = &material->postmortem;
	page->recommendation = &material->recommendation;
	page->priced = options_given(options, OPTION_prices) || options_given(options, OPTION_catalog);
	int made = material->group ? advice_make_group(
					     &material->recommendation, options, material->group, material->run, &model)
				   : advice_make_by(&material->recommendation, options, material->run, &model,
					     material->given ? &material->given->earlier : NULL);
	if (made != 0)
		return -1;
	struct price_question question = advice_prices(options);
	struct waste *waste = &material->recommendation.waste;
	if (waste->runs > 0 && waste_price(&material->waste_money, waste, &question, true) != 0)
		return -1;
	page->waste_money = material->waste_money.between;
	page->waste_currency = material->waste_money.currency;
	return 0;
}

/* Whether the options agree; else after a message. */
static bool may_be_written(const struct options *options)
{
	bool to_stdout = options_given(options, OPTION_output) && strcmp(options->text[OPTION_output], "-") == 0;

	if (options_given(options, OPTION_open) && to_stdout)
		message_print("--open needs a file: -o FILE");
	else if (options->json && to_stdout)
		message_print("--format json and -o - would both write to stdout");
	else
		return true;
	return false;
}

/* Makes the page of what was read; `failed` is whether that could not be. */
static int make_page(const struct options *options, struct material *material, bool failed)
{
	struct page page = {.members = NULL};
	const struct run *run = material->run;
	int status = EXIT_NO_DATA;

	if (failed || derive(material) != 0) {
		message_cannot_read(run->directory, errno);
	} else if (material->process.rows == 0 && material->system.rows == 0 && material->processes.count == 0) {
		message_print("nothing was recorded in '%s'", run->directory);
	} else if (advise_page(&page, material, options) == 0) {
		fill_run(&page, material);
		fill_use(&page, material);
		fill_commands(&page, material);
		page.members = material->members;
		page.over_time = material->over_time;
		status = material->given ? page_file_write(material->given->path, write_model, &page)
					 : write_page(options, &page, run);
	}
	release(material);
	return status;
}

int html_command(const struct options *options, const struct run *run)
{
	struct material material = {.run = run};

	if (!may_be_written(options))
		return EXIT_USAGE;
	return make_page(options, &material, read_run(&material) != 0);
}

/* A page of a site, by what is at hand of its job's other runs. */
static int make_page_of_site(const struct options *options, struct run *run, struct page_given *given)
{
	struct material material = {
		.run = run, .history = given->history, .over_time = given->over_time, .given = given};

	given->history = (struct history){0};
	given->over_time = NULL;
	facts_add(run, CLOUD_ASK_NONE);
	return make_page(options, &material, read_run(&material) != 0);
}

int html_all_command(const struct options *options, const char *spool)
{
	return many_html(options, spool, make_page_of_site);
}

int html_group(const struct options *options, struct group *group, struct whole *whole)
{
	struct material material = {.run = &whole->run, .group = group};

	if (!may_be_written(options))
		return EXIT_USAGE;
	return make_page(options, &material, take_group(&material, group) != 0);
}
