/* What the records of a run may lack; see gaps.h. */
#include "report/model/gaps.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { GENERATIONS_MAX = 64 };

/* The end of a process after its own last word: the kernel takes its memory down, which is slowest where the last user
 * of shared pages goes (0.15 ms a MiB were measured, 0.18 of a memfd, 0.13 to 0.16 of a removed file; 0.02 to 0.05
 * where they are not shared). */
static const double end_seconds = 0.001;
static const double end_seconds_per_mib = 0.0002, end_seconds_per_own_mib = 0.0001;
static const double mib_per_page = 4.0 / 1024;
/* What a page fault brings at most: a huge page, of x86-64 and of others with larger pages. Of a file that is in memory
 * already that takes next to no time: 4,000 MiB took 2,051 faults and 2.4 ms (Linux 6.18, ext4). */
static const double mib_per_fault = 2, mib_per_fault_elsewhere = 512;
/* How many children that nobody sees are likely to live at one time: as many as a parallel run of short commands has.
 */
static const double least_at_once = 4, at_once_per_cpu = 2;
/* What /proc tells of reaped children is in ticks of 10 ms, user and system time each. */
static const double told_seconds = 0.02;

struct lineage {
	const struct run *run;
	const struct processes *processes;
	double root_end;
	double root_pid;
	double mib_per_fault;
	bool rootless; /* nobody knows the root, and so not whom it had: who cannot tell what it is called has no row */
	bool first;    /* rtrack-run was the first process of a PID namespace: its root is a child of process 1 */
	struct left_children *named;
};

/* Whom somebody left at his end, and named; of the last who was asked for. */
struct left_children {
	const struct process *by;
	double count;
};

static bool is_root(const struct lineage *lineage, const struct process *process)
{
	return (double)process->id.pid == lineage->root_pid;
}

/* Its account of reaped children is its last word. */
static bool is_told(const struct process *process)
{
	return process->source == SOURCE_SELF && (process->exact || process->goes_on);
}

/* It told no peak of its own. */
static bool is_silent(const struct process *process)
{
	return !(process->exact_peak && is_told(process));
}

/* Whether it ended while rtrack-run took in orphans. Of one that its parent reaped the next tick tells, which may come
 * after the parent's own end, and after the root's. */
static bool was_adopted(const struct lineage *lineage, const struct process *process)
{
	double end = process->end_time;

	/* It has reaped that itself, if only after the root. */
	if (process->source == SOURCE_LAUNCHER)
		return true;
	for (int i = 0; i < GENERATIONS_MAX && process && process->missing_seconds == 0; i++) {
		process = process_last_parent(process);
		if (process && process->end_time < end)
			end = process->end_time;
	}
	return lineage->run->launched && end <= lineage->root_end;
}

static bool is_left_by(const struct process *process, const struct process *reaper)
{
	return process->left_by == reaper->id.pid && process->left_time == reaper->end_time;
}

/* Whether a process that told of its end has named all whom it left, and so has reaped whoever else was its child. */
static bool has_named_all(const struct lineage *lineage, const struct process *reaper)
{
	struct left_children *named = lineage->named;

	if (!(reaper->children_left <= SPOOL_CHILDREN_NAMED))
		return false;
	if (named->by != reaper) {
		*named = (struct left_children){.by = reaper};
		for (size_t i = 0; i < lineage->processes->count; i++)
			named->count += is_left_by(&lineage->processes->items[i], reaper);
	}
	return named->count == reaper->children_left;
}

/* Whether its reaper's account takes a process in. */
static bool is_taken_in(const struct lineage *lineage, const struct process *process, const struct process *reaper)
{
	bool seen_reaped = process->missing_seconds == 0; /* while its parent lived */
	bool adopted = was_adopted(lineage, process);

	if (!reaper)
		return adopted;
	if (reaper->children_ignored == 1)
		return false;
	if (is_told(reaper))
		return reaper->children_left == 0 || seen_reaped || adopted ||
		       (!is_left_by(process, reaper) && has_named_all(lineage, reaper));
	/* Of a zombie that was read nobody knows whether who ended without a word had reaped it by then. */
	bool zombie = process->source == SOURCE_SAMPLER && process->exact;
	return seen_reaped || (process->end_time <= reaper->end_time && !zombie) || adopted;
}

