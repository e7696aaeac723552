/* SPDX-License-Identifier: Apache-2.0 */
/* Adds the records of runs inside a run to the records of that run.
 *
 * `parent` in run.json leads from the inner run to the outer run. To find the inner runs of a run, run.json of every
 * run that began during the run must therefore be read. A command that looks for the inner runs of many runs remembers
 * the parents, so it reads each run.json only once. */
#define _GNU_SOURCE
#include "report/spool/inner.h"

#include "report/say/alloc.h"
#include "report/say/array.h"
#include "report/spool/runs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* -- the runs of a spool ----------------------------------------------------------------------------- */

enum { NO_PLACE = -1 };

struct place {
	const char *name;
	char *parent;        /* `parent` in run.json; "" if there is none, or NULL if run.json has not been read */
	ptrdiff_t parent_at; /* index of that run in the listing, or NO_PLACE */
};

/* The runs of a spool, oldest first. */
struct listing {
	char *spool; /* the path up to its last slash */
	dev_t device;
	ino_t number;
	struct timespec changed;
	struct runs runs;
	struct place *places;
};

static struct listing *listings;
static size_t listing_count;

static void listing_free(struct listing *listing)
{
	for (size_t i = 0; i < listing->runs.count; i++)
		free(listing->places[i].parent);
	free(listing->places);
	runs_free(&listing->runs);
	free(listing->spool);
	*listing = (struct listing){0};
}

static bool listing_read(struct listing *listing, const struct run *run)
{
	struct stat status;

	if (stat(listing->spool, &status) != 0)
		return false;
	listing->device = status.st_dev;
	listing->number = status.st_ino;
	listing->changed = status.st_mtim;
	if (runs_list_of(&listing->runs, run) != 0)
		return false;
	listing->places = xcalloc(listing->runs.count, sizeof *listing->places);
	for (size_t i = 0; i < listing->runs.count; i++)
		listing->places[i].name = listing->runs.names[listing->runs.count - 1 - i];
	return true;
}

/* Returns whether the spool has not changed since it was listed. */
static bool listing_is_current(const struct listing *listing)
{
	struct stat status;

	return stat(listing->spool, &status) == 0 && status.st_dev == listing->device &&
	       status.st_ino == listing->number && status.st_mtim.tv_sec == listing->changed.tv_sec &&
	       status.st_mtim.tv_nsec == listing->changed.tv_nsec;
}

/* Returns the runs of the spool that contains `run`, or NULL if the spool cannot be read. */
static struct listing *listing_of(const struct run *run)
{
	const char *name = text_basename(text_of(run->directory)).data;
	size_t length = (size_t)(name - run->directory);
	size_t i = 0;

	if (length == 0)
		return NULL;
	while (i < listing_count &&
		(strlen(listings[i].spool) != length || memcmp(listings[i].spool, run->directory, length) != 0))
		i++;
	if (i < listing_count && listing_is_current(&listings[i]))
		return &listings[i];
	if (i == listing_count) {
		array_grow(&listings, listing_count, sizeof *listings);
		listings[listing_count++] = (struct listing){0};
	} else {
		listing_free(&listings[i]);
	}
	listings[i].spool = xstrndup(run->directory, length);
	if (listing_read(&listings[i], run))
		return &listings[i];
	listing_free(&listings[i]);
	listings[i] = listings[--listing_count];
	return NULL;
}

