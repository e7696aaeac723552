/* SPDX-License-Identifier: Apache-2.0 */
/* Explains why a run ran out of memory. */
#include "report/model/postmortem.h"

#include "core/number.h"
#include "report/model/shortage.h"
#include "report/model/label.h"
#include "report/say/alloc.h"
#include "report/say/units.h"
#include "report/spool/reader.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* A single process may exceed its limit by less than this factor, for example with file pages. A higher peak is that
 * of several processes together. */
static const double MORE_THAN_ONE = 1.1;

/* -- memory of each process ------------------------------------------------------------------------ */

struct held {
	double first_time, first_mib, last_time, last_mib;
};

struct minute {
	const struct processes *processes;
	struct held *held; /* memory of each process, indexed like `processes` */
	double from, end, to;
};

static void take_row(void *context, const struct process *process, struct reader *reader)
{
	const struct minute *minute = context;
	struct held *held = &minute->held[process - minute->processes->items];
	double time = reader_number(reader, MEMBER_timestamp);
	double mib = known_first(reader_number(reader, MEMBER_memory_mib), reader_number(reader, MEMBER_rss_mib));

	if (!number_known(mib) || !(time <= minute->to))
		return;
	/* member.csv has a row only when something changed. The last row before the minute therefore gives the
	 * memory at the start of the minute. */
	if (!number_known(held->first_time) || time <= minute->from) {
		held->first_time = time > minute->from ? time : minute->from;
		held->first_mib = mib;
	}
	held->last_time = time;
	held->last_mib = mib;
}

/* If a process began within the minute, its growth is counted from 0. */
static void begin_from_nothing(struct held *held, const struct process *process, double from)
{
	if (!(process->start_time > from))
		return;
	held->first_time = process->start_time;
	held->first_mib = 0;
}

static void keep(struct postmortem *postmortem, struct postmortem_holder holder)
{
	size_t at = postmortem->count;

	/* A victim whose memory is unknown is listed first, as the process with the most memory. */
	while (at > 0 && !(postmortem->holders[at - 1].held_mib >= holder.held_mib) &&
		number_known(postmortem->holders[at - 1].held_mib))
		at--;
	if (at == POSTMORTEM_HOLDERS)
		return;
	size_t kept = postmortem->count < POSTMORTEM_HOLDERS ? postmortem->count : POSTMORTEM_HOLDERS - 1;
	memmove(&postmortem->holders[at + 1], &postmortem->holders[at], (kept - at) * sizeof holder);
	postmortem->holders[at] = holder;
	postmortem->count = kept + 1;
}

/* Returns whether the time in an exit row is the real end of the process. The process itself and rtrack-run write
 * the real time, but the sampler writes the time of a tick. */
static bool end_is_told(const struct process *process)
{
	return process->exact && (process->source == SOURCE_SELF || process->source == SOURCE_LAUNCHER);
}

/* Returns whether a process had ended before the victim died, so that it held no memory at that time. If one of the
 * two ends is only known as the time of a tick, or if the process was killed too, it must have ended at least one
 * interval earlier. */
static bool ended_before(const struct process *process, const struct process *victim, double end, double interval)
{
	bool told = victim && end == victim->end_time && end_is_told(victim) && end_is_told(process) &&
		    process->exit_signal != SIGKILL;

	return process->end_time < (told ? end : end - interval);
}

/* Returns the memory of the victim at its end, given its last sample. If the kernel killed the victim at the limit of
 * the control group, the result is the limit minus the memory of the rest of the group at the last tick. `known_mib`
 * is the memory of other processes of the run. */
static double held_by_victim(
	const struct postmortem *postmortem, const struct shortage *shortage, double sample_mib, double known_mib)
{
	/* If the run is known to have held less than this share of the limit, the victim grew after its last record. */
	static const double MUCH = 0.5;
	double peak = known_larger(sample_mib, process_best_usage(postmortem->victim).peak_memory_mib);
	double limit = postmortem->limit_mib, others = fmax(shortage->group_kept_mib - known_first(sample_mib, 0), 0);

	if (!postmortem->counted || postmortem->limit == POSTMORTEM_MACHINE ||
		!(known_first(peak, 0) + known_mib < MUCH * limit))
		return peak;
	return number_known(shortage->group_kept_mib) && others < MUCH * limit ? limit - others : UNKNOWN;
}

static void keep_process(
	struct postmortem *postmortem, const struct process *process, struct held *held, const struct minute *minute)
{
	begin_from_nothing(held, process, minute->from);
	double seconds = held->last_time - held->first_time;
	keep(postmortem,
		(struct postmortem_holder){.process = process,
			.held_mib = held->last_mib,
			.grown_mib = seconds > 0 && number_known(held->last_mib) ? held->last_mib - held->first_mib
										 : UNKNOWN,
			.seconds = seconds > 0 ? seconds : UNKNOWN});
}

