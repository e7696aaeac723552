/* SPDX-License-Identifier: Apache-2.0 */
/* The sampler: opening, ticks, and the end of the run. */
#include "sampler/sampler.h"

#include "core/needed.h"
#include "os/self.h"
#include "sampler/run/end.h"
#include "sampler/run/file.h"
#include "sampler/run/leftover.h"
#include "sampler/run/ray.h"
#include "sampler/state.h"

static struct run_end end_of(struct sampler *sampler, bool goes_on)
{
	/* The end is not before the last row, even if the clock was set back. */
	int64_t now_ns = os_now_ns() > sampler->passed.clock.last_ns ? os_now_ns() : sampler->passed.clock.last_ns;
	struct run_end end = {.time_ns = now_ns,
		.exit_code = sampler->passed.root.exit_code,
		.exit_signal = sampler->passed.root.exit_signal,
		.lost = !sampler->attached && (sampler->passed.root.lost || (sampler->place == SAMPLER_IN_KEEPER &&
										    !sampler->passed.root.ended)),
		.killer = sampler->passed.root.killer,
		.goes_on = goes_on,
		.limit = sampler->limit,
		.reaped_peak_kib = sampler->reaped.peak_kib,
		.gpu = sampler->gpus.wanted,
		.truncated = sampler->passed.series.truncated};

	if (!goes_on)
		group_close(sampler, &end);
	return end;
}

/* Records the root's end in run.json if a keeper observes it while other processes of the run are alive. */
static void tell_root_end(struct sampler *sampler)
{
	if (sampler->place != SAMPLER_IN_KEEPER || !sampler->passed.root.ended || sampler->passed.root.end_recorded)
		return;
	sampler->passed.root.end_recorded = true;
	if (sampler->ledger.alive > 0) {
		struct run_end end = end_of(sampler, true);
		(void)run_finish(sampler->directory, &end);
	}
}

static void tick(struct sampler *sampler, bool last)
{
	int64_t wall_ns = os_now_ns();
	int64_t boot_ns = os_since_boot_ns();

	sampler->search.thorough = last;
	sampler->search.ticks++;
	backoff_begin(sampler);
	members_measure_tracker(sampler);
	accounts_update(sampler);
	if (last)
		accounts_close(sampler);
	/* At the last tick, measures the tracker's usage again, because listing the processes of a large machine may
	 * use more CPU time than the job. In the root, the reading of the root has already measured it. */
	if (last && sampler->place != SAMPLER_IN_ROOT)
		members_measure_tracker(sampler);
	/* Rates refer to the time between the readings, not between the rows. */
	int64_t before_ns = sampler->read_ns > 0 ? sampler->read_ns : sampler->passed.clock.last_boot_ns;
	sampler->read_ns = os_since_boot_ns();
	int64_t elapsed_ns = sampler->read_ns - before_ns;
	int64_t row_ns = run_clock_row(&sampler->passed.clock, wall_ns, boot_ns);
	rows_write(sampler, row_ns, elapsed_ns, last);
	lines_tick(sampler, row_ns, last);
	accounts_forget(sampler);
	if (sampler->lacks_ray_job)
		sampler->lacks_ray_job = !run_find_ray_job(sampler->directory, sampler->passed.root.id.pid);
	if (!last) {
		tell_root_end(sampler);
		last_row_tick(sampler);
		resume_checkpoint(sampler);
		/* Completes leftover runs once, after the first tick, so that a job that is shorter than a tick is not
		 * delayed. */
		if (!sampler->looked_around && sampler->place != SAMPLER_IN_KEEPER && !backoff_is_on(sampler))
			run_complete_leftovers(sampler->directory);
		sampler->looked_around = true;
	}
}

void sampler_set_helper(struct sampler *sampler, enum sampler_helper helper, int pid)
{
	sampler->tracker.helper_pid[helper] = pid;
}

void sampler_take_followed(struct sampler *sampler, int followed)
{
	sampler->root_followed = followed;
	/* A root that has recorded its own end has written the tracker's usage until then, so this usage is not written
	 * again. */
	if (sampler->passed.root.end_recorded) {
		members_measure_tracker(sampler);
		sampler->tracker.row_ns = figures_cpu_ns(sampler->tracker.used);
	}
}

