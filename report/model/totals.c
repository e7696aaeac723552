/* The totals of a run; see totals.h. */
#include "report/model/totals.h"

#include "core/number.h"
#include "report/model/at_once.h"
#include "report/model/gaps.h"

#include <math.h>
#include <string.h>
#include <stdlib.h>

/* What may be missing in what is called exact. */
#define EXACT_SECONDS 0.01
#define EXACT_PART 0.01
#define EXACT_MIB 1
/* By how much the root's own account may be above the rows: it speaks after the last of them. */
#define BLIND_SECONDS 0.005

/* Where something is missing, the bound is for a busy machine: there an end costs several times what it costs
 * elsewhere, and what a control group, the run and the tracker used is read at several instants. */
static const double BUSY_SECONDS = 0.01;
static const double BUSY_ENDS = 3;

static const double TICK_SECONDS = 0.25; /* that a tick may take, at most */
static const double CLEARLY_MORE = 1.01; /* times the peak */
static const double END_SECONDS = 0.5;   /* from the last row to the end of its run, at most */

static bool is_running(const struct run *run)
{
	return strcmp(run->status, "running") == 0;
}

/* The last timestamp in any table of a run that has no stop_time. */
static double last_time(const struct series *process, const struct series *system, const struct processes *processes)
{
	double last = known_larger(series_last(process, PROCESS_timestamp), series_last(system, SYSTEM_timestamp));
	for (size_t i = 0; i < processes->count; i++) {
		last = known_larger(last, processes->items[i].start_time);
		last = known_larger(last, processes->items[i].end_time);
	}
	return last;
}

static double first_time(const struct series *process, const struct processes *processes)
{
	double first = process->rows > 0 ? series_value(process, PROCESS_timestamp, 0) : UNKNOWN;
	for (size_t i = 0; i < processes->count; i++)
		if (!(processes->items[i].start_time >= first))
			first = processes->items[i].start_time;
	return first;
}

/* What the process used after its last row of member.csv; at least 0, as the two figures are rounded differently. */
static double beyond(double last, double sampled)
{
	if (!number_known(sampled))
		return last;
	return last > sampled ? last - sampled : number_known(last) ? 0 : UNKNOWN;
}

/* What the process used after its last row of member.csv, user and system time. The kernel divides anew between the two
 * at each reading: so what one of them lost meanwhile is taken from the other. */
static void beyond_cpu(const struct process *process, double *user, double *system)
{
	double all = process_cpu_seconds(process),
	       more_user = beyond(process->last.user_seconds, process->sampled.user_seconds);
	double more_system = beyond(process->last.system_seconds, process->sampled.system_seconds);
	double sampled =
		known_first(process->sampled.user_seconds, 0) + known_first(process->sampled.system_seconds, 0);
	double more = fmax(all - sampled, 0), sum = more_user + more_system;
	double part = sum > more && sum > 0 ? more / sum : 1;

	*user = more_user * part;
	*system = more_system * part;
}

static bool has_later_exit(const struct processes *processes, double time)
{
	for (size_t i = 0; i < processes->count; i++)
		if (processes->items[i].end_time > time)
			return true;
	return false;
}

/* Whether somebody but the root told of his own end, with nobody to hear it: who sampled, and went on when the root had
 * ended, was killed. */
static bool has_unheard_end(const struct run *run, const struct processes *processes, double time)
{
	double root = json_double(run->json, "pid");

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		if (process->source == SOURCE_SELF && process->end_time > time && (double)process->id.pid != root)
			return true;
	}
	return false;
}

static void add_later_exits(struct totals *totals, const struct processes *processes, double last_row)
{
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		if (!(process->end_time > last_row))
			continue;
		double user, system;
		beyond_cpu(process, &user, &system);
		known_add(&totals->user_seconds, user);
		known_add(&totals->system_seconds, system);
		known_add(&totals->disk_read_bytes, beyond(process->last.read_bytes, process->sampled.read_bytes));
		known_add(&totals->disk_write_bytes, beyond(process->last.write_bytes, process->sampled.write_bytes));
	}
}

/* Adds to the bytes of the rows what was read or written after the last of them, but no more than all `records` have.
 */
static void raise_bytes(double *sum, double later, double records)
{
	double lacks = records - known_first(*sum, 0);

	if (lacks > 0 && later > 0)
		known_add(sum, fmin(lacks, later));
}