/* Whether some account that was told holds what a process used until its very end. */
static bool is_held(const struct lineage *lineage, const struct process *process)
{
	for (int generation = 0; generation < GENERATIONS_MAX; generation++) {
		const struct process *reaper = process_last_parent(process);
		if (process->of_old && process->exact)
			return true;
		if (!is_taken_in(lineage, process, reaper))
			return false;
		if (!reaper || reaper->exact)
			return true;
		process = reaper;
	}
	return false;
}

/* What an end cost that nobody could tell of. */
static double teardown_of(const struct lineage *lineage, const struct process *process, double last_rss_mib)
{
	double peak_mib =
		known_first(process->peak_is_before ? process->found_peak_mib : process->last.peak_memory_mib, 0);

	if (!is_told(process) || is_held(lineage, process))
		return 0;
	if (!is_root(lineage, process))
		return end_seconds + end_seconds_per_mib * peak_mib;
	/* What goes with the root of memory that can be shared is told apart. */
	return end_seconds + end_seconds_per_own_mib * fmin(peak_mib, last_rss_mib) +
	       end_seconds_per_mib * known_first(lineage->run->nameless_mib, 0);
}

/* What a process may have used beyond its last figures: what its exit row tells, or all CPUs from when it was last seen
 * to its end. */
static double missing_of(const struct lineage *lineage, const struct process *process, double stop)
{
	double seen = known_first(process->seen_time, process->start_time);
	double end = known_first(process->end_time, stop);

	if (process->exact || is_held(lineage, process))
		return 0;
	if (process->goes_on)
		return INFINITY;
	return known_first(process->missing_seconds, fmax(end - seen, 0) * known_first(lineage->run->cpus, INFINITY));
}

/* The largest peak in the nearest account that holds what a process reaped. */
static double reaped_peak(const struct lineage *lineage, const struct process *process)
{
	for (int generation = 0; generation < GENERATIONS_MAX; generation++) {
		if (is_told(process)) /* unknown: it has reaped none */
			return known_first(process->children_peak_mib, 0);
		if (process->source == SOURCE_LAUNCHER && number_known(process->children_peak_mib))
			return process->children_peak_mib;
		if (!is_held(lineage, process))
			break;
		process = process_last_parent(process);
		if (!process)
			return known_first(lineage->run->reaped_peak_mib, INFINITY);
	}
	return INFINITY;
}

/* What images before its last one may have had, whether they told or not, and what who forked it may have lent it. Who
 * started the root is outside of the run, and the root's images tell, but those that it parted for. */
static double before_last_image(const struct lineage *lineage, const struct process *process)
{
	return is_root(lineage, process) && !lineage->run->parted ? UNKNOWN : process->found_peak_mib;
}

/* Whether a process went on when it had told how it ends, or could not ask whom it leaves, who may: nobody knows until
 * when. */
static bool outlasts_its_word(const struct lineage *lineage, const struct process *process)
{
	if (process->goes_on)
		return number_known(process->exit_code) && !is_held(lineage, process);
	return !lineage->run->launched && is_told(process) && !process->of_old && !number_known(process->children_left);
}

/* The peak, at most, of a process that no account has, but whose zombie was read: what it has from who forked it, and
 * what it can have touched itself. */
static double peak_of_zombie(const struct lineage *lineage, const struct process *process)
{
	const struct process *parent = process_first_parent(process);

	if (!process->exact || !number_known(process->minor_faults) || !parent || !is_told(parent))
		return INFINITY;
	double lent = known_larger(process_best_usage(parent).peak_memory_mib, before_last_image(lineage, parent));
	return known_first(lent, INFINITY) + process->minor_faults * lineage->mib_per_fault;
}

/* The peak of a process, at most. */
static double peak_of(const struct lineage *lineage, const struct process *process)
{
	double own = process_best_usage(process).peak_memory_mib;

	if (process->peak_is_before)
		return process->found_peak_mib;
	/* What it says itself is never too little for its last image. An image before that had no more than somebody
	 * else of the run, but for those of the root. */
	if ((process->exact_peak || is_told(process)) && !process->goes_on && number_known(own))
		return is_root(lineage, process) ? known_larger(own, before_last_image(lineage, process)) : own;
	if (process->source == SOURCE_LAUNCHER && number_known(process->children_peak_mib))
		return known_larger(own, process->children_peak_mib);
	if (!is_held(lineage, process))
		return known_larger(own, peak_of_zombie(lineage, process));
	const struct process *reaper = process_last_parent(process);
	double most = reaper ? reaped_peak(lineage, reaper) : known_first(lineage->run->reaped_peak_mib, INFINITY);
	return known_larger(own, most);
}