/* Returns the index of the first run that began in the same second as `stamp` or later. */
static size_t first_from(const struct listing *listing, const char *stamp)
{
	size_t low = 0, high = listing->runs.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strncmp(listing->places[middle].name, stamp, RUNS_STAMP_LENGTH) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t first_after(const struct listing *listing, double time)
{
	char stamp[RUNS_STAMP_LENGTH + 1];
	struct buffer out = BUFFER(stamp);

	if (!(time >= 0 && time < 1e11))
		return listing->runs.count;
	spool_write_time(&out, (int64_t)time + 1);
	return first_from(listing, buffer_terminate(&out));
}

/* -- inner runs -------------------------------------------------------------------------------------- */

/* An inner run that rtrack-run started. origin.starter is the process that started rtrack-run. */
struct launched {
	struct run_origin origin;
	double stop_time, reaped_peak_mib;
};

/* A chain of runs, each inside the one before, would be read once for each run of the chain. Deeper runs are not
 * added. */
enum { DEPTH_MAX = 16 };

struct adding {
	struct processes *processes;
	const struct run *run;
	const struct listing *listing;
	size_t first, end;    /* the runs [first, end) of the listing began during `run` */
	unsigned char *depth; /* for each of these runs, the number of runs around it, or 0 if it is not inside `run` */
	struct launched *launched;
	size_t launched_count;
};

static bool has_process(const struct processes *processes, struct process_id id)
{
	return id.pid > 0 && processes_get(processes, id);
}

struct run_origin run_origin_of(const struct run *run)
{
	const cJSON *tracker = cJSON_GetObjectItemCaseSensitive(run->json, "tracker");

	return (struct run_origin){
		process_id_of(json_double(run->json, "pid"), json_double(tracker, "start_ticks")),
		process_id_of(json_double(tracker, "script_pid"), json_double(tracker, "script_start")),
	};
}

static bool is_within(const struct run *inner, const struct processes *processes)
{
	struct run_origin origin = run_origin_of(inner);

	return has_process(processes, origin.root) || has_process(processes, origin.starter);
}

static int by_name(const void *name, const void *place)
{
	return strcmp(name, ((const struct place *)place)->name);
}

static void set_parent(struct place *place, const struct listing *listing, const char *parent)
{
	const struct place *places = listing->places;
	const struct place *found =
		*parent ? bsearch(parent, places, listing->runs.count, sizeof *places, by_name) : NULL;

	place->parent = xstrdup(parent);
	place->parent_at = found ? found - places : NO_PLACE;
}

/* Returns the number of runs around the run at `place` if its parent is the run or one of the inner runs that have been
 * added. Otherwise returns 0. */
static unsigned char depth_at(const struct adding *adding, const struct place *place)
{
	ptrdiff_t at = place->parent_at - (ptrdiff_t)adding->first;

	if (strcmp(place->parent, adding->run->id) == 0)
		return 1;
	if (place->parent_at == NO_PLACE || at < 0 || (size_t)at >= adding->end - adding->first)
		return 0;
	unsigned char around = adding->depth[at];
	return around > 0 && around < DEPTH_MAX ? (unsigned char)(around + 1) : 0;
}

static void add_run(struct adding *adding, const struct run *inner)
{
	processes_add(adding->processes, &inner->files);
	if (!inner->launched || inner->attached)
		return;
	array_grow(&adding->launched, adding->launched_count, sizeof *adding->launched);
	adding->launched[adding->launched_count++] =
		(struct launched){run_origin_of(inner), inner->stop_time, inner->reaped_peak_mib};
}

/* Adds the records of the run at `place` if it is inside the run. Returns the number of runs around it, or 0 if it was
 * not added. The owner is compared, because a run cannot include runs of another user. */
static unsigned char add_place(struct adding *adding, struct place *place)
{
	const struct run *run = adding->run;
	const char *name = text_basename(text_of(run->directory)).data;
	unsigned char depth = 0;
	struct run inner;

	/* A forged run.json may name the run itself as its parent. */
	if ((place->parent && depth_at(adding, place) == 0) || strcmp(place->name, run->id) == 0)
		return 0;
	char *path = xasprintf("%.*s%s", (int)(name - run->directory), run->directory, place->name);
	int opened = run_open(&inner, path);
	free(path);
	if (!place->parent)
		set_parent(place, adding->listing, opened == 0 ? json_string(inner.json, "parent") : "");
	if (opened != 0)
		return 0;
	if (inner.files.owner == run->files.owner && is_within(&inner, adding->processes))
		depth = depth_at(adding, place);
	if (depth > 0)
		add_run(adding, &inner);
	run_close(&inner);
	return depth;
}

/* Adds all inner runs, from the outside to the inside. Most inner runs began later than the run around them, so one
 * pass finds them. Another pass is needed if two of them began in the same second. */
static bool add_runs(struct adding *adding)
{
	bool any = false;

	for (bool found = true; found; any |= found) {
		found = false;
		for (size_t i = adding->first; i < adding->end; i++) {
			unsigned char *depth = &adding->depth[i - adding->first];
			if (*depth > 0)
				continue;
			*depth = add_place(adding, &adding->listing->places[i]);
			found |= *depth > 0;
		}
	}
	return any;
}

static void find_direct(const struct adding *adding, struct inner_runs *direct)
{
	for (size_t i = adding->first; i < adding->end; i++) {
		if (adding->depth[i - adding->first] != 1)
			continue;
		array_grow(&direct->names, direct->count, sizeof *direct->names);
		direct->names[direct->count++] = xstrdup(adding->listing->places[i].name);
	}
}

void inner_runs_free(struct inner_runs *runs)
{
	for (size_t i = 0; i < runs->count; i++)
		free(runs->names[i]);
	free(runs->names);
	*runs = (struct inner_runs){0};
}

/* -- rtrack-run -------------------------------------------------------------------------------------- */

static struct process *parent_of(const struct processes *processes, const struct process *process)
{
	const struct process *parent = process ? process_first_parent(process) : NULL;

	return parent ? &processes->items[parent - processes->items] : NULL;
}

/* If no tick of the outer run saw the rtrack-run that started an inner run, adds that process. */
static void add_launcher(struct processes *processes, const struct launched *launched)
{
	const struct process *root = processes_get(processes, launched->origin.root);

	if (!root || process_first_parent(root) || !(root->ppid > 0 && root->ppid < 0x1p31) ||
		!has_process(processes, launched->origin.starter))
		return;
	struct process_id id = {(int)root->ppid, root->id.start};
	struct process *launcher = processes_make(processes, id, launched->origin.starter.pid, root->start_time);
	if (!launcher->exe) {
		launcher->exe = xstrdup("rtrack-run");
		launcher->command = xstrdup("rtrack-run");
	}
}

/* Marks a process as fully recorded. Its parent reaped it, so its CPU time is in the parent's sum over children. */
static void mark_recorded(struct process *process, double end_time)
{
	process->source = SOURCE_SELF;
	process->exact = process->exact_peak = true;
	process->end_time = known_first(end_time, process->end_time);
}

/* Marks an rtrack-run as fully recorded. It ends with the exit status of the root of its run. */
static void mark_launcher(const struct processes *processes, const struct launched *launched)
{
	const struct process *root = processes_get(processes, launched->origin.root);
	struct process *launcher = parent_of(processes, root);

	if (!launcher || launcher->source == SOURCE_SELF || process_is(launcher->id, launched->origin.starter))
		return;
	mark_recorded(launcher, launched->stop_time);
	launcher->exit_code = root->exit_code;
	launcher->exit_signal = root->exit_signal;
	launcher->children_peak_mib = launched->reaped_peak_mib;
	launcher->launches = true;
}

/* Returns whether a child of rtrack-run is one of its helpers, such as rtrack-probe. */
static bool is_helper(const struct process *process)
{
	const char *path = process->exe ? process->exe : process->command ? process->command : "";

	return process->source == SOURCE_SAMPLER && text_starts(text_basename(text_of(path)), "rtrack-");
}

/* Marks the helpers of each rtrack-run, and sums the page faults of its children. */
static void mark_children(const struct processes *processes)
{
	for (size_t i = 0; i < processes->count; i++) {
		struct process *child = &processes->items[i], *parent = parent_of(processes, child);
		if (!parent || !parent->launches)
			continue;
		if (is_helper(child)) {
			mark_recorded(child, parent->end_time);
			child->exit_signal = UNKNOWN; /* rtrack-run kills its helpers at its end */
		}
		known_add(&parent->children_minor_faults, child->minor_faults);
		known_add(&parent->children_minor_faults, child->children_minor_faults);
	}
}

static void mark_all(struct processes *processes, const struct launched *launched, size_t count)
{
	processes_find_parents(processes);
	for (size_t i = 0; i < count; i++)
		add_launcher(processes, &launched[i]);
	processes_find_parents(processes);
	for (size_t i = 0; i < count; i++)
		mark_launcher(processes, &launched[i]);
	mark_children(processes);
	processes_count_unseen(processes);
}

void inner_add(struct processes *processes, const struct run *run, struct inner_runs *direct)
{
	struct adding adding = {.processes = processes, .run = run, .listing = listing_of(run)};

	*direct = (struct inner_runs){0};
	if (!adding.listing || processes->count == 0)
		return;
	adding.first = first_from(adding.listing, run->id);
	adding.end = first_after(adding.listing, run->stop_time);
	/* The stop time of a damaged run may be before the time in its name. */
	if (adding.end <= adding.first)
		return;
	adding.depth = xcalloc(adding.end - adding.first, sizeof *adding.depth);
	if (add_runs(&adding)) {
		mark_all(processes, adding.launched, adding.launched_count);
		find_direct(&adding, direct);
	}
	free(adding.depth);
	free(adding.launched);
}