/* Of a run whose root or sampler was killed: ends just after the last row may be in it, as a sampler writes them an
 * instant after his row, or may have come when nobody sampled any more. They are taken to be missing as far as all
 * records together have more than the rows. */
static void raise_to_records(struct totals *sums, const struct processes *processes, double last_row)
{
	double lacks = -known_first(sums->user_seconds, 0) - known_first(sums->system_seconds, 0);
	struct totals later = {.user_seconds = 0, .system_seconds = 0};
	double read = 0, written = 0;

	add_later_exits(&later, processes, last_row);
	for (size_t i = 0; i < processes->count; i++) {
		struct process_figures usage = process_best_usage(&processes->items[i]);
		lacks += known_first(usage.user_seconds, 0) + known_first(usage.system_seconds, 0);
		read += known_first(usage.read_bytes, 0);
		written += known_first(usage.write_bytes, 0);
	}
	raise_bytes(&sums->disk_read_bytes, later.disk_read_bytes, read);
	raise_bytes(&sums->disk_write_bytes, later.disk_write_bytes, written);
	double all = later.user_seconds + later.system_seconds;
	if (!(lacks > 0 && all > 0))
		return;
	double part = fmin(lacks / all, 1);
	known_add(&sums->user_seconds, later.user_seconds * part);
	known_add(&sums->system_seconds, later.system_seconds * part);
}

/* The largest process by its own record or by the kernel's figure for reaped children, which also counts those without
 * a record. That figure may be the memory with which a child was forked; then the process that forked it was as
 * large. */
static double largest_process(const struct run *run, const struct processes *processes)
{
	double largest = run->reaped_peak_mib;
	for (size_t i = 0; i < processes->count; i++) {
		largest = known_larger(largest, process_best_usage(&processes->items[i]).peak_memory_mib);
		largest = known_larger(largest, processes->items[i].children_peak_mib);
	}
	return largest;
}

static double at_most_exact(const struct totals *totals)
{
	return EXACT_SECONDS + EXACT_PART * known_first(totals->cpu_seconds, 0);
}

/* What the run's control group used and no figure of the run or of the tracker has. UNKNOWN where the figures have more
 * than that: some of it was counted twice, or was used in another group, of whose other processes this one tells
 * nothing. */
static double unaccounted(const struct run *run, const struct totals *totals)
{
	double more = run->cgroup_seconds - totals->cpu_seconds - known_first(totals->tracker_seconds, 0);
	return more < -at_most_exact(totals) ? UNKNOWN : more;
}

/* Of who was overlooked only the control group tells: that they used no more than what is in no figure. A large file
 * that is in memory is mapped in no time. */
static void add_overlooked(struct gaps *gaps, double unaccounted_seconds)
{
	double mib = unaccounted_seconds < GAPS_LEAST_SECONDS ? 0 : INFINITY;

	gaps->cpu_seconds = INFINITY;
	gaps->largest_mib = fmax(gaps->largest_mib, mib);
	gaps->most[0].unseen_mib += mib;
}

/* In a control group of the run's own, what is in no figure is missing, whatever the records say; and who is there at
 * the end and is not known has been missed. The group of a PID namespace whose first process is rtrack-run cannot be
 * told to be its own, so there it is missing if the records have room for it. Nor are they whole where nobody sampled.
 */
static void add_unknown(struct gaps *gaps, const struct run *run, const struct totals *totals, bool sampled)
{
	bool own = (run->cgroup_shared == 0 && unaccounted(run, totals) > at_most_exact(totals)) ||
		   (gaps->let_go && !(unaccounted(run, totals) <= at_most_exact(totals)));
	bool unknown = own || run->cgroup_shared == 2 || !sampled;

	if (unknown)
		gaps->cpu_seconds = INFINITY;
	gaps->largest_mib = unknown ? INFINITY : gaps->largest_mib;
	gaps->most[0].unseen_mib += unknown ? INFINITY : 0;
	if (gaps->overlooked)
		add_overlooked(gaps, unaccounted(run, totals));
}

/* CPU time that may be missing: what the gaps in the records may hold, but no more than the control group or the whole
 * machine can have given. What an end costs comes after the group was asked, and after the run's last word. */