/* Adds a process other than the victim to the list. Returns its memory, or 0 if the process had ended before. */
static double keep_other(struct postmortem *postmortem, const struct process *process, struct held *held,
	const struct minute *minute, double interval)
{
	if (ended_before(process, postmortem->victim, minute->end, interval) || !(held->last_mib > 0))
		return 0;
	/* A row of member.csv is written only if a figure changed, so the last row is valid until the end. */
	held->last_time = fmax(held->last_time, minute->end);
	keep_process(postmortem, process, held, minute);
	return held->last_mib;
}

static void keep_victim(struct postmortem *postmortem, struct held *held, const struct minute *minute,
	const struct shortage *shortage, double known_mib)
{
	held->last_mib = held_by_victim(postmortem, shortage, held->last_mib, known_mib);
	held->last_time = known_first(postmortem->victim->end_time, held->last_time);
	keep_process(postmortem, postmortem->victim, held, minute);
}

static void find_holders(struct postmortem *postmortem, const struct run *run, struct processes *processes,
	const struct shortage *shortage)
{
	const struct process *items = processes->items, *victim = postmortem->victim;
	double end = known_first(postmortem->time, run->stop_time), known_mib = 0;
	struct minute minute = {.processes = processes,
		.held = xcalloc(processes->count, sizeof(struct held)),
		.from = end - POSTMORTEM_SECONDS,
		.end = end,
		.to = end + run->interval};

	for (size_t i = 0; i < processes->count; i++)
		minute.held[i] = (struct held){UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN};
	processes_each_member(processes, &run->files, take_row, &minute);
	processes->members_read = true;
	for (size_t i = 0; i < processes->count; i++)
		if (&items[i] != victim)
			known_mib += keep_other(postmortem, &items[i], &minute.held[i], &minute, run->interval);
	if (victim)
		keep_victim(postmortem, &minute.held[victim - items], &minute, shortage, known_mib);
	free(minute.held);
}

/* Returns the time at which a process ended. The exit row of a killed root may have the time of the last tick, so
 * the end of the run is returned if it is later. */
static double time_of_end(const struct run *run, const struct process *process)
{
	bool before = processes_is_root(process, run) && !process->exact;

	return before ? known_larger(process->end_time, run->stop_time) : process->end_time;
}

static void take_outlived(struct postmortem *postmortem, const struct run *run, const struct kills *kills)
{
	postmortem->outlived = true;
	postmortem->victim = kills->victim;
	postmortem->time = kills->victim ? known_first(time_of_end(run, kills->victim), kills->to) : kills->to;
}

/* Finds which limit the run reached, and the size of the limit. */
static void find_limit(
	struct postmortem *postmortem, const struct run *run, const struct ulimit *met, const struct shortage *shortage)
{
	const struct {
		bool is_it;
		enum postmortem_limit limit;
		double mib;
	} limits[] = {
		{shortage->kind == SHORTAGE_LIMIT && number_known(run->limit_memory_mib), POSTMORTEM_OWN,
			run->limit_memory_mib},
		{met && met->of_data, POSTMORTEM_DATA, met ? met->limit_mib : UNKNOWN},
		{met != NULL, POSTMORTEM_ADDRESS_SPACE, met ? met->limit_mib : UNKNOWN},
		{number_known(shortage->group_limit_mib), POSTMORTEM_CGROUP, shortage->group_limit_mib},
		{number_known(shortage->wanted_mib), POSTMORTEM_REQUESTED, shortage->wanted_mib},
		{true, POSTMORTEM_MACHINE, run->machine_memory_mib},
	};
	size_t at = 0;

	while (!limits[at].is_it)
		at++;
	postmortem->limit = limits[at].limit;
	postmortem->limit_mib = limits[at].mib;
}

void postmortem_make(struct postmortem *postmortem, const struct run *run, struct processes *processes,
	const struct kills *kills, const struct ulimit *ulimit, const struct shortage *shortage)
{
	const struct ulimit *met = shortage->kind == SHORTAGE_ULIMIT ? ulimit : NULL;

	*postmortem = (struct postmortem){.found = shortage->ended_run,
		.counted = shortage->kind == SHORTAGE_OOM,
		.limit_mib = shortage->group_limit_mib,
		.used_mib = met ? met->used_mib : UNKNOWN};
	if (!postmortem->found) {
		if (postmortem->counted)
			take_outlived(postmortem, run, kills);
		return;
	}
	find_limit(postmortem, run, met, shortage);
	postmortem->time = met ? UNKNOWN : kills->to;
	postmortem->victim = met ? met->process : kills->happened ? kills->victim : kills_largest(run, processes);
	if (postmortem->victim)
		postmortem->time = known_first(time_of_end(run, postmortem->victim), postmortem->time);
	find_holders(postmortem, run, processes, shortage);
}