void sampler_tell_root(struct sampler *sampler)
{
	struct process_reading reading;

	if (!os_time_is_apart() || process_read(sampler->passed.root.id.pid, false, &reading) != 0)
		return;
	int index = ledger_add(&sampler->ledger, reading.id, reading.ppid);
	if (index != MEMBER_NONE)
		announce_start(sampler, &sampler->ledger.members[index]);
}

int64_t sampler_wait_ns(const struct sampler *sampler)
{
	int64_t rest_ns = sampler->backoff.until_ns - os_since_boot_ns();

	rest_ns = rest_ns > 0 ? rest_ns : 0;
	return rest_ns + run_clock_wait(&sampler->passed.clock, os_now_ns() + rest_ns);
}

void sampler_tick(struct sampler *sampler)
{
	tick(sampler, false);
}

/* Sets every descriptor to an invalid value, because 0 is a valid one. */
static void no_files(struct sampler *sampler)
{
	sampler->files.system = sampler->files.process = sampler->files.member = OS_ERROR_BAD_DESCRIPTOR;
	sampler->files.start = sampler->files.exit = sampler->last_row.file = sampler->gpus.file =
		OS_ERROR_BAD_DESCRIPTOR;
	sampler->files.at = sampler->files.lock = sampler->root_io = sampler->root_followed =
		sampler->search.tally_file = OS_ERROR_BAD_DESCRIPTOR;
}

/* Closes the sampler's files, except those for processes and for the machine. */
static void close_files(struct sampler *sampler)
{
	os_close(sampler->files.system);
	os_close(sampler->files.process);
	os_close(sampler->files.member);
	os_close(sampler->files.start);
	os_close(sampler->files.exit);
	os_close(sampler->last_row.file);
	os_close(sampler->gpus.file);
	os_close(sampler->files.at);
	os_close(sampler->files.lock);
	os_close(sampler->root_io);
	os_close(sampler->root_followed);
	os_close(sampler->search.tally_file);
	no_files(sampler);
}

static void release(struct sampler *sampler)
{
	if (sampler->system) {
		system_close(sampler->system);
		os_unmap(sampler->system, system_state_size());
	}
	lines_release(sampler);
	process_list_release(&sampler->search.list);
	process_list_release(&sampler->search.spare);
	ledger_release(&sampler->ledger);
	close_files(sampler);
	os_unmap(sampler, sizeof *sampler);
}

/* Locks the run's lock file, and announces the sampler in start.csv (os_hold). Processes that check for a sampler also
 * lock the file for an instant, so several attempts are made. If all fail, another sampler has locked the file. */
static int lock_run(struct sampler *sampler)
{
	enum { TRIES = 100, PAUSE_NS = 1000000 };
	int result = -1;

	sampler->files.lock = os_open_append(sampler->files.at, SPOOL_LOCK_FILE);
	for (int i = 0; sampler->files.lock >= 0 && (result = os_lock(sampler->files.lock, false)) != 0 && i < TRIES;
		i++)
		os_sleep(PAUSE_NS);
	if (result == 0)
		(void)os_hold(sampler->files.start);
	return result != 0 || !os_exists(sampler->files.at, SPOOL_LOCK_FILE) ? -1 : 0;
}

static int open_files(struct sampler *sampler)
{
	struct os_table start;

	sampler->files.at = os_open_directory(OS_HERE, sampler->directory);
	sampler->files.system = os_open_append(sampler->files.at, tables[TABLE_system].file);
	sampler->files.process = os_open_append(sampler->files.at, tables[TABLE_process].file);
	sampler->files.member = os_open_append(sampler->files.at, tables[TABLE_member].file);
	/* If start.csv cannot be opened for writing, the start rows of other processes can still be read. */
	sampler->files.start = os_open_table(sampler->files.at, tables[TABLE_start].file, os_user(), &start) == 0
				       ? start.file
				       : os_open(sampler->files.at, tables[TABLE_start].file);
	sampler->files.exit = os_open(sampler->files.at, tables[TABLE_exit].file);
	sampler->search.tally_file = process_tally_open();
	return sampler->files.system < 0 || sampler->files.process < 0 ? -1 : lock_run(sampler);
}

