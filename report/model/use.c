/* SPDX-License-Identifier: Apache-2.0 */
/* Computes, stores and combines the usage of runs, on which requests for later runs are based. */
#include "report/model/use.h"

#include "core/number.h"
#include "report/say/hash.h"
#include "report/spool/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double BYTES_PER_MIB = 1048576;

/* A CPU usage up to this much above a whole number is rounded down. The time between ticks is imprecise, so a job
 * with two busy threads occasionally shows 2.01 CPUs. */
static const double CPU_SLACK = 0.1;
static const double GPU_SLACK = 0.1;

static const char *const ends[] = {
	[USE_FINISHED] = "finished", [USE_FAILED] = "failed", [USE_DIED] = "died", [USE_PART] = "part"};

/* The scalar figures of struct use by name. */
static const struct {
	const char *name;
	size_t offset;
	int digits;
} members[] = {
	{"seconds", offsetof(struct use, seconds), 3},
	{"peak_mib", offsetof(struct use, peak_mib), 3},
	{"peak_most_mib", offsetof(struct use, peak_most_mib), 3},
	{"limit_mib", offsetof(struct use, limit_mib), 3},
	{"doubt_mib", offsetof(struct use, doubt_mib), 3},
	{"asked_mib", offsetof(struct use, asked_mib), 3},
	{"asked_cpus", offsetof(struct use, asked_cpus), 2},
	{"asked_gpus", offsetof(struct use, asked_gpus), 0},
	/* as many decimals as in the totals, because rounding twice could change the text */
	{"cpu_used", offsetof(struct use, cpu_used), 6},
	{"vcpus", offsetof(struct use, vcpus), 2},
	{"written_mib", offsetof(struct use, written_mib), 3},
	{"input_bytes", offsetof(struct use, input_bytes), 0},
	{"gpus", offsetof(struct use, gpus), 0},
	{"vram_mib", offsetof(struct use, vram_mib), 3},
	{"throttled", offsetof(struct use, throttled), 3},
	{"cpu_wait", offsetof(struct use, cpu_wait), 6},
	{"online", offsetof(struct use, online), 0},
	{"fan_out", offsetof(struct use, fan_out), 0},
};

static double *member_of(struct use *use, size_t i)
{
	return (double *)((char *)use + members[i].offset);
}

uint64_t use_columns(enum table_id table)
{
	uint64_t own = table == TABLE_process
			       ? SERIES_COLUMN(PROCESS_cpu_usage) | SERIES_COLUMN(PROCESS_cpu_wait) |
					 SERIES_COLUMN(PROCESS_gpu_usage) | SERIES_COLUMN(PROCESS_gpu_vram_mib) |
					 SERIES_COLUMN(PROCESS_gpu_utilized)
		       : table == TABLE_system ? SERIES_COLUMN(SYSTEM_cpu_throttled)
					       : 0;
	return own | shortage_columns(table);
}

/* -- CPUs ------------------------------------------------------------------------------------------ */

double use_cpus(size_t bin)
{
	return bin <= USE_CPUS_SINGLE ? (double)bin
				      : (double)(USE_CPUS_SINGLE + (bin - USE_CPUS_SINGLE) * USE_CPUS_STEP);
}

size_t use_bin(double usage)
{
	double cpus = ceil(usage - CPU_SLACK);
	if (!(cpus > 0))
		return 0;
	if (cpus > USE_CPUS_SINGLE)
		cpus = USE_CPUS_SINGLE + ceil((cpus - USE_CPUS_SINGLE) / USE_CPUS_STEP);
	return cpus < USE_CPU_BINS ? (size_t)cpus : USE_CPU_BINS - 1;
}

/* Adds `seconds` to the bin of a CPU usage. Duration and CPU time come from different clocks, so one thread may seem
 * to use two CPUs for a few milliseconds. If the duration is below one kernel tick, the usage is therefore averaged
 * over a whole tick. */