/* -- in words -------------------------------------------------------------------------------------- */

struct memory_limit postmortem_memory_limit(
	const struct postmortem *postmortem, const struct run *run, const struct series *system, double peak_mib)
{
	struct memory_limit limit = memory_limit_of(run, system);
	bool of_process = postmortem->limit == POSTMORTEM_ADDRESS_SPACE || postmortem->limit == POSTMORTEM_DATA;

	if (!postmortem->found || !of_process || !(postmortem->limit_mib > 0) || postmortem->limit_mib >= limit.mib)
		return limit;
	return (struct memory_limit){
		.mib = postmortem->limit_mib, .own = true, .each = peak_mib > MORE_THAN_ONE * postmortem->limit_mib};
}

const char *postmortem_limit_words(enum postmortem_limit limit)
{
	static const char *const words[POSTMORTEM_LIMITS] = {
		[POSTMORTEM_OWN] = "--max-memory of rtrack-run",
		[POSTMORTEM_ADDRESS_SPACE] = "the limit of its address space (ulimit -v)",
		[POSTMORTEM_DATA] = "the limit of its data (ulimit -d)",
		[POSTMORTEM_CGROUP] = "the limit of its control group",
		[POSTMORTEM_REQUESTED] = "what it had requested",
		[POSTMORTEM_MACHINE] = "the memory of the machine",
	};
	return words[limit];
}

static cJSON *process_json(const struct process *process)
{
	cJSON *object = cJSON_CreateObject();

	cJSON_AddNumberToObject(object, "pid", (double)process->id.pid);
	cJSON_AddStringToObject(object, "program", process_program(process));
	cJSON_AddStringToObject(object, "command", process->command ? process->command : "");
	return object;
}

void postmortem_describe_outlived(const struct postmortem *postmortem, char *text, size_t size)
{
	const struct process *victim = postmortem->victim;

	if (victim)
		snprintf(text, size, "%s (process %d), out of memory", process_label(victim).text, victim->id.pid);
	else
		snprintf(text, size, "an unknown process, out of memory");
	if (number_known(postmortem->limit_mib))
		units_append(text, size, " at %s", units_figure(UNIT_mib, postmortem->limit_mib).text);
}

/* Adds the time and the victim of the kill. */
static void add_kill(cJSON *object, const struct postmortem *postmortem)
{
	json_add_number(object, "time", postmortem->time, 3);
	cJSON_AddItemToObject(
		object, "victim", postmortem->victim ? process_json(postmortem->victim) : cJSON_CreateNull());
}

cJSON *postmortem_outlived_json(const struct postmortem *postmortem)
{
	cJSON *object = cJSON_CreateObject();

	json_add_number(object, "limit_mib", postmortem->limit_mib, 3);
	add_kill(object, postmortem);
	return object;
}

cJSON *postmortem_json(const struct postmortem *postmortem, double ask_mib)
{
	static const char *const limits[POSTMORTEM_LIMITS] = {[POSTMORTEM_OWN] = "max_memory",
		[POSTMORTEM_ADDRESS_SPACE] = "address_space",
		[POSTMORTEM_DATA] = "data",
		[POSTMORTEM_CGROUP] = "cgroup",
		[POSTMORTEM_REQUESTED] = "requested",
		[POSTMORTEM_MACHINE] = "machine"};

	if (!postmortem->found)
		return cJSON_CreateNull();
	cJSON *object = cJSON_CreateObject();
	cJSON_AddStringToObject(object, "limit", limits[postmortem->limit]);
	json_add_number(object, "limit_mib", postmortem->limit_mib, 3);
	json_add_number(object, "used_mib", postmortem->used_mib, 3);
	add_kill(object, postmortem);
	cJSON *holders = cJSON_AddArrayToObject(object, "holders");
	for (size_t i = 0; i < postmortem->count; i++) {
		const struct postmortem_holder *holder = &postmortem->holders[i];
		cJSON *item = process_json(holder->process);
		json_add_number(item, "held_mib", holder->held_mib, 3);
		json_add_number(item, "grown_mib", holder->grown_mib, 3);
		json_add_number(item, "seconds", holder->seconds, 3);
		cJSON_AddItemToArray(holders, item);
	}
	json_add_number(object, "ask_memory_mib", ask_mib, 0);
	return object;
}