static double missing_at_most(
	const struct gaps *gaps, const struct run *run, const struct totals *totals, bool sampled, bool busy)
{
	/* Who was overlooked may live on. Nobody asked the group, if nobody saw the end of a killed root's run. */
	bool unasked = (run_is_lost(run) || strcmp(run->status, "killed") == 0) && !number_known(run->cgroup_shared);
	/* Nor does anybody know when a run ended that nobody sampled to its end: its root may have left others. */
	bool untimed = !sampled && !number_known(run->cgroup_shared);
	/* Of one whose end nobody heard, nobody knows how long it went on, unless somebody sampled it until then. */
	bool unheard = (!run_ended(run) && !is_running(run)) || (!sampled && strcmp(run->status, "unknown") == 0);
	if (unheard || run->cgroup_shared == 2 || (gaps->overlooked && unasked) || gaps->unended || untimed)
		return UNKNOWN;
	double after = run_is_lost(run) ? 2 * run->interval : 0;
	double left = (totals->wall_seconds + after) * run->cpus - known_first(totals->cpu_seconds, 0);
	double ends = gaps->teardown * (busy ? BUSY_ENDS : 1);
	double late = ends + (busy ? BUSY_SECONDS : 0);
	double missing = gaps->cpu_seconds + ends - gaps->teardown;

	if (unaccounted(run, totals) + late < missing)
		missing = fmax(unaccounted(run, totals), 0) + late;
	if (left + ends < missing)
		missing = fmax(left, 0) + ends;
	return isfinite(missing) ? missing : UNKNOWN;
}

/* Whether the sampler missed the end of some process, so that nothing bounds what is missing. */
static bool lacks_bound(const struct processes *processes)
{
	for (size_t i = 0; i < processes->count; i++)
		if (!processes->items[i].exact && !number_known(processes->items[i].missing_seconds))
			return true;
	return false;
}

/* Takes what processes told of themselves where that is more than the rows have: who sampled did not see it. `ours`:
 * what the tracker used in earlier images of the root, which the last one need not have known. */
static bool raise_to(struct totals *sums, double user, double system, double ours)
{
	if (!(user + system > BLIND_SECONDS + known_first(sums->cpu_seconds, 0) * (1 + EXACT_PART) +
				      known_first(known_larger(sums->tracker_seconds, ours), 0)))
		return false;
	sums->user_seconds = user;
	sums->system_seconds = system;
	sums->cpu_seconds = user + system;
	return true;
}

/* The root's own account of all that was reaped. Where /proc did not tell of the root, whose start is not known then,
 * the rows lack it, and have children whom it need not have reaped: there what all told of themselves is the least. */
static bool raise_to_told(struct totals *sums, const struct run *run, const struct processes *processes)
{
	const cJSON *tracker = cJSON_GetObjectItemCaseSensitive(run->json, "tracker");
	double pid = json_double(run->json, "pid"), user = 0, system = 0;
	bool unread = json_double(tracker, "start_ticks") == 0;
	bool blind = false;

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		if (!process->exact)
			continue;
		if ((double)process->id.pid == pid)
			blind |= raise_to(sums,
				process->last.user_seconds + process->children_user_seconds -
					process->before_children_user_seconds,
				process->last.system_seconds + process->children_system_seconds -
					process->before_children_system_seconds,
				process->image_tracker);
		if (process->source == SOURCE_SELF && unread) {
			user += known_first(process->last.user_seconds, 0);
			system += known_first(process->last.system_seconds, 0);
		}
	}
	return raise_to(sums, user, system, UNKNOWN) || blind;
}

/* The largest sum of peaks as far as they are known or likely; of a process of which neither is, the largest of all. */
static int add_likely_peaks(struct totals *sums, const struct processes *processes, double stop, struct peaks *likely)
{
	for (size_t i = 0; i < processes->count; i++)
		likely[i].own_mib = known_first(likely[i].own_mib, known_first(sums->peak_process_memory_mib, 0));
	int result = tree_peak(processes, stop, likely, &sums->peak_memory_together_mib);
	sums->peak_memory_together_mib = known_larger(sums->peak_memory_together_mib, sums->peak_memory_mib);
	return result;
}

/* Whether rows of process.csv are missing that no other table makes up for. Who samples a run to its end writes the
 * last row then; the time in between is not sampled only if it was lost. */
static bool lacks_rows(const struct run *run, const struct series *process, bool cut_off)
{
	double late = run->stop_time - series_last(process, PROCESS_timestamp);

	return process->rows == 0 || process->left_out > 0 || run->lacks_rows ||
	       (!cut_off && late > fmax(run->interval / 2, END_SECONDS));
}