static void count_usage(struct use *use, double usage, double seconds)
{
	static const double TICK = 0.01;
	use->cpu_seconds[use_bin(seconds < TICK ? usage * seconds / TICK : usage)] += seconds;
}

/* Adds the time of each row to the bin for the number of CPUs that the run wanted. Rows after the end of the root are
 * ignored. If there are no rows, the run is assumed to have used its average number of CPUs all the time. */
static void count_cpus(struct use *use, const struct model *model)
{
	const struct series *process = &model->process;
	double before = model->run->start_time, end = before + model->end_seconds;

	for (size_t row = 0; row < process->rows && !(before >= end); row++) {
		double now = series_value(process, PROCESS_timestamp, row);
		double seconds = known_first(now - before, model->run->interval);
		double usage = cpu_use_wanted(process, row, seconds);
		if (number_known(usage) && seconds > 0)
			count_usage(use, usage, seconds);
		before = now;
	}
	if (process->rows == 0 && number_known(model->totals.mean_cpu_usage))
		count_usage(use, model->totals.mean_cpu_usage, model->totals.wall_seconds);
}

/* -- all of it ------------------------------------------------------------------------------------- */

static double gpus_of(const struct series *process)
{
	double usage = series_max(process, PROCESS_gpu_usage);
	double gpus = known_larger(series_max(process, PROCESS_gpu_utilized), ceil(usage - GPU_SLACK));

	if (!(usage > 0) && !(series_max(process, PROCESS_gpu_vram_mib) > 0))
		return 0;
	return gpus > 1 ? gpus : 1;
}

double use_peak_at_most(const struct use *use, double machine_mib, double sum_of_peaks)
{
	double bounds[] = {use->limit_mib, machine_mib};
	double most = sum_of_peaks;

	for (size_t i = 0; i < ARRAY_LENGTH(bounds); i++)
		if (bounds[i] > 0 && most > bounds[i] && use->end == USE_FINISHED)
			most = bounds[i];
	return known_larger(most, use->peak_mib);
}

static double fan_out_of(const struct run *run)
{
	enum { BITS = 52 }; /* a double has all integers of so many bits */
	char name[UNIT_NAME_SIZE];

	unit_fan_out(run, name);
	return *name ? (double)(hash_fnv1a(HASH_FNV1A, text_of(name)) >> (64 - BITS)) : UNKNOWN;
}

void use_make(struct use *use, const struct model *model)
{
	const struct run *run = model->run;
	const struct totals *totals = &model->totals;
	double asked = run_asked(run, "memory_mib");

	*use = (struct use){
		.seconds = model->end_seconds,
		.peak_mib = model->shortage.needed_mib,
		.limit_mib = model->shortage.limit_mib,
		.doubt_mib = model->shortage.kind == SHORTAGE_MAYBE ? model->shortage.limit_mib : UNKNOWN,
		.asked_cpus = run_asked(run, "cpu"),
		.asked_gpus = run_asked(run, "gpu"),
		.cpu_used = totals->cpu_seconds,
		.cpu_wait = totals->cpu_wait_seconds,
		.vcpus = run->vcpus,
		.online = run->online,
		.fan_out = fan_out_of(run),
		.written_mib = totals->disk_write_bytes / BYTES_PER_MIB,
		.input_bytes = json_double(run->json, "input_bytes"),
		.gpus = gpus_of(&model->process),
		.vram_mib = series_max(&model->process, PROCESS_gpu_vram_mib),
		.throttled = series_sum(&model->system, SYSTEM_cpu_throttled),
	};
	use->asked_mib = known_first(asked, use->limit_mib);
	if (shortage_is_death(&model->shortage))
		use->end = USE_DIED;
	else if (strcmp(run->status, "finished") != 0)
		use->end = USE_FAILED;
	else
		use->end = run->attached ? USE_PART : USE_FINISHED;
	use->outcome = model->outcome;
	use->peak_most_mib = use_peak_at_most(use, run->machine_memory_mib, totals->peak_memory_needed_mib);
	count_cpus(use, model);
}

