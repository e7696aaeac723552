/* rtrack-report list: the runs of a spool, a line each, the newest first.
 *
 * A run is shown by the second of its start in UTC, with which its id begins; where several runs began in one second,
 * also by the last part of the id. runs_select takes both. */
#include "report/commands/commands.h"

#include "report/figures/summary.h"
#include "report/history/digest.h"
#include "report/say/message.h"
#include "report/say/terminal.h"

#include <errno.h>
#include <string.h>

enum { REST_WIDTH = 46, /* of the columns behind the job */ JOB_LEAST = 11 };

struct list {
	const struct options *options;
	struct terminal terminal;
	unsigned id_width;
	cJSON *json; /* NULL: as text */
	double shown;
};

static enum colour status_colour(const char *status)
{
	return strcmp(status, "finished") == 0                                  ? COLOUR_good
	       : strcmp(status, "running") == 0                                 ? COLOUR_line
	       : strcmp(status, "failed") == 0 || strcmp(status, "killed") == 0 ? COLOUR_bad
										: COLOUR_warn;
}

static unsigned job_width(const struct list *list)
{
	unsigned used = list->id_width + 2 + REST_WIDTH;
	return list->terminal.width > used + JOB_LEAST ? list->terminal.width - used : JOB_LEAST;
}

static void write_title(const struct list *list)
{
	const struct terminal *terminal = &list->terminal;
	terminal_colour(terminal, COLOUR_dim);
	fprintf(terminal->out, "%-*s  %-*s%12s  %-11s%12s%9s\n", (int)list->id_width, "Run (UTC)", (int)job_width(list),
		"Job", "Duration", "Status", "CPU", "Memory");
	terminal_colour(terminal, COLOUR_plain);
}

static void write_text(const struct list *list, const struct digest *digest, const cJSON *totals, const char *id)
{
	const struct terminal *terminal = &list->terminal;

	terminal_text(terminal, id, list->id_width, list->id_width + 2);
	terminal_colour(terminal, COLOUR_strong);
	terminal_text(terminal, digest->job, job_width(list), job_width(list));
	terminal_colour(terminal, COLOUR_plain);
	fprintf(terminal->out, "%12s  ", terminal_duration(json_double(totals, "wall_seconds")).text);
	terminal_colour(terminal, status_colour(digest->status));
	terminal_text(terminal, *digest->status ? digest->status : "unknown", 11, 11);
	terminal_colour(terminal, COLOUR_plain);
	fprintf(terminal->out, "%12s%9s\n", terminal_duration(json_double(totals, "cpu_seconds")).text,
		terminal_figure(UNIT_mib, json_double(totals, "peak_memory_mib")).text);
}

/* Writes run.json as it is; the digest does not hold it. */
static void write_json(const struct list *list, const struct runs *runs, const char *name, cJSON *totals)
{
	struct run run;

	if (runs_open(&run, runs, name) != 0) {
		cJSON_Delete(totals);
		return;
	}
	cJSON *object = run.json;
	run.json = NULL;
	if (!cJSON_HasObjectItem(object, "id"))
		cJSON_AddStringToObject(object, "id", name);
	cJSON_AddItemToObject(object, "totals", totals);
	cJSON_AddItemToArray(list->json, object);
	run_close(&run);
}

static bool is_wanted(const void *context, const struct digest *digest)
{
	const struct options *options = context;
	double since = options->number[OPTION_since];
	const char *job = options->text[OPTION_job];

	if (job && strcmp(digest->job, job) != 0)
		return false;
	return !number_known(since) || digest->start_time >= since;
}

/* Whether `labels` have KEY=VALUE, which is a line of the option. */
static bool has_label(const cJSON *labels, const char *line, size_t length)
{
	const cJSON *label;

	cJSON_ArrayForEach(label, labels)
	{
		const char *value = cJSON_GetStringValue(label);
		size_t key = strlen(label->string);
		if (value && key + 1 + strlen(value) == length && strncmp(line, label->string, key) == 0 &&
			line[key] == '=' && strncmp(line + key + 1, value, strlen(value)) == 0)
			return true;
	}
	return false;
}

/* Whether the run has every label that is asked for; the digest does not hold them. */
static bool has_labels(const struct list *list, const struct runs *runs, const char *name)
{
	const char *line = list->options->lines;
	struct run run;
	bool all = true;

	if (!options_given(list->options, OPTION_label))
		return true;
	if (runs_open(&run, runs, name) != 0)
		return false;
	for (size_t length; all && *line; line += length + (line[length] == '\n')) {
		length = strcspn(line, "\n");
		all = has_label(cJSON_GetObjectItemCaseSensitive(run.json, "labels"), line, length);
	}
	run_close(&run);
	return all;
}

static void show_run(struct list *list, const struct runs *runs, const char *name, const char *id)
{
	struct digest digest;

	if (!has_labels(list, runs, name) || digest_find(&digest, runs, name, is_wanted, list->options) != 1)
		return;
	if (digest.problem)
		message_print("cannot read '%s/%s/%s': %s", runs->spool, name, SPOOL_RUN_FILE, digest.problem);
	cJSON *totals = digest_totals(&digest);
	if (list->json) {
		write_json(list, runs, name, totals);
	} else {
		if (list->shown == 0)
			write_title(list);
		write_text(list, &digest, totals, id);
		cJSON_Delete(totals);
	}
	list->shown++;
	digest_free(&digest);
}

static void show_runs(struct list *list, struct runs *runs)
{
	double limit = list->options->number[OPTION_limit];
	char id[RUNS_SHORT_ID_SIZE];
	const char *name;

	for (size_t i = 0; i < runs->count; i++) {
		runs_short_id(runs, i, id);
		if (strlen(id) > list->id_width)
			list->id_width = (unsigned)strlen(id);
	}
	while (!(list->shown >= limit) && (name = runs_next_name(runs))) {
		runs_short_id(runs, runs->next - 1, id);
		show_run(list, runs, name, id);
	}
}

int list_command(const struct options *options, const char *spool)
{
	struct list list = {.options = options, .terminal = terminal_of(stdout), .id_width = RUNS_STAMP_LENGTH};
	struct runs runs;

	if (runs_list(&runs, spool) != 0) {
		message_cannot_read(spool, errno);
		return EXIT_NO_DATA;
	}
	if (options->json)
		list.json = cJSON_CreateArray();
	show_runs(&list, &runs);
	int status = options->json ? exit_of(json_print(list.json)) : EXIT_DONE;
	if (list.shown == 0 && !options->json)
		message_print("no such run in '%s'", spool);
	runs_free(&runs);
	return status;
}
