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

/* Returns the index of the latest sibling of a run, or uses->count if there is none. */
static size_t find_sibling(const struct uses *uses, const struct use *use)
{
	for (size_t i = use->fan_out > 0 ? uses->count : 0; i > 0; i--)
		if (use_is_sibling(&uses->items[i - 1], use))
			return i - 1;
	return uses->count;
}

void uses_add(struct uses *uses, const struct use *use)
{
	if (use->end != USE_FINISHED)
		uses->unfinished++;
	else if (find_sibling(uses, use) == uses->count)
		uses->finished++;
	array_grow(&uses->items, uses->count, sizeof *uses->items);
	uses->items[uses->count++] = *use;
}

bool uses_want_more(const struct uses *uses, size_t limit)
{
	enum { TASKS = 10 };

	return uses->finished < limit && uses->unfinished < limit && uses->count / TASKS < limit;
}

/* Appends the usage of earlier runs, newest first. */
static void read_earlier(struct uses *uses, struct runs *runs, const struct run *run, size_t limit)
{
	struct digest_run later = {run, job_key(run)};
	const char *name;

	while (uses_want_more(uses, limit) && (name = runs_next_name(runs))) {
		struct digest digest;
		if (!digest_find(&digest, runs, name, is_earlier_and_over, &later))
			continue;
		uses_add(uses, &digest.use);
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
	uses_add(uses, own);
}

void uses_copy_with(struct uses *uses, const struct uses *earlier, const struct use *own)
{
	*uses = (struct uses){0};
	for (size_t i = 0; i < earlier->count; i++)
		uses_add(uses, &earlier->items[i]);
	uses_add(uses, own);
}

void uses_fold(struct uses *folded, const struct uses *uses)
{
	*folded = (struct uses){0};
	for (size_t i = 0; i < uses->count; i++) {
		struct use use = uses->items[i];
		size_t sibling = find_sibling(folded, &use);
		if (sibling < folded->count) {
			struct use *place = &folded->items[sibling];
			use_take_sibling(&use, place);
			memmove(place, place + 1, (folded->count - sibling - 1) * sizeof *place);
			folded->count--;
			folded->finished--;
		}
		uses_add(folded, &use);
	}
}
