/* SPDX-License-Identifier: Apache-2.0 */
/* Merges the runs of one script or batch job into one line of `list`. */
#include "report/text/list.h"

#include "report/model/nest.h"
#include "report/model/runs_peak.h"
#include "report/say/alloc.h"
#include "report/say/array.h"
#include "report/spool/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_WIDTH = 24 /* bytes of all job names */ };

/* Seconds. If a run is killed, another process records its end slightly late. The script may have started its next run
 * in the meantime, so a short overlap does not mean that the two runs were concurrent. */
static const double FOUND_LATE = 0.1;

/* The runs of one script, newest first. */
struct members {
	struct list_row **rows;
	size_t count;
};

void list_row_free(struct list_row *row)
{
	free(row->id);
	free(row->job);
	free(row->status);
	free(row->script);
	free(row->parent);
	free(row->whole);
	free(row->cluster);
}

struct figure list_peak(const struct terminal *terminal, const struct list_row *row)
{
	struct figure peak = terminal_figure(UNIT_mib, row->totals.peak_memory_mib), text;

	if (!row->is_bound)
		return peak;
	snprintf(text.text, sizeof text.text, "%s%.40s", terminal->utf8 ? "≤" : "<=", peak.text);
	return text;
}

/* Marks the members that other members include, so that sums count them once. */
static void mark_within(const struct members *members)
{
	struct nest *nests = xcalloc(members->count, sizeof *nests);

	for (size_t i = 0; i < members->count; i++) {
		struct list_row *row = members->rows[i];
		nests[i] = (struct nest){.id = row->name,
			.identity = row->identity,
			.parent = row->parent,
			.start_time = row->start,
			.run = row};
	}
	nest_find(nests, members->count);
	for (size_t i = 0; i < members->count; i++)
		((struct list_row *)nests[i].run)->within = nests[i].around || nests[i].again;
	free(nests);
}

static struct runs_peak find_peak(const struct members *members)
{
	struct run_peak *runs = xcalloc(members->count, sizeof *runs);
	size_t count = 0;

	for (size_t i = 0; i < members->count; i++) {
		const struct list_row *row = members->rows[i];
		if (row->within)
			continue;
		double late = strcmp(row->status, "finished") == 0 ? 0 : FOUND_LATE;
		runs[count++] = (struct run_peak){row->start, row->start + row->totals.wall_seconds - late,
			row->totals.peak_memory_at_least_mib, row->totals.peak_memory_mib,
			row->totals.peak_memory_at_most_mib};
	}
	const struct runs_peak peak = runs_peak_find(runs, count, NULL, UNKNOWN);
	free(runs);
	return peak;
}