/* Applies the settings and the facts of run.json. A saved state that is loaded later may replace them. */
static void configure(struct sampler *sampler, const struct sampler_options *options, const struct run_facts *facts)
{
	sampler->place = options->place;
	sampler->attached = options->attached;
	sampler->lacks_ray_job = facts->lacks_ray_job;
	sampler->passed.root.id = (struct process_id){options->root_pid, facts->root_start};
	sampler->tracker.pid = options->place == SAMPLER_IN_ROOT ? 0 : os_pid();
	for (int i = 0; options->hosted && i < COUNTER_COUNT; i++)
		sampler->tracker.hosted[i] = options->hosted[i];
	sampler->passed.given.min_ns = (int64_t)(options->settings->number[SETTING_ID_MIN_SECONDS] * NS_PER_SECOND);
	sampler->passed.given.limit_bytes =
		(uint64_t)(options->settings->number[SETTING_ID_SPOOL_MAX_MIB] * BYTES_PER_MIB);
	sampler->passed.clock.interval_ns =
		options->interval_ns > 0 ? options->interval_ns : (int64_t)(facts->interval * NS_PER_SECOND + 0.5);
	sampler->start_ns = sampler->passed.clock.last_ns = (int64_t)(facts->start_time * NS_PER_SECOND);
	sampler->passed.root.exit_code = -1;
	for (int i = 0; i < 2; i++)
		sampler->passed.accounts.owed[COUNTER_USER_NS + i] = (uint64_t)facts->baseline_ns[i];
	sampler->baseline_ns = figures_cpu_ns(sampler->passed.accounts.owed);
	for (int i = 0; i < GAUGE_COUNT; i++)
		sampler->passed.series.gauges[i] = GAUGE_UNKNOWN;
	struct buffer mask = BUFFER(sampler->passed.given.mask);
	buffer_string(&mask, options->settings->text[SETTING_ID_MASK]);
	(void)buffer_terminate(&mask);
	struct buffer own = BUFFER(sampler->passed.given.own);
	buffer_string(&own, options->settings->text[SETTING_ID_OWN]);
	(void)buffer_terminate(&own);
	memory_open(&sampler->passed.memory, settings_is(options->settings, SETTING_ID_MEMORY, "pss"));
}

/* Records the usage of the root and its descendants before the run, which the run excludes. */
static void begin_attached(struct sampler *sampler)
{
	accounts_update(sampler);
	for (size_t i = 0; i < sampler->ledger.top; i++) {
		struct member *member = &sampler->ledger.members[i];
		for (int j = 0; j < COUNTER_COUNT; j++)
			member->before[j] = member->row.counters[j] = member_own(member, (enum counter)j);
	}
	for (int i = 0; i < COUNTER_COUNT; i++)
		sampler->ledger.delta[i] = 0;
	accounts_forget(sampler);
	sampler->read_ns = os_since_boot_ns();
}

struct sampler *sampler_open(const struct sampler_options *options)
{
	struct sampler *sampler = os_map_apart(sizeof *sampler);
	struct run_facts facts;

	if (!sampler)
		return NULL;
	struct buffer directory = BUFFER(sampler->directory);
	buffer_string(&directory, options->directory);
	(void)buffer_terminate(&directory);
	sampler->ledger.free = MEMBER_NONE;
	sampler->ledger.others = &sampler->search.list;
	no_files(sampler);
	if (open_files(sampler) != 0 || run_facts(sampler->directory, &facts) != 0 ||
		!(sampler->system = os_map_apart(system_state_size()))) {
		release(sampler);
		return NULL;
	}
	configure(sampler, options, &facts);
	gpus_open(sampler, options->settings);
	lines_open(sampler, options->settings);
	int loaded = resume_load(sampler);
	if (options->hosted)
		__builtin_memcpy(options->hosted, sampler->tracker.hosted, sizeof sampler->tracker.hosted);
	bool resumed = loaded >= 0;
	/* rtrack-run was killed. Other processes have adopted orphans of the run since then, and the usage of these
	 * orphans is lost. */
	if (facts.launched && loaded != 0 && options->place == SAMPLER_IN_KEEPER)
		sampler->passed.series.truncated = TRUNCATED_RUN;
	if (!resumed) {
		int64_t behind_ns = os_now_ns() - sampler->passed.clock.last_ns;
		sampler->passed.clock.last_boot_ns = os_since_boot_ns() - (behind_ns > 0 ? behind_ns : 0);
	}
	(void)system_open(sampler->system);
	if (!resumed)
		sampler->passed.tmpfs.used_mib = system_tmpfs_used_mib(sampler->system);
	for (int i = 0; !resumed && i < 3; i++)
		sampler->passed.series.oom_kills[i] = system_oom(sampler->system).kills;
	/* Reads the peak from /proc, because ru_maxrss would include the peak of the program that executed
	 * rtrack-run. */
	if (options->place == SAMPLER_IN_LAUNCHER) {
		sampler->reaped.lent_kib = process_read_peak_kib(os_pid());
		sampler->root_io = process_open_io(options->root_pid);
	}
	if (sampler->attached)
		begin_attached(sampler);
	last_row_open(sampler);
	if (sampler->group_begun.known || options->place == SAMPLER_IN_LAUNCHER)
		group_open(sampler, sampler->group_begun.known ? &sampler->group_begun : NULL);
	return sampler;
}

