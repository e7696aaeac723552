/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the final record of a root that hosts its sampler: the rows that would be written if the root ended now.
 *
 * SIGKILL and the out-of-memory killer end the root together with its sampling thread. Everything since the last row
 * would be lost. SPOOL_LAST_FILE therefore contains the next row of process.csv and the root's exit row. The process
 * that finds the root dead appends them to the tables.
 *
 * The file is rewritten at each tick, and every sampler_renewal_ns in between, by one write to bytes that are already
 * allocated on disk. It is not mapped, because on a full disk that would kill the host. Waking the thread costs more
 * than the write. Rewrites therefore become rarer with the root's age, and after 100 s only ticks rewrite the file.
 *
 * Between two ticks, only the root's CPU clock and the usage of its reaped children are read. If neither has changed,
 * nothing is written. Other processes have their own exit rows, or the next sampler reads them. */
#include "sampler/sampler.h"
#include "sampler/state.h"

#define LEAST_BETWEEN_NS 10000000 /* minimum time between two rewrites at ticks */
#define MOVED_NS 100000           /* if less CPU time was used since the last rewrite, nothing is written */
#define OLD_NS 100000000000       /* age of the root after which only ticks rewrite the file */

enum {
	AGE_PART = 100 /* the time between two rewrites is the root's age divided by this */
};

void last_row_open(struct sampler *sampler)
{
	struct last_row *last_row = &sampler->last_row;

	last_row->file = OS_ERROR_BAD_DESCRIPTOR;
	if (sampler->place != SAMPLER_IN_ROOT)
		return;
	last_row->file = os_open_write(sampler->files.at, SPOOL_LAST_FILE);
	last_row->boot_ns = os_since_boot_ns();
	process_read_limits(0, &last_row->limits);
	last_row->limits.address_space_kib = last_row->limits.data_kib = UINT64_MAX;
	if (last_row->before_kib == 0)
		last_row->before_kib = process_peak_rss_kib();
	/* Before the first tick, the root is not in the ledger yet, so it is added. */
	if (sampler->passed.root.id.start != 0 && ledger_find(&sampler->ledger, sampler->passed.root.id) == MEMBER_NONE)
		(void)ledger_add(&sampler->ledger, sampler->passed.root.id, os_parent());
}

void last_row_remove(const struct sampler *sampler)
{
	(void)os_remove(sampler->files.at, SPOOL_LAST_FILE);
}

/* -- usage since the last row ----------------------------------------------------------------------- */

struct use {
	struct process_usage usage; /* usage of the root without the tracker; the peak includes earlier programs */
	uint64_t root_ns;           /* CPU time of the root */
	uint64_t tracker_ns;
};

static void measure_root(const struct sampler *sampler, struct use *use)
{
	uint64_t *own = use->usage.own;
	uint64_t ours[COUNTER_COUNT];

	process_read_self(&use->usage, 0, 0);
	process_own_usage(&own[COUNTER_USER_NS]);
	for (int i = 0; i < COUNTER_COUNT; i++)
		/* Starts with the tracker's usage at the last tick. thread_usage then updates the CPU time. */
		ours[i] = sampler->tracker.used[i];
	thread_usage(&ours[COUNTER_USER_NS]);
	for (int i = COUNTER_USER_NS; i <= COUNTER_SYSTEM_NS; i++)
		ours[i] += sampler->tracker.hosted[i];
	figures_take_out(own, ours);
	use->tracker_ns = figures_cpu_ns(ours);
	use->root_ns = figures_cpu_ns(own);
}

/* -- the rows -------------------------------------------------------------------------------------- */

static void write_process(struct sampler *sampler, struct buffer *out, const struct use *use, const struct member *root,
	double timestamp, int64_t elapsed_ns)
{
	const struct last_row *last_row = &sampler->last_row;
	uint64_t root_ns = figures_above(use->root_ns, figures_cpu_ns(root->own));
	uint64_t system = figures_above(use->usage.own[COUNTER_SYSTEM_NS], root->own[COUNTER_SYSTEM_NS]);
	uint64_t gauges[GAUGE_COUNT];
	struct cell cells[PROCESS_COLUMNS];

	uint64_t owed = figures_cpu_ns(sampler->passed.accounts.owed);
	uint64_t all = figures_above(root_ns, owed);
	system = system < all ? system : all;
	for (int i = 0; i < GAUGE_COUNT; i++)
		gauges[i] = sampler->passed.series.gauges[i];
	if (gauges[GAUGE_RSS_KIB] == GAUGE_UNKNOWN && use->usage.peak_rss_kib > last_row->before_kib)
		gauges[GAUGE_RSS_KIB] = gauges[GAUGE_MEMORY_KIB] = use->usage.peak_rss_kib;
	/* If the peak has grown, it is used as the current memory, because reading the current memory would cost more
	 * than everything else here. */
	uint64_t grown_kib = figures_above(use->usage.peak_rss_kib, last_row->peak_kib);
	if (grown_kib > 0 && sampler->passed.series.gauges[GAUGE_RSS_KIB] != GAUGE_UNKNOWN) {
		grown_kib = figures_above(use->usage.peak_rss_kib, root->gauge[GAUGE_RSS_KIB]);
		gauges[GAUGE_RSS_KIB] += grown_kib;
		gauges[GAUGE_MEMORY_KIB] += grown_kib;
	}
	row_begin(cells, &tables[TABLE_process]);
	cells[PROCESS_timestamp].number = timestamp;
	cells[PROCESS_pid].number = sampler->passed.root.id.pid;
	cells[PROCESS_members].number = (double)sampler->ledger.alive;
	cells[PROCESS_children].number = (double)sampler->ledger.alive - 1;
	cells[PROCESS_utime].number = (double)(all - system) / NS_PER_SECOND;
	cells[PROCESS_stime].number = (double)system / NS_PER_SECOND;
	if (elapsed_ns > 0) {
		double usage = (double)all / (double)elapsed_ns;
		double cpus = system_cpus(sampler->system);
		cells[PROCESS_cpu_usage].number = usage < cpus ? usage : cpus;
	}
	figures_write_gauges(cells, FIGURES_process, gauges);
	row_write(out, &tables[TABLE_process], cells);
}