/* -- JSON ------------------------------------------------------------------------------------------ */

bool use_finished(const struct use *use)
{
	return use->end == USE_FINISHED || use->outcome == OUTCOME_FINISHED;
}

cJSON *use_json(const struct use *use)
{
	struct use copy = *use;
	cJSON *object = cJSON_CreateObject();
	char name[24];

	cJSON_AddStringToObject(object, "end", ends[use->end]);
	cJSON_AddStringToObject(object, "outcome", outcome_key(use->outcome));
	for (size_t i = 0; i < ARRAY_LENGTH(members); i++)
		if (number_known(*member_of(&copy, i)))
			json_add_number(object, members[i].name, *member_of(&copy, i), members[i].digits);
	cJSON *cpus = cJSON_AddObjectToObject(object, "cpu_seconds");
	for (size_t bin = 0; bin < USE_CPU_BINS; bin++) {
		if (!(use->cpu_seconds[bin] > 0))
			continue;
		snprintf(name, sizeof name, "%.0f", use_cpus(bin));
		json_add_number(cpus, name, use->cpu_seconds[bin], 3);
	}
	return object;
}

void use_read_json(struct use *use, const cJSON *object)
{
	const char *end = json_string(object, "end");
	const cJSON *item;

	*use = (struct use){.end = USE_FAILED};
	for (size_t i = 0; i < ARRAY_LENGTH(ends); i++)
		if (strcmp(end, ends[i]) == 0)
			use->end = (enum use_end)i;
	use->outcome = outcome_of_key(json_string(object, "outcome"));
	for (size_t i = 0; i < ARRAY_LENGTH(members); i++)
		*member_of(use, i) = json_double(object, members[i].name);
	use->gpus = known_first(use->gpus, 0);
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(object, "cpu_seconds"))
	{
		if (item->string && cJSON_IsNumber(item) && item->valuedouble > 0)
			use->cpu_seconds[use_bin(strtod(item->string, NULL))] += item->valuedouble;
	}
}

void uses_free(struct uses *uses)
{
	free(uses->items);
	*uses = (struct uses){0};
}

/* -- several runs ------------------------------------------------------------------------------------ */

/* Iterator over the bins of a run, from the highest CPU usage to the lowest. */
struct busiest {
	const double *seconds; /* seconds of each bin */
	double scale; /* factor that makes the sum of the bins, which are rounded up, equal to CPU time plus waits */
	size_t bin;
	double left; /* remaining seconds of the bin; 0 when all bins are used up */
};

static void go_on(struct busiest *time)
{
	while (!(time->left > 0) && time->bin > 0)
		time->left = time->seconds[--time->bin];
}

static struct busiest begin(const struct use *use)
{
	struct busiest time = {.seconds = use->cpu_seconds, .scale = 1, .bin = USE_CPU_BINS};
	double all = 0, wanted = use->cpu_used + known_first(use->cpu_wait, 0);

	for (size_t bin = 0; bin < USE_CPU_BINS; bin++)
		all += use->cpu_seconds[bin] * use_cpus(bin);
	if (wanted < all)
		time.scale = wanted / all;
	go_on(&time);
	return time;
}

static double cpus_now(const struct busiest *time)
{
	return time->left > 0 ? time->scale * use_cpus(time->bin) : 0;
}

static void spend(struct busiest *time, double seconds)
{
	time->left = fmax(time->left - seconds, 0);
	go_on(time);
}