bool sampler_has_run(const struct sampler *sampler)
{
	return os_exists(sampler->files.at, SPOOL_LOCK_FILE);
}

size_t sampler_alive(const struct sampler *sampler, int *pids, size_t capacity)
{
	size_t count = 0;
	for (size_t i = 0; i < sampler->ledger.top; i++) {
		const struct member *member = &sampler->ledger.members[i];
		if (member->used && !member->ended && count < capacity)
			pids[count++] = member->id.pid;
	}
	return sampler->ledger.alive;
}

/* Returns the needed memory in MiB (core/needed.h), or 0 if unknown. Excludes files on tmpfs, because their size is an
 * estimate, and a job must not be killed because of other users' files. */
static double needed_of_gauges(const uint64_t *gauges)
{
	double mib[GAUGE_COUNT];

	for (int i = 0; i < GAUGE_COUNT; i++)
		mib[i] = gauges[i] == GAUGE_UNKNOWN ? UNKNOWN : (double)gauges[i] / KIB_PER_MIB;
	struct needed_parts parts = {mib[GAUGE_MEMORY_KIB], mib[GAUGE_FILE_KIB], mib[GAUGE_LOCKED_KIB],
		mib[GAUGE_LAZY_FREE_KIB], mib[GAUGE_SWAP_KIB], mib[GAUGE_PAGE_TABLES_KIB], mib[GAUGE_RSS_KIB], 0};
	return number_known(parts.memory) ? needed_of(&parts) : 0;
}

double sampler_needed_mib(const struct sampler *sampler)
{
	return sampler->ledger.alive > 0 ? needed_of_gauges(sampler->passed.series.gauges) : 0;
}

double sampler_needed_now_mib(const struct sampler *sampler)
{
	uint64_t sums[GAUGE_COUNT];
	bool any = false;

	for (int i = 0; i < GAUGE_COUNT; i++)
		sums[i] = GAUGE_UNKNOWN;
	for (size_t i = 0; i < sampler->ledger.top; i++) {
		const struct member *member = &sampler->ledger.members[i];
		struct process_reading now;
		if (!member->used || member->ended || members_look(member, false, &now) != SIGHT_SEEN ||
			member->gauge[GAUGE_MEMORY_KIB] == GAUGE_UNKNOWN)
			continue;
		uint64_t gauges[GAUGE_COUNT];
		for (int gauge = 0; gauge < GAUGE_COUNT; gauge++)
			gauges[gauge] = member->gauge[gauge];
		gauges[GAUGE_MEMORY_KIB] = figures_above(
			gauges[GAUGE_MEMORY_KIB] + now.gauge[GAUGE_RSS_KIB], member->reading.gauge[GAUGE_RSS_KIB]);
		gauges[GAUGE_LAZY_FREE_KIB] = memory_lazy_free_kib(member);
		figures_add_gauges(sums, gauges);
		any = true;
	}
	return any ? needed_of_gauges(sums) : sampler_needed_mib(sampler);
}