/* What may be missing, and so what is exact. `sampled`: there was somebody to the end, and all his rows are there. */
static int add_gaps(struct totals *sums, const struct run *run, const struct series *process,
	struct processes *processes, double stop, bool sampled)
{
	double after = run_is_lost(run) ? 2 * run->interval : 0;
	bool whole =
		run_ended(run) && !run->goes_on && processes->count > 0 && process->rows > 0 && process->left_out == 0;
	struct gaps gaps;

	if (gaps_find(&gaps, run, processes, stop + after, series_last(process, PROCESS_rss_mib)) != 0)
		return -1;
	add_unknown(&gaps, run, sums, sampled);
	sums->missing_cpu_seconds_at_most = missing_at_most(&gaps, run, sums, sampled, false);
	sums->whole = whole;
	bool contradicted = number_known(run->cgroup_seconds) && !number_known(unaccounted(run, sums));
	sums->exact_cpu = whole && !contradicted && sums->missing_cpu_seconds_at_most <= at_most_exact(sums);
	if (!(sums->missing_cpu_seconds_at_most <= at_most_exact(sums)))
		sums->missing_cpu_seconds_at_most = missing_at_most(&gaps, run, sums, sampled, true);
	/* A peak that was lent by fork may have been counted otherwise than by who had it. */
	sums->exact_memory = whole && gaps.largest_mib <= known_first(sums->peak_process_memory_mib, 0) + EXACT_MIB;
	/* Nothing but their CPU time tells of bytes that somebody read or wrote whom nobody saw. */
	sums->exact_bytes = sums->exact_cpu && (!gaps.overlooked || unaccounted(run, sums) < GAPS_LEAST_SECONDS);
	sums->exact = sums->exact_bytes && sums->exact_memory;
	int result = tree_peak(processes, stop, gaps.most, &sums->peak_memory_at_most_mib);
	if (result == 0)
		result = add_likely_peaks(sums, processes, stop, gaps.likely);
	gaps_free(&gaps);
	if (is_running(run)) { /* what it says is so far */
		sums->missing_cpu_seconds_at_most = sums->peak_memory_at_most_mib = UNKNOWN;
		return result;
	}
	/* Pages that processes share are in the peak of each of them. */
	if (sums->peak_memory_at_most_mib > run->machine_memory_mib)
		sums->peak_memory_at_most_mib = run->machine_memory_mib;
	if (!(sums->peak_memory_at_most_mib < NOTHING_BOUNDS))
		sums->peak_memory_at_most_mib = UNKNOWN;
	else
		sums->peak_memory_at_most_mib = known_larger(sums->peak_memory_at_most_mib, sums->peak_memory_mib);
	return result;
}

/* Who has no exit row while somebody waits for it. */
static size_t count_living(const struct run *run, const struct processes *processes)
{
	size_t count = 0;

	for (size_t i = 0; run->goes_on && i < processes->count; i++)
		count += !processes->items[i].exact && !number_known(processes->items[i].end_time);
	return count;
}

/* Who ended and left no last word. While a run goes on, so do those without an end, and those whose own word was not
 * their end. */
static size_t count_unseen(const struct run *run, const struct processes *processes, size_t living)
{
	size_t count = 0;

	if (!is_running(run))
		return processes->unseen - living;
	for (size_t i = 0; i < processes->count; i++)
		count += !processes->items[i].exact && number_known(processes->items[i].end_time) &&
			 processes->items[i].source != SOURCE_SELF;
	return count;
}

void totals_take_ticks(struct totals *totals, const struct series *process)
{
	totals->peak_memory_at_least_mib =
		known_larger(totals->peak_memory_at_least_mib, series_max(process, PROCESS_memory_mib));
	totals->peak_swap_mib = known_larger(totals->peak_swap_mib, series_max(process, PROCESS_swap_mib));
}

int totals_make(struct totals *totals, const struct run *run, const struct series *process, const struct series *system,
	struct processes *processes)
{
	struct totals sums = totals_unknown();
	size_t going_on = count_living(run, processes);

	sums.user_seconds = series_sum(process, PROCESS_utime);
	sums.system_seconds = series_sum(process, PROCESS_stime);
	sums.disk_read_bytes = series_sum(process, PROCESS_disk_read_bytes);
	sums.disk_write_bytes = series_sum(process, PROCESS_disk_write_bytes);
	sums.tracker_seconds = series_sum(system, SYSTEM_tracker_cpu);
	totals_take_ticks(&sums, process);
	if (going_on > 0)
		sums.still_running = (double)going_on;
	bool living = is_running(run) || run->goes_on;