/* Returns the time until the next rewrite if nothing delays it. */
static int64_t due_ns(const struct sampler *sampler)
{
	int64_t renewal_ns = sampler_renewal_ns(sampler), interval_ns = sampler->passed.clock.interval_ns;
	return renewal_ns < interval_ns ? renewal_ns : interval_ns;
}

/* Returns the upper bound on the CPU time that the root can use until the next rewrite. It includes recent delays,
 * because the thread may have to wait for a CPU. */
static int64_t missing_ns(const struct sampler *sampler)
{
	int64_t late_ns = SAMPLER_RENEWAL_NS + sampler->last_row.late_ns;
	return (due_ns(sampler) + 2 * late_ns) * (int64_t)system_cpus(sampler->system);
}

static void write_exit(
	struct sampler *sampler, struct buffer *out, const struct use *use, const struct member *root, int64_t time_ns)
{
	struct process_usage usage = use->usage;
	const struct process_limits *limits = &sampler->last_row.limits;
	struct exit_record record = {.time_ns = time_ns,
		.id = root->id,
		.ppid = os_parent(),
		.exit_code = -1,
		.children_left = -1,
		.children_ignored = -1,
		.source = "sampler",
		.missing_ns = missing_ns(sampler)};

	/* A peak that has not grown since sampling began may come from the program before an exec, or from the parent
	 * before the fork. */
	if (usage.peak_rss_kib <= sampler->last_row.before_kib)
		usage.peak_rss_kib = root->peak_rss_kib > 0 ? root->peak_rss_kib : process_read_peak_kib(0);
	if (limits->cpu_soft != UINT64_MAX || limits->cpu_hard != UINT64_MAX)
		record.limits = limits;
	record_from_self(&record, &usage);
	record_write_exit(out, &record);
}

static void write_all(struct sampler *sampler, const struct use *use, const struct member *root, int64_t now_ns)
{
	struct buffer out = {sampler->rows, 0, SPOOL_LAST_SIZE, false};
	const struct run_clock *clock = &sampler->passed.clock;
	int64_t elapsed_ns = now_ns - clock->last_boot_ns;

	int64_t time_ns = clock->last_ns + elapsed_ns;
	/* Both rows have the same time. Otherwise the second row would look like a later event. */
	write_process(sampler, &out, use, root, (double)time_ns / 1e9, elapsed_ns);
	write_exit(sampler, &out, use, root, time_ns);
	buffer_unsigned(&out, use->tracker_ns / 1000);
	buffer_byte(&out, ' ');
	/* Writes the count of the second-to-last row. If a kill ends the root shortly after the last row, the last row
	 * may already count this kill. */
	spool_write_kills(&out, system_oom(sampler->system).file, sampler->passed.series.oom_kills[1]);
	while (!out.full && out.length < SPOOL_LAST_SIZE)
		buffer_byte(&out, '\n');
	int64_t before_ns = os_since_boot_ns();
	if (!out.full)
		(void)os_write_at(sampler->last_row.file, (struct text){out.data, out.length}, 0);
	backoff_judge(sampler, before_ns);
}

/* -- timing ---------------------------------------------------------------------------------------- */

int64_t sampler_renewal_ns(const struct sampler *sampler)
{
	uint64_t start = sampler->passed.root.id.start;
	int64_t age_ns = start == 0 ? 0 : os_since_boot_ns() - process_started_ns(start);
	int64_t least_ns = age_ns < OLD_NS ? SAMPLER_RENEWAL_NS : sampler->passed.clock.interval_ns;
	return age_ns / AGE_PART > least_ns ? age_ns / AGE_PART : least_ns;
}

static void note_delay(struct sampler *sampler, int64_t now_ns)
{
	struct last_row *last_row = &sampler->last_row;
	int64_t late_ns = now_ns - last_row->boot_ns - due_ns(sampler);
	int64_t faded_ns = last_row->late_ns - last_row->late_ns / 8;

	last_row->late_ns = late_ns > faded_ns ? late_ns : faded_ns;
	last_row->boot_ns = now_ns;
}

static void renew(struct sampler *sampler, bool always)
{
	struct last_row *last_row = &sampler->last_row;
	int64_t now_ns = os_since_boot_ns();
	int index = ledger_find_alive(&sampler->ledger, sampler->passed.root.id.pid);
	struct use use;

	if (last_row->file < 0 || index == MEMBER_NONE)
		return;
	note_delay(sampler, now_ns);
	measure_root(sampler, &use);
	uint64_t clocks_ns = use.root_ns + figures_cpu_ns(use.usage.children);
	if (!always && clocks_ns - last_row->clocks_ns < MOVED_NS)
		return;
	last_row->clocks_ns = clocks_ns;
	write_all(sampler, &use, &sampler->ledger.members[index], now_ns);
}

void sampler_renew_last_row(struct sampler *sampler)
{
	if (!backoff_is_on(sampler))
		renew(sampler, false);
}

void last_row_tick(struct sampler *sampler)
{
	struct last_row *last_row = &sampler->last_row;

	if (last_row->file < 0)
		return;
	last_row->peak_kib = process_peak_rss_kib();
	if (os_since_boot_ns() - last_row->boot_ns >= LEAST_BETWEEN_NS)
		renew(sampler, true);
}