size_t sampler_signal(struct sampler *sampler, int signal)
{
	accounts_update(sampler);
	for (size_t i = 0; signal != 0 && i < sampler->ledger.top; i++) {
		const struct member *member = &sampler->ledger.members[i];
		if (member->used && !member->ended)
			(void)process_signal(member->id, signal);
	}
	return sampler->ledger.alive;
}

void sampler_set_limit(struct sampler *sampler, const char *limit)
{
	sampler->limit = limit;
}

/* Ends the run. The sampler is released first, because rewriting run.json may need its memory under RLIMIT_AS. The run
 * stays locked until the end. */
static void end_run(struct sampler *sampler, const struct run_end *end)
{
	char directory[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(directory);
	bool is_short = !end->goes_on && end->time_ns - sampler->start_ns < sampler->passed.given.min_ns;
	int lock = sampler->files.lock;

	buffer_string(&out, sampler->directory);
	(void)buffer_terminate(&out);
	sampler->files.lock = OS_ERROR_BAD_DESCRIPTOR;
	release(sampler);
	if (is_short)
		run_remove(directory);
	else
		(void)run_finish(directory, end);
	os_close(lock);
}

/* Writes the missing start rows of living processes, so that the rows show which processes were left. Otherwise nothing
 * would show them if no keeper can continue. If the root is the first process of a PID namespace, the kernel kills the
 * keeper at the root's end. */
static void name_living(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->ledger.top; i++) {
		struct member *member = &sampler->ledger.members[i];
		if (member->used && !member->ended && !member->record.start_written)
			announce_start(sampler, member);
	}
}

bool sampler_finish(struct sampler *sampler, int exit_code, int exit_signal, bool hand_over)
{
	if (sampler->place != SAMPLER_IN_KEEPER) {
		/* The caller's status replaces the status in the root's exit row. */
		sampler->passed.root.ended = false;
		ends_note_root(sampler, exit_code, exit_signal, false);
	}
	tick(sampler, true);
	/* The sampling thread ends before the root that hosts it. The root's usage therefore ends with the last row. */
	int root = ledger_find_alive(&sampler->ledger, sampler->passed.root.id.pid);
	if (root != MEMBER_NONE)
		ledger_end(&sampler->ledger, root, NULL, NULL);
	sampler->passed.root.end_recorded = sampler->passed.root.ended;
	name_living(sampler);
	bool goes_on = hand_over && sampler->ledger.alive > 0 && resume_save(sampler, true) == 0;
	last_row_remove(sampler);
	if (!goes_on)
		resume_forget(sampler);
	struct run_end end = end_of(sampler, goes_on);
	end_run(sampler, &end);
	return goes_on;
}

void sampler_note_kills(struct sampler *sampler)
{
	char text[SPOOL_PATH_MAX];
	struct buffer out = BUFFER(text);
	struct system_oom oom = system_oom(sampler->system);

	buffer_byte(&out, '\n');
	spool_write_kills(&out, oom.file, oom.kills);
	if (!out.full)
		(void)os_append(sampler->files.at, SPOOL_LOCK_FILE, (struct text){text, out.length}, 0);
}

void sampler_pause(struct sampler *sampler)
{
	members_measure_tracker(sampler);
	for (int i = 0; i < COUNTER_COUNT; i++)
		sampler->tracker.hosted[i] = sampler->tracker.used[i];
	for (size_t i = 0; i < sampler->ledger.top; i++) {
		struct member *member = &sampler->ledger.members[i];
		if (member->used)
			os_close(member->look.followed);
		member->look.followed = OS_ERROR_BAD_DESCRIPTOR;
	}
	system_pause(sampler->system);
	close_files(sampler);
}

bool sampler_go_on(struct sampler *sampler, const uint64_t *others)
{
	/* Usage of the calling thread will include this amount, so it is subtracted from the earlier usage. */
	for (int i = 0; others && i < COUNTER_COUNT; i++)
		sampler->tracker.hosted[i] -= others[i];
	if (open_files(sampler) == 0) {
		last_row_open(sampler);
		return true;
	}
	release(sampler);
	return false;
}

bool sampler_hand_over(struct sampler *sampler)
{
	tick(sampler, false);
	members_measure_tracker(sampler);
	leave_to_root(sampler, sampler->tracker.used);
	last_row_remove(sampler);
	bool saved = resume_save(sampler, true) == 0;
	release(sampler);
	return saved;
}
