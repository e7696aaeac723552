/* SPDX-License-Identifier: Apache-2.0 */
/* rtrack-report export --all --to prometheus-textfile: writes requests, usage and outcomes of all jobs.
 *
 * Each combination of job, user and account is one time series. Names of jobs may contain numbers and dates, so only
 * the SERIES_MAX combinations with the longest total duration have series of their own. For the others, there is one
 * series for each user and account. Nested runs count once, and the request that all ranks of a job share also counts
 * once, as in `waste`. Figures are sums over the runs in the spool. They are gauges, because `prune` reduces them. */
#define _GNU_SOURCE
#include "report/commands/commands.h"
#include "report/commands/many.h"

#include "report/fleet/metrics.h"
#include "report/say/alloc.h"
#include "report/say/array.h"
#include "report/say/message.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int by_series(const void *a, const void *b)
{
	const struct digest *x = &((const struct job_run *)a)->digest, *y = &((const struct job_run *)b)->digest;
	int order = strcmp(x->job, y->job);

	order = order != 0 ? order : strcmp(x->user, y->user);
	return order != 0 ? order : strcmp(x->account, y->account);
}

/* -- series ---------------------------------------------------------------------------------------- */

static const char *const figures[][2] = {
	{"runs", "Runs that are over"},
	{"unfinished_runs", "Runs that did not finish"},
	{"out_of_memory_runs", "Runs in which a process ran out of memory"},
	{"seconds", "Duration of all runs (s)"},
	{"cpu_seconds", "CPU time of all runs (s)"},
	{"asked_memory_gib_seconds", "Memory requested, by the time that runs took (GiB-seconds)"},
	{"used_memory_gib_seconds",
		"Peak memory of runs that requested some, by the time that they took (GiB-seconds)"},
	{"asked_cpu_seconds", "CPUs requested, by the time that runs took (s)"},
	{"used_cpu_seconds", "CPU time of runs that requested CPUs (s)"},
	{"asked_gpu_seconds", "GPUs requested, by the time that runs took (s)"},
	{"used_gpu_seconds", "GPUs used by runs that requested some, by the time that they took (s)"},
};

/* Returns the amount that a run adds to a figure. */
static double figure_of(const struct job_run *run, size_t figure)
{
	const struct use *use = &run->digest.use;
	const struct waste_sum *of = run->waste.of;
	double counted = run->within ? 0 : 1, hours = 3600 * counted;
	const double values[ARRAY_LENGTH(figures)] = {1, !use_finished(use), use->end == USE_DIED,
		counted * known_first(use->seconds, 0), counted * known_first(use->cpu_used, 0),
		hours * of[WASTE_MEMORY].asked, hours * of[WASTE_MEMORY].used, hours * of[WASTE_CPU].asked,
		hours * of[WASTE_CPU].used, hours * of[WASTE_GPU].asked, hours * of[WASTE_GPU].used};

	return values[figure];
}

enum { SERIES_MAX = 1000 };
#define OTHER_JOBS "(other jobs)"

/* The runs of one combination of job, user and account. */
struct one_series {
	struct job_run *runs;
	size_t count;
	double seconds;
};

static int longest_first(const void *a, const void *b)
{
	const struct one_series *x = a, *y = b;

	return ORDER(y->seconds, x->seconds);
}

/* Renames the jobs beyond SERIES_MAX to OTHER_JOBS. The runs must be sorted, and are sorted again. */
static void bound_series(struct job_run *runs, size_t count)
{
	struct one_series *series = xcalloc(count, sizeof *series);
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		if (i == 0 || by_series(&runs[i - 1], &runs[i]) != 0)
			series[found++].runs = &runs[i];
		series[found - 1].count++;
		series[found - 1].seconds += runs[i].within ? 0 : known_first(runs[i].digest.use.seconds, 0);
	}
	array_sort(series, found, longest_first);
	for (size_t i = SERIES_MAX; i < found; i++)
		for (size_t k = 0; k < series[i].count; k++)
			series[i].runs[k].digest.job = OTHER_JOBS;
	free(series);
	array_sort(runs, count, by_series);
}

/* Writes one figure for each combination of job, user and account. The runs must be sorted by this combination. */
static void write_figure(gzFile out, const struct job_run *runs, size_t count, size_t figure)
{
	metrics_begin_jobs(out, figures[figure][0], figures[figure][1]);
	for (size_t first = 0, end; first < count; first = end) {
		const struct digest *digest = &runs[first].digest;
		double sum = 0;
		for (end = first; end < count && by_series(&runs[first], &runs[end]) == 0; end++)
			sum += figure_of(&runs[end], figure);
		metrics_write_job(out, figures[figure][0], digest->job, digest->user, digest->account, sum);
	}
}

/* Writes the metrics to `path`, or to stdout if `path` is NULL. The temporary name does not end in .prom, so that the
 * textfile collector of Prometheus ignores the file. */
static int write_runs(const struct job_run *runs, size_t count, const char *path)
{
	char *fresh = path ? xasprintf("%s.%d.new", path, (int)getpid()) : NULL;
	gzFile out = fresh ? gzopen(fresh, "wT") : gzdopen(dup(STDOUT_FILENO), "wT");
	if (!out) {
		int status = message_cannot_write(path ? path : "stdout");
		free(fresh);
		return status;
	}
	for (size_t figure = 0; figure < ARRAY_LENGTH(figures); figure++)
		write_figure(out, runs, count, figure);
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
	size_t count;
	struct jobs jobs;

	if (!options_is(options, OPTION_to, "prometheus-textfile") || options->run) {
		message_print("export --all needs --to prometheus-textfile, and takes no run");
		return EXIT_USAGE;
	}
	if (options_list_jobs(&jobs, options, spool) != 0)
		return EXIT_NO_DATA;
	struct job_run *runs = jobs_read_runs(&jobs, &count);
	array_sort(runs, count, by_series);
	bound_series(runs, count);
	int status = write_runs(runs, count, path && strcmp(path, "-") != 0 ? path : NULL);
	job_runs_free(runs, count);
	jobs_free(&jobs);
	return status;
}