	const cJSON *tracker = cJSON_GetObjectItemCaseSensitive(run->json, "tracker");
	bool before = processes_begin_root(processes, json_double(run->json, "pid"),
		json_double(tracker, "baseline_utime"), json_double(tracker, "baseline_stime"));
	sums.ended_unseen = (double)count_unseen(run, processes, going_on);
	gaps_settle_peaks(run, processes);

	/* The root of a run that nobody sampled to its end may be known to have been killed all the same. A sampler
	 * writes its last row when all have ended, and the exit rows of that tick an instant later. */
	double last_row = series_last(process, PROCESS_timestamp);
	bool killed = run_is_lost(run) || strcmp(run->status, "killed") == 0;
	bool unsampled = killed && has_later_exit(processes, last_row + TICK_SECONDS);
	bool unheard = run_ended(run) && !living && has_unheard_end(run, processes, last_row + TICK_SECONDS);
	bool cut_off = process->rows == 0 || (!living && !run_ended(run)) || run_is_lost(run) || unsampled;
	bool late = number_known(last_row) && (unheard || (killed && (cut_off || has_later_exit(processes, last_row))));

	/* Of who lives, too, the peak is known by its rows alone. */
	bool unbounded = living ? processes_lack_figures(processes) : lacks_bound(processes);
	if ((before || cut_off || late || unbounded || processes_any_limited(processes)) &&
		processes_add_members(processes, run->directory) != 0)
		return -1;
	if (late)
		raise_to_records(&sums, processes, last_row);
	else if (cut_off)
		add_later_exits(&sums, processes, number_known(last_row) ? last_row : -INFINITY);
	known_add(&sums.cpu_seconds, sums.user_seconds);
	known_add(&sums.cpu_seconds, sums.system_seconds);
	bool blind = raise_to_told(&sums, run, processes);
	double start = number_known(run->start_time) ? run->start_time : first_time(process, processes);
	double stop = number_known(run->stop_time) ? run->stop_time : last_time(process, system, processes);
	sums.wall_seconds = stop >= start ? stop - start : number_known(stop - start) ? 0 : UNKNOWN;
	sums.mean_cpu_usage = sums.wall_seconds > 0 ? sums.cpu_seconds / sums.wall_seconds : UNKNOWN;
	sums.mean_memory_mib = series_time_mean(process, PROCESS_memory_mib, start);
	sums.peak_process_memory_mib = largest_process(run, processes);
	sums.peak_memory_mib = known_larger(series_max(process, PROCESS_memory_mib), sums.peak_process_memory_mib);
	/* Whatever lived had some: 0 is of rows that were written when all had ended. */
	if (!(series_max(process, PROCESS_memory_mib) > 0))
		sums.mean_memory_mib = UNKNOWN;
	if (!(sums.peak_memory_mib > 0))
		sums.peak_memory_mib = UNKNOWN;
	sums.peak_memory_at_least_mib = sums.peak_memory_mib;
	sums.processes = known_larger((double)processes->count, series_max(process, PROCESS_members));
	/* Who sampled without seeing anybody of the run has sampled nobody. */
	bool unseen = processes->count == 0 && run_is_lost(run);
	bool sampled = !blind && !unheard && !unseen && !lacks_rows(run, process, cut_off);
	if (add_gaps(&sums, run, process, processes, stop, sampled) != 0)
		return -1;
	*totals = sums;
	return 0;
}

bool totals_bound_tells(const struct totals *totals, const struct run *run)
{
	return !totals->exact_memory && totals->peak_memory_at_most_mib < run->machine_memory_mib &&
	       totals->peak_memory_at_most_mib > totals->peak_memory_mib * CLEARLY_MORE;
}

bool totals_peak_is_least(const struct totals *totals)
{
	double most = known_larger(totals->peak_memory_at_most_mib, totals->peak_memory_together_mib);

	return !totals->exact_memory || most > totals->peak_memory_mib * CLEARLY_MORE;
}

const char *totals_peak_name(enum totals_peak peak)
{
	return peak == PEAK_SEEN ? "seen at once" : "if all peaked at once";
}

bool totals_together_tells(const struct totals *totals, const struct run *run)
{
	return (totals->exact_memory || !run_ended(run)) &&
	       totals->peak_memory_together_mib > totals->peak_memory_mib * CLEARLY_MORE;
}