/* What the known children of each process used, with what their ends may have cost, and their largest peak. */
struct known_children {
	double seconds; /* 0: it has none */
	double ends;    /* the part of it that their ends may have cost */
	double faults;  /* minor page faults, of those who told them */
	size_t count;
	size_t untold; /* how many of them did not */
	double peak_mib;
	double told_mib;   /* the largest peak that is a final one, of their own children too */
	size_t silent;     /* how many told no such peak, */
	size_t unread;     /* how many of these nobody read */
	double silent_mib; /* and what is known of theirs */
	size_t last;       /* of these, by its position */
};

/* Whether a process may have left a child to others, who then reaped it. */
static bool may_be_left(const struct process *process, const struct process *parent)
{
	return is_left_by(process, parent) || parent->children_left > SPOOL_CHILDREN_NAMED;
}

static void add_to_reapers(const struct lineage *lineage, const struct peaks *most, struct known_children *children)
{
	const struct processes *processes = lineage->processes;

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i];
		const struct process *reaper = process_last_parent(process);
		if (!reaper || may_be_left(process, reaper))
			continue;
		struct known_children *sum = &children[reaper - processes->items];
		double mib = isfinite(most[i].own_mib) ? most[i].own_mib : 0;
		double end = 2 * end_seconds + end_seconds_per_mib * mib;
		sum->seconds += process_cpu_seconds(process) + process_children_cpu_seconds(process) + end;
		sum->ends += end;
		sum->count++;
		sum->faults += known_first(process->minor_faults, 0) + known_first(process->children_minor_faults, 0);
		sum->untold += !is_told(process) || !process->exact || !(process->minor_faults > 0);
		sum->peak_mib = fmax(sum->peak_mib, fmax(mib, known_first(process->children_peak_mib, 0)));
		double own = process_best_usage(process).peak_memory_mib;
		if (!is_silent(process)) {
			sum->told_mib = fmax(sum->told_mib, fmax(own, process->children_peak_mib));
			continue;
		}
		sum->last = i;
		sum->silent++;
		sum->unread += !number_known(own);
		sum->silent_mib += known_first(own, 0);
	}
}

/* Whether a peak is more than what is known explains: the kernel counts pages on each processor by themselves, and a
 * process may take some more after its last word. */
static bool is_more(double mib, double explained_mib)
{
	return mib > explained_mib + 1 + explained_mib / 100;
}

/* Whether a process has reaped children whom nobody knows, as far as page faults tell. Of a child that did not tell of
 * its end the faults are those that it had when it was last read: what it took later looks as somebody unknown does,
 * and nobody is there if there is no such fault. A process cannot begin without some, and a page that it takes costs
 * one: fork and the end of the child take 4 by their system calls, 16 by the C library's functions, a static program of
 * one instruction 3, one of busybox 39. After its last word a process takes none or one: of 372 parents of 1,351 such
 * children, real programs, 323 had none beyond their children's. A child that it left to others, and whose faults it
 * has not, makes them fewer than none. */
enum unknown { NOBODY, SOMEBODY, PERHAPS, PERHAPS_OF_SILENT };

static enum unknown has_unknown(const struct process *process, const struct known_children *known)
{
	static const double least_faults = 3, most_faults_of_end = 2;
	double faults = known_first(process->children_minor_faults, 0) - known->faults;

	if (!is_told(process) || !(process->children_minor_faults > 0))
		return PERHAPS;
	if (faults >= 0 && faults < least_faults)
		return NOBODY;
	if (known->untold > 0)
		return PERHAPS_OF_SILENT;
	return faults > least_faults + most_faults_of_end * (double)known->count ? SOMEBODY : PERHAPS;
}

/* The CPU time of children whom nobody knows, as far as it is more than the ends of the known ones may have cost. */
static double unknown_seconds(const struct process *process, const struct known_children *known)
{
	return has_unknown(process, known) == NOBODY ? 0 : process_children_cpu_seconds(process) - known->seconds;
}

static bool has_reaped_unknown(const struct process *process, const struct known_children *known)
{
	return has_unknown(process, known) == SOMEBODY || unknown_seconds(process, known) > 0;
}

/* Where an account has a peak that none of those has who told theirs, nor who reaped them and may have lent it by fork,
 * it is that of the one who did not tell, if there is one and no child of his is known, nor of whom nobody saw. */