static bool named_before(const struct members *members, size_t i)
{
	for (size_t k = i + 1; k < members->count; k++)
		if (strcmp(members->rows[k]->job, members->rows[i]->job) == 0)
			return true;
	return false;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Returns the number of different jobs. */
static size_t count_jobs(const struct members *members)
{
	const char **jobs = xcalloc(members->count, sizeof *jobs);
	size_t count = 0;

	for (size_t i = 0; i < members->count; i++)
		jobs[i] = members->rows[i]->job;
	qsort(jobs, members->count, sizeof *jobs, by_text);
	for (size_t i = 0; i < members->count; i++)
		count += i == 0 || strcmp(jobs[i], jobs[i - 1]) != 0;
	free(jobs);
	return count;
}

/* Formats "7 runs: sort, awk, +2 jobs". The jobs are in the order of their first runs; "+2 jobs" is the number of jobs
 * that are not named. The names begin at offset *names. The text before them is never truncated. */
static char *jobs_of(const struct members *members, size_t *names)
{
	size_t named = 0, count = count_jobs(members);
	char *all = xasprintf("%zu runs: ", members->count);
	size_t length = *names = strlen(all);

	for (size_t i = members->count; i-- > 0;) {
		const char *job = members->rows[i]->job;
		if (named_before(members, i))
			continue;
		size_t used = length - *names;
		if (used > 0 && used + strlen(job) > NAMES_WIDTH)
			break;
		char *longer = xasprintf("%s%s%s", all, used > 0 ? ", " : "", job);
		free(all);
		all = longer;
		length = strlen(all);
		named++;
	}
	if (named == count)
		return all;
	char *whole = xasprintf("%s, +%zu job%s", all, count - named, count - named > 1 ? "s" : "");
	free(all);
	return whole;
}

/* Appends the status of run `i` and the number of runs with this status, as in "2 failed". Appends nothing if an
 * earlier run has the same status. */
static void add_word(char *text, size_t size, const struct members *members, size_t i)
{
	const char *word = members->rows[i]->status;
	size_t used = strlen(text), count = 0;

	for (size_t k = i + 1; k < members->count; k++)
		if (strcmp(members->rows[k]->status, word) == 0)
			return;
	for (size_t k = 0; k <= i; k++)
		count += strcmp(members->rows[k]->status, word) == 0;
	snprintf(text + used, size - used, "%s%zu %s", used > 0 ? ", " : "", count, word);
}

/* Formats the status of all members: "finished" if all finished, "running" if one is running, otherwise the statuses of
 * the runs that did not finish, such as "1 killed, 2 failed". */
static char *status_of(const struct members *members)
{
	char text[256] = "";

	for (size_t i = 0; i < members->count; i++)
		if (strcmp(members->rows[i]->status, "running") == 0)
			return xstrdup("running");
	for (size_t i = members->count; i-- > 0;)
		if (strcmp(members->rows[i]->status, "finished") != 0)
			add_word(text, sizeof text, members, i);
	return xstrdup(*text ? text : "finished");
}

/* Merges all members into the row of the newest one. */
static void join(const struct members *members)
{
	struct list_row *row = members->rows[0];
	const struct list_row *first = members->rows[members->count - 1];
	struct totals sums = totals_begin();
	mark_within(members);
	const struct runs_peak peak = find_peak(members);
	double stop = UNKNOWN, largest = UNKNOWN;
	size_t names;
	char *job = jobs_of(members, &names), *status = status_of(members),
	     *id = xstrdup(unit_is_name(first->whole) ? first->whole : first->id);

	for (size_t i = 0; i < members->count; i++) {
		const struct totals *totals = &members->rows[i]->totals;
		stop = known_larger(stop, members->rows[i]->start + totals->wall_seconds);
		if (members->rows[i]->within)
			continue;
		largest = known_larger(largest, totals->peak_memory_mib);
		totals_add(&sums, totals);
	}
	sums.wall_seconds = stop - first->start;
	totals_end(&sums);
	row->is_bound = peak.peak_mib > largest;
	/* The combined peak of several runs cannot be computed here, because it needs their process.csv rows. */
	if (row->is_bound)
		totals_forget_moments(&sums);
	else
		sums.peak_memory_at_least_mib = peak.least_mib;
	sums.peak_memory_mib = peak.peak_mib;
	sums.peak_memory_at_most_mib = peak.most_mib;
	free(row->job);
	free(row->status);
	free(row->id);
	row->job = job;
	row->names = job + names;
	row->status = status;
	row->id = id;
	row->start = first->start;
	row->totals = sums;
	row->runs = members->count;
}

static int compare_whole(const struct list_row *x, const struct list_row *y)
{
	int order = strcmp(x->whole, y->whole);

	if (order == 0)
		order = strcmp(x->cluster, y->cluster);
	return order != 0 ? order : ORDER(x->identity.owner, y->identity.owner);
}

/* Orders rows by their script or batch job. Rows of the same script or batch job keep their order. */
static int by_whole(const void *a, const void *b)
{
	const struct list_row *x = *(struct list_row *const *)a, *y = *(struct list_row *const *)b;
	int order = compare_whole(x, y);

	return order != 0 ? order : (x > y) - (x < y);
}

/* Returns how many of the rows, which are newest first, belong to the newest job of their number. */
static size_t count_newest(struct list_row *const *rows, size_t count)
{
	size_t newest = count;
	double end = UNKNOWN;

	if (!unit_is_name(rows[0]->whole))
		return count;
	for (size_t i = count; i-- > 0;) {
		if (rows[i]->start - end > UNIT_PAUSE)
			newest = i + 1;
		end = known_larger(end, rows[i]->start + known_first(rows[i]->totals.wall_seconds, 0));
	}
	return newest;
}

size_t list_fold(struct list_row *rows, size_t count)
{
	struct list_row **sorted = xcalloc(count, sizeof(struct list_row *));
	size_t parts = 0, left = 0;

	for (size_t i = 0; i < count; i++)
		if (*rows[i].whole)
			sorted[parts++] = &rows[i];
	qsort(sorted, parts, sizeof(struct list_row *), by_whole);
	for (size_t i = 0, end; i < parts; i = end) {
		for (end = i + 1; end < parts && compare_whole(sorted[end], sorted[i]) == 0;)
			end++;
		end = i + count_newest(sorted + i, end - i);
		const struct members members = {sorted + i, end - i};
		if (members.count > 1)
			join(&members);
		for (size_t k = i + 1; k < end; k++) {
			list_row_free(sorted[k]);
			*sorted[k] = (struct list_row){0};
		}
	}
	free(sorted);
	for (size_t i = 0; i < count; i++)
		if (rows[i].job)
			rows[left++] = rows[i];
	for (size_t i = left; i < count; i++)
		rows[i] = (struct list_row){0};
	return left;
}
