/* SPDX-License-Identifier: Apache-2.0 */
/* Decides which of several nested runs are included in a sum. */
#include "report/model/nest.h"

#include "report/say/array.h"
#include "report/spool/inner.h"
#include "report/spool/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_of_origin(void *context, struct reader *reader)
{
	const struct run_origin *origin = context;
	struct process_id id =
		process_id_of(reader_number(reader, START_pid), reader_number(reader, START_start_ticks));

	return id.pid > 0 && (process_is(id, origin->root) || process_is(id, origin->starter));
}

const char *nest_parent(const struct run *run)
{
	const char *parent = json_string(run->json, "parent");
	struct run_origin origin = run_origin_of(run);
	const char *name = text_basename(text_of(run->directory)).data;
	struct files files;

	if (!*parent || strchr(parent, '/'))
		return "";
	char *path = xasprintf("%.*s%s", (int)(name - run->directory), run->directory, parent);
	/* If the parent run cannot be opened, for example because it is in another spool, `known` is -1. The parent
	 * run is then assumed to include this run. */
	int known = files_open(&files, path) != 0 ? -1 : reader_find(&files, TABLE_start, is_of_origin, &origin);
	files_close(&files);
	free(path);
	return known != 0 ? parent : "";
}

static int by_owner(const void *a, const void *b)
{
	const struct nest *x = a, *y = b;
	int order = strcmp(x->id, y->id);

	return order != 0 ? order : ORDER(x->identity.owner, y->identity.owner);
}

static int by_identity(const void *a, const void *b)
{
	const struct nest *x = a, *y = b;
	int order = by_owner(a, b);

	order = order != 0 ? order : ORDER(x->identity.device, y->identity.device);
	return order != 0 ? order : ORDER(x->identity.number, y->identity.number);
}

/* Returns the first run that has the id of the parent and the same owner. The owner is compared so that a run cannot
 * include runs of another user. */
static const struct nest *find_parent(const struct nest *nests, size_t count, const struct nest *nest)
{
	const struct nest wanted = {.id = nest->parent, .identity.owner = nest->identity.owner};
	const struct nest *found = bsearch(&wanted, nests, count, sizeof *nests, by_owner);

	while (found && found > nests && by_owner(&found[-1], found) == 0)
		found--;
	return found;
}

/* Returns whether an enclosing run has a request. The number of steps is limited, because damaged files may name
 * parents in a circle. */
static bool is_asked_around(const struct nest *nest)
{
	enum { OUTER_MOST = 64 };

	nest = nest->around;
	for (int outer = 0; nest && outer < OUTER_MOST; outer++, nest = nest->around)
		if (nest->asked)
			return true;
	return false;
}

void nest_find(struct nest *nests, size_t count)
{
	array_sort(nests, count, by_identity);
	for (size_t i = 1; i < count; i++)
		nests[i].again = by_identity(&nests[i - 1], &nests[i]) == 0;
	for (size_t i = 0; i < count; i++) {
		const struct nest *found = find_parent(nests, count, &nests[i]);
		/* A run that began later cannot contain this run, even if run.json names it as the parent. */
		bool around = found && found != &nests[i] && found->start_time <= nests[i].start_time;
		nests[i].around = around ? found : NULL;
	}
	for (size_t i = 0; i < count; i++)
		nests[i].asked_around = is_asked_around(&nests[i]);
}