static void raise_to_accounts(struct processes *processes, const struct known_children *children)
{
	for (size_t i = 0; i < processes->count; i++) {
		const struct process *reaper = &processes->items[i];
		struct process *silent = &processes->items[children[i].last];
		bool alone = children[i].silent == 1 && children[children[i].last].seconds == 0 &&
			     !has_reaped_unknown(reaper, &children[i]);
		double others_mib = fmax(children[i].told_mib, process_best_usage(reaper).peak_memory_mib);
		if (alone && is_told(reaper) && number_known(silent->end_time) &&
			is_more(reaper->children_peak_mib, others_mib))
			silent->last.peak_memory_mib =
				known_larger(process_best_usage(silent).peak_memory_mib, reaper->children_peak_mib);
	}
}

/* Page faults of children that no known child has told. */
static double unknown_faults(const struct process *process, const struct known_children *known)
{
	return fmax(known_first(process->children_minor_faults, 0) - known->faults, 0);
}

/* What children whom nobody knows can have touched. Whom a process has left to others told faults that are not in its
 * account. */
static double unknown_mib(
	const struct lineage *lineage, const struct process *process, const struct known_children *known)
{
	double faults = process->children_left == 0 ? unknown_faults(process, known) : process->children_minor_faults;

	return is_told(process) && faults > 0 ? faults * lineage->mib_per_fault : INFINITY;
}

/* Memory of children whom nobody knows, at most: those that came and went between two ticks and said nothing. The
 * account of who reaped them tells the CPU time that all of them took, and the largest of their peaks. */
static double unknown_children(const struct lineage *lineage, const struct process *process,
	const struct known_children *known, double own_mib)
{
	double largest = reaped_peak(lineage, process);
	double seconds = unknown_seconds(process, known);
	enum unknown unknown = has_unknown(process, known);

	if (lineage->run->births_known)
		return 0;
	/* The ends of the known ones may have cost nothing of it. */
	if (unknown == SOMEBODY || unknown == PERHAPS_OF_SILENT)
		seconds += known->ends;
	/* What /proc tells is never too much, and nothing of whoever took less than a tick; but that there was somebody
	 * it tells rtrack-run of whom that reaps. */
	bool hid = process->source == SOURCE_LAUNCHER && !process->exact_peak && known->count == 0;
	if (!is_told(process))
		seconds += seconds > 0 || hid ? told_seconds : 0;
	if (unknown == SOMEBODY)
		seconds = fmax(seconds, GAPS_LEAST_SECONDS);
	if (seconds > 0)
		return fmin(
			ceil(seconds / GAPS_LEAST_SECONDS) * largest, largest + unknown_mib(lineage, process, known));
	/* The other children of such a process are in the account of who reaped it. */
	if (!is_told(process) && process->source != SOURCE_LAUNCHER)
		return 0;
	/* fork leaves the parent's memory in a child's figure. */
	double explained = fmax(known->peak_mib, own_mib);
	return isfinite(largest) && is_more(largest, explained) ? largest : 0;
}

/* -- what they are likely to have had -------------------------------------------------------------- */

/* MiB of the page faults of children that no known child explains, a page each. Huge pages take fewer. */
static double unexplained_mib(const struct process *process, const struct known_children *known)
{
	return unknown_faults(process, known) * mib_per_page;
}

/* Whether its account's peak is that of a child who told it, or lent by fork: of the others nobody knows then how large
 * any of them was. */
static bool is_peak_explained(const struct process *process, const struct known_children *known)
{
	double told_mib = fmax(known->told_mib, known_first(process_best_usage(process).peak_memory_mib, 0));
	return !is_more(known_first(process->children_peak_mib, 0), told_mib);
}

/* Children who came and went unseen, each as large as the account says. */
static double likely_unseen(
	const struct lineage *lineage, const struct process *process, const struct known_children *known)
{
	double at_once = fmax(least_at_once, at_once_per_cpu * known_first(lineage->run->vcpus, 0));
	bool unseen = !lineage->run->births_known && is_told(process) &&
		      has_unknown(process, known) != PERHAPS_OF_SILENT && has_reaped_unknown(process, known);

	if (!unseen || is_peak_explained(process, known))
		return 0;
	return fmin(unexplained_mib(process, known), at_once * known_first(process->children_peak_mib, 0));
}

/* One who told no peak: what it had when it was last read, and the part of what the account has more for which there
 * are faults of its like. Of those whom nobody read, where the peak is another's, each had his part of these. */
