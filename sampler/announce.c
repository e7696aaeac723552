/* SPDX-License-Identifier: Apache-2.0 */
/* Writes rows of start.csv and exit.csv for processes that cannot write their own: static programs and killed
 * processes. */
#include "sampler/run/mask.h"
#include "sampler/state.h"

enum { STARTED_WITHIN_NS = 10000000 }; /* resolution of process start times (one clock tick) */

/* Returns the time of day at which a process started, rounded up to the end of its clock tick. Otherwise a child could
 * seem to start before its parent, whose record is exact. */
static int64_t begun_ns(const struct member *member)
{
	int64_t lived_ns = os_since_boot_ns() - process_started_ns(member->id.start) - STARTED_WITHIN_NS;

	return os_now_ns() - (member->id.start > 0 && lived_ns > 0 ? lived_ns : 0);
}

void announce_start(struct sampler *sampler, struct member *member)
{
	if (member->look.off) {
		member->record.start_written = true;
		return;
	}
	member->record.start_written = true;
	if (backoff_is_on(sampler)) {
		backoff_leave_out(sampler);
		return;
	}
	int64_t time_ns = begun_ns(member);
	char exe[SPOOL_COMMAND_MAX / 2];
	char arguments[SPOOL_COMMAND_MAX];
	char command[SPOOL_COMMAND_MAX];
	char row[SPOOL_ROW_MAX];
	struct buffer exe_out = BUFFER(exe);
	struct buffer arguments_out = BUFFER(arguments);
	struct buffer command_out = BUFFER(command);
	struct buffer out = BUFFER(row);

	/* If the run was attached to an existing process, start rows cannot be older than the run. */
	if (sampler->attached && time_ns < sampler->start_ns)
		time_ns = sampler->start_ns;
	process_describe(member->id.pid, &exe_out, &arguments_out);
	struct mask mask = {
		.patterns = text_of(sampler->passed.given.mask), .cut = arguments_out.length == arguments_out.capacity};
	mask_join(&mask, &command_out, (struct text){arguments, arguments_out.length});
	/* If the process is gone, the name from the last tick is used. */
	if (exe_out.length == 0 && command_out.length == 0)
		mask_write(&mask, &command_out, text_of(member->reading.name));
	record_write_start(&out, &(struct start_record){.time_ns = time_ns,
					 .id = member->id,
					 .ppid = member->ppid,
					 .exe = {exe, exe_out.length},
					 .command = {command, command_out.length}});
	/* Uses the open descriptor, because closing another descriptor of the file would release the lock of
	 * os_hold. */
	uint64_t limit = sampler->passed.given.limit_bytes;
	if (!out.full && (limit == 0 || os_size(sampler->files.start) < (int64_t)limit))
		(void)backoff_write(sampler, sampler->files.start, (struct text){out.data, out.length});
}

void announce_exit(struct sampler *sampler, struct member *member, int exit_code, int exit_signal, const char *source,
	int64_t missing_ns)
{
	char row[SPOOL_ROW_MAX];
	struct buffer out = BUFFER(row);
	const struct process_reading *last = &member->reading;
	uint64_t counters[COUNTER_COUNT];

	if (member->look.off)
		return;
	/* The root's row is always written, because it contains the status of the run. */
	if (backoff_is_on(sampler) && !sampler_is_root(sampler, member->id)) {
		backoff_leave_out(sampler);
		return;
	}
	if (!member->record.start_written)
		announce_start(sampler, member);
	/* rtrack-run reaps the orphans of the run, so no process leaves children behind. */
	bool launcher = sampler->place == SAMPLER_IN_LAUNCHER;
	uint64_t children[COUNTER_COUNT] = {[COUNTER_DISK_READ] = UINT64_MAX};
	for (int i = COUNTER_USER_NS; i <= COUNTER_SYSTEM_NS; i++)
		children[i] = figures_above(last->inclusive[i], last->own[i]);
	for (int i = 0; i < COUNTER_COUNT; i++)
		counters[i] = member_own(member, (enum counter)i);
	figures_take_out(counters, member->before);
	if (sampler_is_root(sampler, member->id))
		figures_take_out(counters, sampler->passed.root.tracker);
	struct process_limits limits;
	struct exit_record record = {.time_ns = os_now_ns(),
		.id = member->id,
		.ppid = member->ppid,
		.counters = member->look.sampled ? counters : NULL,
		.io_known = last->io_known,
		.energy_nj = sampler->attached ? 0 : last->energy_nj,
		.peak_rss_kib = member->peak_rss_kib > 0 ? (double)member->peak_rss_kib : UNKNOWN,
		.minor_faults = member->look.sampled ? (double)last->minor_faults : UNKNOWN,
		.voluntary_switches = UNKNOWN,
		.involuntary_switches = UNKNOWN,
		.exit_code = exit_code,
		.exit_signal = exit_signal,
		.source = source,
		.exact = missing_ns < 0,
		.exact_peak = member->record.peak_final,
		.children = missing_ns < 0 && !sampler->attached ? children : NULL,
		.children_left = launcher ? 0 : -1,
		.children_ignored =
			member->look.ignores || (launcher && member->look.sampled) ? member->look.ignores : -1,
		.children_peak_kib = member->record.children_peak_kib,
		.missing_ns = missing_ns};
	/* Limits are read only for a zombie, because the pid of a process that is gone may be reused. */
	if (record.exact && record_has_failed(&record)) {
		process_read_limits(member->id.pid, &limits);
		record.limits = &limits;
		uint64_t cpu_ns = figures_cpu_ns(counters), cpu_limit = process_cpu_limit(&limits, cpu_ns, exit_signal);
		if (sampler_is_root(sampler, member->id) && cpu_limit != UINT64_MAX && exit_signal > 0)
			sampler->passed.root.at_cpu_limit =
				process_is_at_cpu_limit((double)cpu_limit, (double)cpu_ns / 1e9, exit_signal);
	}
	record_write_exit(&out, &record);
	int64_t before_ns = os_since_boot_ns();
	if (!out.full)
		(void)os_append(sampler->files.at, tables[TABLE_exit].file, (struct text){out.data, out.length}, 0);
	backoff_judge(sampler, before_ns);
}
