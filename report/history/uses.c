/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the usage of earlier runs of a job. */
#include "report/history/uses.h"

#include "report/history/digest.h"
#include "report/say/array.h"
#include "report/spool/job_key.h"

#include <stdlib.h>
#include <string.h>

static bool is_earlier_and_over(const void *run, const struct digest *earlier)
{
	return !earlier->problem && strcmp(earlier->status, "running") != 0 && digest_is_before(earlier, run);
}

static void add(struct uses *uses, const struct use *use)
{
	array_grow(&uses->items, uses->count, sizeof *uses->items);
	uses->items[uses->count++] = *use;
}

bool uses_want_more(const struct uses *uses, size_t finished, size_t limit)
{
	return finished < limit && uses->count - finished < limit;
}

/* Appends the usage of earlier runs, newest first. */
static void read_earlier(struct uses *uses, struct runs *runs, const struct run *run, size_t limit)
{
	struct digest_run later = {run, job_key(run)};
	const char *name;
	size_t finished = 0;

	while (uses_want_more(uses, finished, limit) && (name = runs_next_name(runs))) {
		struct digest digest;
		if (!digest_find(&digest, runs, name, is_earlier_and_over, &later))
			continue;
		add(uses, &digest.use);
		finished += digest.use.end == USE_FINISHED;
		digest_free(&digest);
	}
	free(later.key);
}

void uses_reverse(struct uses *uses)
{
	for (size_t i = 0; i < uses->count / 2; i++) {
		struct use use = uses->items[i];
		uses->items[i] = uses->items[uses->count - 1 - i];
		uses->items[uses->count - 1 - i] = use;
	}
}

void uses_read(struct uses *uses, const struct run *run, const struct use *own, size_t limit)
{
	struct runs runs = {0};

	*uses = (struct uses){0};
	if (runs_list_of(&runs, run) == 0)
		read_earlier(uses, &runs, run, limit);
	runs_free(&runs);
	uses_reverse(uses);
	add(uses, own);
}

void uses_copy_with(struct uses *uses, const struct uses *earlier, const struct use *own)
{
	*uses = (struct uses){.items = xcalloc(earlier->count + 1, sizeof *own)};
	if (earlier->count > 0)
		memcpy(uses->items, earlier->items, earlier->count * sizeof *own);
	uses->items[earlier->count] = *own;
	uses->count = earlier->count + 1;
}