static void add_cpus(struct use *use, const struct use *other)
{
	struct busiest times[] = {begin(use), begin(other)};
	double together[USE_CPU_BINS] = {0};

	while (times[0].left > 0 || times[1].left > 0) {
		double step = times[0].left > 0 && times[1].left > 0 ? fmin(times[0].left, times[1].left)
								     : fmax(times[0].left, times[1].left);
		together[use_bin(cpus_now(&times[0]) + cpus_now(&times[1]))] += step;
		spend(&times[0], step);
		spend(&times[1], step);
	}
	memcpy(use->cpu_seconds, together, sizeof together);
}

/* Sets the end and the outcome of `use` to those of the run that ended worse. */
static void take_worse(struct use *use, const struct use *a, const struct use *b)
{
	const struct use *worse = b->end > a->end ? b : a;

	use->end = worse->end;
	use->outcome = worse->outcome;
}

/* Returns the sum of two runs for the figures that are added whether or not the runs overlapped. Memory peaks are
 * maxima. The other figures come from the longer run. */
static struct use sum_of(const struct use *a, const struct use *b)
{
	struct use sum = b->seconds > a->seconds ? *b : *a;

	take_worse(&sum, a, b);
	sum.cpu_used = a->cpu_used;
	known_add(&sum.cpu_used, b->cpu_used);
	sum.cpu_wait = a->cpu_wait;
	known_add(&sum.cpu_wait, b->cpu_wait);
	sum.written_mib = a->written_mib;
	known_add(&sum.written_mib, b->written_mib);
	sum.peak_mib = known_larger(a->peak_mib, b->peak_mib);
	sum.peak_most_mib = known_larger(a->peak_most_mib, b->peak_most_mib);
	sum.doubt_mib = known_larger(a->doubt_mib, b->doubt_mib);
	return sum;
}

void use_add(struct use *use, const struct use *other)
{
	struct use sum = sum_of(use, other);

	add_cpus(use, other);
	memcpy(sum.cpu_seconds, use->cpu_seconds, sizeof sum.cpu_seconds);
	sum.vram_mib = use->vram_mib;
	known_add(&sum.vram_mib, other->vram_mib);
	sum.gpus = use->gpus + other->gpus;
	*use = sum;
}

void use_follow(struct use *use, const struct use *other)
{
	struct use sum = sum_of(use, other);

	for (size_t bin = 0; bin < USE_CPU_BINS; bin++)
		sum.cpu_seconds[bin] = use->cpu_seconds[bin] + other->cpu_seconds[bin];
	sum.vram_mib = known_larger(use->vram_mib, other->vram_mib);
	sum.gpus = fmax(use->gpus, other->gpus);
	*use = sum;
}

void use_take_most(struct use *most, const struct use *use)
{
	if (use->cpu_used > most->cpu_used)
		memcpy(most->cpu_seconds, use->cpu_seconds, sizeof use->cpu_seconds);
	take_worse(most, most, use);
	most->seconds = known_larger(most->seconds, use->seconds);
	most->peak_mib = known_larger(most->peak_mib, use->peak_mib);
	most->peak_most_mib = known_larger(most->peak_most_mib, use->peak_most_mib);
	most->doubt_mib = known_larger(most->doubt_mib, use->doubt_mib);
	most->cpu_used = known_larger(most->cpu_used, use->cpu_used);
	most->cpu_wait = known_larger(most->cpu_wait, use->cpu_wait);
	most->written_mib = known_larger(most->written_mib, use->written_mib);
	most->gpus = known_larger(most->gpus, use->gpus);
	most->vram_mib = known_larger(most->vram_mib, use->vram_mib);
	most->throttled = known_larger(most->throttled, use->throttled);
}

bool use_is_sibling(const struct use *a, const struct use *b)
{
	return a->fan_out > 0 && a->fan_out == b->fan_out && a->end == USE_FINISHED && b->end == USE_FINISHED;
}

void use_take_sibling(struct use *largest, const struct use *sibling)
{
	if (sibling->peak_most_mib > largest->peak_most_mib)
		largest->input_bytes = sibling->input_bytes;
	use_take_most(largest, sibling);
}
