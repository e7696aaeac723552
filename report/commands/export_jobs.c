/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report export --all --to prometheus-textfile: requests, usage and outcomes of the runs of each job, user and
 * account, one series each.
 *
 * As in `waste`, nested runs count once, and so does the joint request of a job's ranks. Figures are sums over existing
 * runs. They are gauges, because prune reduces them. */
#define _GNU_SOURCE
#include "report/commands/commands.h"
#include "report/commands/many.h"

#include "report/fleet/metrics.h"
#include "report/history/beside.h"
#include "report/history/digest.h"
#include "report/model/nest.h"
#include "report/say/alloc.h"
#include "report/say/array.h"
#include "report/say/message.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct record {
	struct digest digest; /* owned */
	struct waste waste;
	bool within; /* the run is included in another run */
};

struct records {
	struct record *items;
	size_t count;
};

static void read_records(struct records *records, const struct jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++)
		for (size_t k = 0; k < jobs->items[i].count; k++) {
			struct record record = {.within = false};
			if (!digest_find(&record.digest, &jobs->runs, jobs->items[i].names[k], NULL, NULL))
				continue;
			if (!digest_ended(&record.digest, jobs->status)) {
				digest_free(&record.digest);
				continue;
			}
			array_grow(&records->items, records->count, sizeof record);
			records->items[records->count++] = record;
		}
}

/* Marks nested runs, and sums requests and usage. */
static void judge(struct records *records)
{
	struct nest *nests = xcalloc(records->count, sizeof *nests);
	struct beside *grouped = xcalloc(records->count, sizeof *grouped);
	size_t count = 0;

	for (size_t i = 0; i < records->count; i++) {
		struct record *record = &records->items[i];
		const struct digest *digest = &record->digest;
		nests[i] = (struct nest){
			.id = digest->id, .parent = digest->parent, .start_time = digest->start_time, .run = record};
		if (*digest->allocation)
			grouped[count++] = (struct beside){digest->allocation, digest->host, digest->parent,
				digest->start_time, &digest->use, &record->waste};
		else
			waste_add(&record->waste, &digest->use);
	}
	nest_find(nests, records->count);
	beside_add_up(grouped, count);
	for (size_t i = 0; i < records->count; i++)
		((struct record *)nests[i].run)->within = nests[i].around || nests[i].again;
	free(nests);
	free(grouped);
}

static int by_series(const void *a, const void *b)
{
	const struct digest *x = &((const struct record *)a)->digest, *y = &((const struct record *)b)->digest;
	int order = strcmp(x->job, y->job);

	order = order != 0 ? order : strcmp(x->user, y->user);
	return order != 0 ? order : strcmp(x->account, y->account);
}

/* -- series ---------------------------------------------------------------------------------------- */

static const char *const figures[][2] = {
	{"runs", "Runs that are over"},
	{"unfinished_runs", "Runs that did not finish"},
	{"out_of_memory_runs", "Runs in which a process was killed for lack of memory"},
	{"seconds", "Duration of all runs (s)"},
	{"cpu_seconds", "CPU time of all runs (s)"},
	{"asked_memory_gib_seconds", "Memory requested, by the time that runs took (GiB s)"},
	{"used_memory_gib_seconds", "Peak memory of runs that requested some, by the time that they took (GiB s)"},
	{"asked_cpu_seconds", "CPUs requested, by the time that runs took (s)"},
	{"used_cpu_seconds", "CPU time of runs that requested CPUs (s)"},
	{"asked_gpu_seconds", "GPUs requested, by the time that runs took (s)"},
	{"used_gpu_seconds", "GPUs used by runs that requested some, by the time that they took (s)"},
};

/* The value of a run for one row of `figures`. */
static double figure_of(const struct record *record, size_t figure)
{
	const struct use *use = &record->digest.use;
	const struct waste_sum *of = record->waste.of;
	double counted = record->within ? 0 : 1, hours = 3600 * counted;
	const double values[ARRAY_LENGTH(figures)] = {1, !use_finished(use), use->end == USE_DIED,
		counted * known_first(use->seconds, 0), counted * known_first(use->cpu_used, 0),
		hours * of[WASTE_MEMORY].asked, hours * of[WASTE_MEMORY].used, hours * of[WASTE_CPU].asked,
		hours * of[WASTE_CPU].used, hours * of[WASTE_GPU].asked, hours * of[WASTE_GPU].used};

	return values[figure];
}

/* Writes one figure of all series. Records must be sorted by series. */
static void write_figure(gzFile out, const struct records *records, size_t figure)
{
	metrics_begin_jobs(out, figures[figure][0], figures[figure][1]);
	for (size_t first = 0, end; first < records->count; first = end) {
		const struct record *record = &records->items[first];
		double sum = 0;
		for (end = first; end < records->count && by_series(record, &records->items[end]) == 0; end++)
			sum += figure_of(&records->items[end], figure);
		metrics_write_job(
			out, figures[figure][0], record->digest.job, record->digest.user, record->digest.account, sum);
	}
}

/* Writes to `path`, or to stdout if it is NULL. The temporary file does not end in .prom, so that the collector does
 * not read it. */
static int write_records(const struct records *records, const char *path)
{
	char *fresh = path ? xasprintf("%s.%d.new", path, (int)getpid()) : NULL;
	gzFile out = fresh ? gzopen(fresh, "wT") : gzdopen(dup(STDOUT_FILENO), "wT");
	if (!out) {
		int status = message_cannot_write(path ? path : "stdout");
		free(fresh);
		return status;
	}
	for (size_t figure = 0; figure < ARRAY_LENGTH(figures); figure++)
		write_figure(out, records, figure);
	bool whole = gzclose(out) == Z_OK && (!fresh || rename(fresh, path) == 0);
	int status = whole ? EXIT_DONE : message_cannot_write(path ? path : "stdout");
	if (!whole && fresh)
		unlink(fresh);
	free(fresh);
	return status;
}

/* -- the command ----------------------------------------------------------------------------------- */

int export_jobs_command(const struct options *options, const char *spool)
{
	const char *path = options->text[OPTION_output];
	struct records records = {NULL, 0};
	struct jobs jobs;

	if (!options_is(options, OPTION_to, "prometheus-textfile") || options->run) {
		message_print("export --all needs --to prometheus-textfile, and takes no run");
		return EXIT_USAGE;
	}
	if (options_list_jobs(&jobs, options, spool) != 0)
		return EXIT_NO_DATA;
	read_records(&records, &jobs);
	judge(&records);
	array_sort(records.items, records.count, by_series);
	int status = write_records(&records, path && strcmp(path, "-") != 0 ? path : NULL);
	for (size_t i = 0; i < records.count; i++)
		digest_free(&records.items[i].digest);
	free(records.items);
	jobs_free(&jobs);
	return status;
}