static double likely_silent(
	const struct process *process, const struct process *reaper, const struct known_children *known)
{
	double own = process_best_usage(process).peak_memory_mib;
	double largest = known_first(reaper->children_peak_mib, 0), faults_mib = unexplained_mib(reaper, known);
	double more = fmax(largest - known_first(own, 0), 0);
	double room = fmax((double)known->silent * largest - known->silent_mib, more);

	if (is_peak_explained(reaper, known))
		return known_first(own, fmin(largest, faults_mib / (double)known->unread));
	return known_first(own, 0) + (room > 0 ? more * fmin(faults_mib / room, 1) : 0);
}

/* What it had before its last image, such as a fork's copy of its parent's memory: a page for each of its own faults,
 * as far as an image found that. */
static double likely_before(const struct lineage *lineage, const struct process *process)
{
	double before = before_last_image(lineage, process), touched = process->minor_faults * mib_per_page;

	return number_known(before) && number_known(touched) ? fmin(before, touched) : UNKNOWN;
}

/* Where it has known children itself, the account's peak may be one of theirs. */
static void find_likely(struct gaps *gaps, const struct lineage *lineage, const struct known_children *children)
{
	const struct processes *processes = lineage->processes;

	for (size_t i = 0; i < processes->count; i++) {
		const struct process *process = &processes->items[i], *reaper = process_last_parent(process);
		bool counted = reaper && is_told(reaper) && reaper->children_minor_faults > 0;
		gaps->likely[i] = (struct peaks){
			/* The program will want again what it had before it was followed. */
			.own_mib = process->peak_is_before ? process->found_peak_mib
							   : process_best_usage(process).peak_memory_mib,
			.before_mib = likely_before(lineage, process),
			.unseen_mib = likely_unseen(lineage, process, &children[i]),
		};
		if (counted && is_silent(process) && children[i].count == 0)
			gaps->likely[i].own_mib = likely_silent(process, reaper, &children[reaper - processes->items]);
	}
}

/* -- who may have been overlooked ------------------------------------------------------------------ */

/* Whether a process may have left children whom nobody saw: they would be in no account. One that tells of its end
 * tells of its children. rtrack-run takes in whoever is left, as long as the root lives. */
static bool may_have_left(const struct lineage *lineage, const struct process *process)
{
	/* Who tells of its end and not of children could not ask, as where descriptors have run out. */
	if (process->of_old || (is_told(process) && number_known(process->children_left)))
		return process->children_left > SPOOL_CHILDREN_NAMED;
	/* Who sampled knew everybody who was born until it was gone. */
	if (!lineage->run->launched && number_known(process->children_left))
		return false;
	return !was_adopted(lineage, process);
}

/* Whether a process has reaped children who are not known, and so may have left others. */
static bool had_unknown(
	const struct lineage *lineage, const struct process *process, const struct known_children *known)
{
	return !lineage->run->launched && is_told(process) && has_reaped_unknown(process, known);
}

static bool overlooks(const struct lineage *lineage, const struct known_children *children)
{
	const struct processes *processes = lineage->processes;
	bool found = false;

	for (size_t i = 0; i < processes->count && !found && !lineage->run->births_known; i++)
		found = may_have_left(lineage, &processes->items[i]) ||
			had_unknown(lineage, &processes->items[i], &children[i]);
	return found;
}

/* Whether the last image of a process had the library: each tells when it begins, and before it becomes a program that
 * has it not. Times are in milliseconds, in which no image begins and ends. */
static bool ended_with_library(const struct process *process)
{
	return number_known(process->found_peak_mib) && !(process->image_time >= process->found_time);
}

/* Whether a process may have ignored SIGCHLD when nobody looked, or reaped somebody unseen who did. Of one whose peak
 * is final the zombie was read, and it had reaped nobody. Who was killed with the library in it is taken for one that
 * did not; and what the account of who reaped one that told nothing has more is taken for that one's. */
static bool may_have_ignored(
	const struct lineage *lineage, const struct process *process, const struct known_children *known)
{
	bool looked_at = process->children_ignored == 0 || ended_with_library(process);

	if (is_told(process))
		return has_reaped_unknown(process, known) &&
		       (lineage->first || has_unknown(process, known) != PERHAPS_OF_SILENT);
	return !process->exact_peak && (lineage->first || !looked_at);
}

static bool lets_go_by(const struct lineage *lineage, const struct known_children *children)
{
	const struct processes *processes = lineage->processes;
	bool found = false;

	for (size_t i = 0; i < processes->count && lineage->run->launched && !found; i++)
		found = may_have_ignored(lineage, &processes->items[i], &children[i]);
	return found;
}

