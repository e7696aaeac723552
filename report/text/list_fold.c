/* The runs of one script as one line of `list`; see list_fold.h. */
#include "report/text/list_fold.h"

#include "report/model/at_once.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES_WIDTH = 24 /* bytes of jobs that are named */ };

/* s: who was killed wrote no end himself, and is found gone by another, by when his script may have started the next
 * one, with whom he never was. */
static const double FOUND_LATE = 0.1;

/* The runs of one script, the newest first. */
struct members {
	struct list_row **rows;
	size_t count;
};

void list_row_free(struct list_row *row)
{
	free(row->id);
	free(row->name);
	free(row->job);
	free(row->status);
	free(row->totals);
	free(row->script);
}

static double last_moment(const struct list_row *row)
{
	return row->start + row->seconds - (strcmp(row->status, "finished") == 0 ? 0 : FOUND_LATE);
}

/* What all that lived at one moment held at their peaks. Returns 0, or -1 when there is no memory. */
static int find_peak(const struct members *members, double *peak)
{
	struct at_once all;

	if (at_once_begin(&all, members->count) != 0)
		return -1;
	for (size_t i = 0; i < members->count; i++) {
		const struct list_row *row = members->rows[i];
		at_once_add(&all, row->start, last_moment(row), row->peak_memory_mib);
	}
	*peak = at_once_end(&all);
	return 0;
}

static bool named_before(const struct members *members, size_t i)
{
	for (size_t k = i + 1; k < members->count; k++)
		if (strcmp(members->rows[k]->job, members->rows[i]->job) == 0)
			return true;
	return false;
}

/* "7 runs: sort, awk, +2": the jobs in the order of their first runs, and how many runs are of others; the names begin
 * at *names. How many there are stands first, where no width cuts it off. NULL: no memory. */
static char *jobs_of(const struct members *members, size_t *names)
{
	char *text = NULL;
	size_t length, named = 0;
	FILE *out = open_memstream(&text, &length);

	*names = out ? (size_t)fprintf(out, "%zu runs: ", members->count) : 0;
	for (size_t i = members->count; out && i-- > 0;) {
		const char *job = members->rows[i]->job;
		if (named_before(members, i)) {
			named++;
			continue;
		}
		size_t used = (size_t)ftell(out) - *names;
		if (used > 0 && used + strlen(job) > NAMES_WIDTH)
			break;
		fprintf(out, "%s%s", used > 0 ? ", " : "", job);
		named++;
	}
	if (out && named < members->count)
		fprintf(out, ", +%zu", members->count - named);
	return out && fclose(out) == 0 ? text : NULL;
}

/* "finished" where all are, "running" while one is, else how many did not, by their word where they have one in common.
 */
static char *status_of(const struct members *members)
{
	char text[64] = "finished";
	const char *word = NULL;
	size_t count = 0;

	for (size_t i = members->count; i-- > 0;) {
		const char *status = members->rows[i]->status;
		if (strcmp(status, "running") == 0)
			return strdup(status);
		if (strcmp(status, "finished") == 0)
			continue;
		word = !word || strcmp(status, word) == 0 ? status : "unfinished";
		count++;
	}
	if (word)
		snprintf(text, sizeof text, "%zu %s", count, word);
	return strdup(text);
}

/* Makes the first of the members, which is the newest, the row of all. */
static int join(const struct members *members)
{
	struct list_row *row = members->rows[0];
	const struct list_row *first = members->rows[members->count - 1];
	double stop = UNKNOWN, cpu = UNKNOWN, peak;
	size_t names;
	char *job = jobs_of(members, &names), *status = status_of(members), *id = strdup(first->id);

	if (!job || !status || !id || find_peak(members, &peak) != 0) {
		free(job);
		free(status);
		free(id);
		return -1;
	}
	for (size_t i = 0; i < members->count; i++) {
		stop = known_larger(stop, members->rows[i]->start + members->rows[i]->seconds);
		known_add(&cpu, members->rows[i]->cpu_seconds);
	}
	free(row->job);
	free(row->status);
	free(row->id);
	row->job = job;
	row->names = job + names;
	row->status = status;
	row->id = id;
	row->start = first->start;
	row->seconds = stop - first->start;
	row->cpu_seconds = cpu;
	row->peak_memory_mib = peak;
	row->runs = members->count;
	return 0;
}

/* Fills `members` with row `i` and the later ones of its script. */
static void gather(struct members *members, struct list_row *rows, size_t count, size_t i)
{
	members->count = 0;
	for (size_t k = i; k < count; k++)
		if (rows[k].script && *rows[k].script && strcmp(rows[k].script, rows[i].script) == 0)
			members->rows[members->count++] = &rows[k];
}

int64_t list_fold(struct list_row *rows, size_t count)
{
	struct members members = {calloc(count + 1, sizeof(void *)), 0};
	size_t left = 0;
	int result = members.rows ? 0 : -1;

	for (size_t i = 0; result == 0 && i < count; i++) {
		if (!rows[i].script)
			continue;
		gather(&members, rows, count, i);
		if (members.count > 1)
			result = join(&members);
		for (size_t k = 1; result == 0 && k < members.count; k++) {
			list_row_free(members.rows[k]);
			*members.rows[k] = (struct list_row){0};
		}
	}
	free(members.rows);
	if (result != 0)
		return -1;
	for (size_t i = 0; i < count; i++)
		if (rows[i].job)
			rows[left++] = rows[i];
	for (size_t i = left; i < count; i++)
		rows[i] = (struct list_row){0};
	return (int64_t)left;
}
