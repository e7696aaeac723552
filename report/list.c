/* rtrack-report list: the runs of a spool, a line each, the newest first.
 *
 * A run is shown by the beginning of its id that no other run has: that is its second of start in UTC, and
 * more only where two runs began in the same one. */
#include "report/commands.h"

#include "report/message.h"
#include "report/runs.h"
#include "report/summary.h"
#include "report/terminal.h"

#include <errno.h>
#include <string.h>

enum { ID_LEAST = sizeof "20261121T015600Z" - 1, REST_WIDTH = 47 /* of the columns behind the job */ };

static size_t common_length(const char *a, const char *b)
{
	size_t length = 0;
	while (a[length] && a[length] == b[length])
		length++;
	return length;
}

/* How much of the name at `at` no other name begins with. */
static size_t unique_length(const struct runs *runs, size_t at)
{
	const char *name = runs->names[at];
	size_t longest = 0;

	for (size_t i = at; i-- > 0;) {
		size_t length = common_length(name, runs->names[i]);
		longest = length > longest ? length : longest;
		if (length < ID_LEAST)
			break;
	}
	for (size_t i = at + 1; i < runs->count; i++) {
		size_t length = common_length(name, runs->names[i]);
		longest = length > longest ? length : longest;
		if (length < ID_LEAST)
			break;
	}
	return longest < ID_LEAST ? ID_LEAST : longest + 1;
}

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
	return list->terminal.width > used + 12 ? list->terminal.width - used : 12;
}

static void write_title(const struct list *list)
{
	const struct terminal *terminal = &list->terminal;
	terminal_colour(terminal, COLOUR_dim);
	fprintf(terminal->out, "%-*s  %-*s%12s  %-11s%11s%11s\n", (int)list->id_width, "Run (UTC)",
		(int)job_width(list), "Job", "Duration", "Status", "CPU", "Memory");
	terminal_colour(terminal, COLOUR_plain);
}

static void write_text(const struct list *list, const struct run *run, const struct totals *totals, size_t unique)
{
	const struct terminal *terminal = &list->terminal;
	char id[SPOOL_ID_MAX * 2];

	snprintf(id, sizeof id, "%.*s", (int)unique, text_basename(text_of(run->directory)).data);
	terminal_text(terminal, id, list->id_width, list->id_width + 2);
	terminal_colour(terminal, COLOUR_strong);
	terminal_text(terminal, run->job, job_width(list), job_width(list));
	terminal_colour(terminal, COLOUR_plain);
	fprintf(terminal->out, "%12s  ", terminal_duration(totals->wall_seconds).text);
	terminal_colour(terminal, status_colour(run->status));
	terminal_text(terminal, *run->status ? run->status : "unknown", 11, 11);
	terminal_colour(terminal, COLOUR_plain);
	fprintf(terminal->out, "%11s%11s\n", terminal_duration(totals->cpu_seconds).text,
		terminal_figure(UNIT_mib, totals->peak_memory_mib).text);
}

static void write_json(const struct list *list, const struct run *run, const struct totals *totals)
{
	cJSON *object = cJSON_Duplicate(run->json, true);
	if (!object)
		return;
	if (!cJSON_HasObjectItem(object, "id"))
		cJSON_AddStringToObject(object, "id", run->id);
	totals_write_json(totals, cJSON_AddObjectToObject(object, "totals"));
	cJSON_AddItemToArray(list->json, object);
}

static bool is_wanted(const struct options *options, const struct run *run)
{
	double since = options->number[OPTION_since];
	const char *job = options->text[OPTION_job];

	if (job && strcmp(run->job, job) != 0)
		return false;
	return !number_known(since) || run->start_time >= since;
}

static void show_run(struct list *list, const struct run *run, size_t unique)
{
	struct summary summary;

	if (run->problem)
		message_print("cannot read '%s/%s': %s", run->directory, SPOOL_RUN_FILE, run->problem);
	if (summary_read(&summary, run, 0, 0) != 0)
		return;
	if (list->json)
		write_json(list, run, &summary.totals);
	else if (list->shown == 0)
		write_title(list);
	if (!list->json)
		write_text(list, run, &summary.totals, unique);
	list->shown++;
	summary_free(&summary);
}

static void show_runs(struct list *list, struct runs *runs)
{
	double limit = list->options->number[OPTION_limit];
	struct run run;

	for (size_t i = 0; i < runs->count; i++) {
		size_t unique = unique_length(runs, i);
		if (unique > list->id_width && unique < SPOOL_ID_MAX)
			list->id_width = (unsigned)unique;
	}
	while (!(list->shown >= limit) && runs_next(runs, &run)) {
		if (is_wanted(list->options, &run))
			show_run(list, &run, unique_length(runs, runs->next - 1));
		run_close(&run);
	}
}

int list_command(const struct options *options, const char *spool)
{
	struct list list = {.options = options, .terminal = terminal_of(stdout), .id_width = ID_LEAST};
	struct runs runs;

	if (runs_list(&runs, spool) != 0) {
		message_cannot_read(spool, errno);
		return EXIT_NO_DATA;
	}
	if (options->json)
		list.json = cJSON_CreateArray();
	show_runs(&list, &runs);
	int status = options->json ? summary_print_json(list.json) : EXIT_DONE;
	if (list.shown == 0) {
		message_print("no such run in '%s'", spool);
		status = EXIT_NO_DATA;
	}
	runs_free(&runs);
	return status;
}
