/* What the earlier runs of a run's job say of its next request; see uses.h. */
#include "report/history/uses.h"

#include "report/history/digest.h"
#include "report/say/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool is_earlier_and_over(const void *context, const struct digest *earlier)
{
	const struct run *run = context;

	if (strcmp(earlier->job, run->job) != 0 || earlier->problem || strcmp(earlier->status, "running") == 0)
		return false;
	if (earlier->start_time != run->start_time)
		return earlier->start_time < run->start_time;
	return strcmp(earlier->id, run->id) < 0;
}

/* The room for one more, or NULL. */
static struct use *grow(struct uses *uses)
{
	array_grow(&uses->items, uses->count, sizeof *uses->items);
	return &uses->items[uses->count++];
}

bool uses_want_more(const struct uses *uses, size_t finished, size_t limit)
{
	return finished < limit && uses->count - finished < limit;
}

/* From the newest back. */
static int read_earlier(struct uses *uses, struct runs *runs, const struct run *run, size_t limit)
{
	const char *name;
	size_t finished = 0;

	while (uses_want_more(uses, finished, limit) && (name = runs_next_name(runs))) {
		struct digest digest;
		int found = digest_find(&digest, runs, name, is_earlier_and_over, run);
		struct use *use = found > 0 ? grow(uses) : NULL;
		if (found < 0 || (found > 0 && !use)) {
			digest_free(&digest);
			return -1;
		}
		if (use) {
			*use = digest.use;
			finished += use->end == USE_FINISHED;
		}
		digest_free(&digest);
	}
	return 0;
}

void uses_turn(struct uses *uses)
{
	for (size_t i = 0; i < uses->count / 2; i++) {
		struct use use = uses->items[i];
		uses->items[i] = uses->items[uses->count - 1 - i];
		uses->items[uses->count - 1 - i] = use;
	}
}

int uses_read(struct uses *uses, const struct run *run, const struct use *own, size_t limit)
{
	struct runs runs = {0};
	const char *name = text_basename(text_of(run->directory)).data;
	char *spool = strndup(run->directory, (size_t)(name - run->directory));

	*uses = (struct uses){0};
	int result = spool ? 0 : -1;
	if (spool && runs_list(&runs, spool) == 0)
		result = read_earlier(uses, &runs, run, limit);
	free(spool);
	runs_free(&runs);
	uses_turn(uses);
	struct use *last = result == 0 ? grow(uses) : NULL;
	if (!last) {
		uses_free(uses);
		errno = ENOMEM;
		return -1;
	}
	*last = *own;
	return 0;
}

int uses_take(struct uses *uses, const struct uses *earlier, const struct use *own)
{
	*uses = (struct uses){.items = malloc((earlier->count + 1) * sizeof *own)};
	if (!uses->items) {
		errno = ENOMEM;
		return -1;
	}
	if (earlier->count > 0)
		memcpy(uses->items, earlier->items, earlier->count * sizeof *own);
	uses->items[earlier->count] = *own;
	uses->count = earlier->count + 1;
	return 0;
}