static void find_peaks(struct gaps *gaps, const struct lineage *lineage, struct known_children *children)
{
	const struct processes *processes = lineage->processes;

	for (size_t i = 0; i < processes->count; i++) {
		bool ignored = processes->items[i].children_ignored == 1;
		gaps->most[i].own_mib = peak_of(lineage, &processes->items[i]);
		gaps->most[i].before_mib = before_last_image(lineage, &processes->items[i]);
		gaps->largest_mib = ignored ? INFINITY : fmax(gaps->largest_mib, gaps->most[i].own_mib);
	}
	add_to_reapers(lineage, gaps->most, children);
	for (size_t i = 0; i < processes->count; i++)
		gaps->most[i].unseen_mib =
			processes->items[i].children_ignored == 1
				? INFINITY
				: unknown_children(lineage, &processes->items[i], &children[i], gaps->most[i].own_mib);
}

static void find_cpu(struct gaps *gaps, const struct lineage *lineage, double stop, double last_rss_mib)
{
	for (size_t i = 0; i < lineage->processes->count; i++) {
		const struct process *process = &lineage->processes->items[i];
		double teardown = teardown_of(lineage, process, last_rss_mib);
		gaps->teardown += teardown;
		gaps->unended |= !process->exact && !number_known(process->end_time) && run_ended(lineage->run) &&
				 !lineage->run->goes_on;
		gaps->unended |= outlasts_its_word(lineage, process);
		gaps->cpu_seconds +=
			process->children_ignored == 1 ? INFINITY : teardown + missing_of(lineage, process, stop);
	}
}

static void find_root(struct lineage *lineage, double stop)
{
	lineage->root_pid = json_double(lineage->run->json, "pid");
	lineage->root_end = stop;
	lineage->rootless = number_known(lineage->root_pid);
	for (size_t i = 0; i < lineage->processes->count; i++) {
		const struct process *process = &lineage->processes->items[i];
		if (is_root(lineage, process) && number_known(process->end_time))
			lineage->root_end = process->end_time;
		lineage->rootless &= !is_root(lineage, process);
		lineage->first |= lineage->run->launched && is_root(lineage, process) && process->last_ppid == 1;
	}
}

void gaps_settle_peaks(const struct run *run, struct processes *processes)
{
	double root_pid = json_double(run->json, "pid");

	for (size_t i = 0; i < processes->count; i++) {
		struct process *process = &processes->items[i];
		double own = known_first(process_best_usage(process).peak_memory_mib, 0);
		if ((double)process->id.pid == root_pid || !(process->inherited_peak_mib > own))
			continue;
		const struct process *parent = process_first_parent(process);
		double lent = parent ? known_first(process_best_usage(parent).peak_memory_mib, 0) : 0;
		if (is_more(process->inherited_peak_mib, lent))
			process->earlier_peak_mib = process->inherited_peak_mib;
	}
}

void gaps_free(struct gaps *gaps)
{
	free(gaps->most);
	free(gaps->likely);
}

int gaps_find(struct gaps *gaps, const struct run *run, struct processes *processes, double stop, double last_rss_mib)
{
	size_t count = processes->count + 1;
	struct left_children named = {.by = NULL};
	struct lineage lineage = {.run = run, .processes = processes, .named = &named};
	struct known_children *children = calloc(count, sizeof *children);

	*gaps = (struct gaps){.most = calloc(count, sizeof *gaps->most), .likely = calloc(count, sizeof *gaps->likely)};
	if (!children || !gaps->most || !gaps->likely) {
		free(children);
		gaps_free(gaps);
		errno = ENOMEM;
		return -1;
	}
	const cJSON *server = cJSON_GetObjectItemCaseSensitive(run->json, "server");
	bool usual = strcmp(json_string(server, "architecture"), "x86_64") == 0;
	lineage.mib_per_fault = usual ? mib_per_fault : mib_per_fault_elsewhere;
	find_root(&lineage, stop);
	find_peaks(gaps, &lineage, children);
	raise_to_accounts(processes, children);
	find_likely(gaps, &lineage, children);
	find_cpu(gaps, &lineage, stop, last_rss_mib);
	gaps->overlooked = overlooks(&lineage, children);
	gaps->let_go = lets_go_by(&lineage, children);
	if (lineage.rootless)
		gaps->cpu_seconds = gaps->largest_mib = gaps->most[0].unseen_mib = INFINITY;
	free(children);
	return 0;
}
