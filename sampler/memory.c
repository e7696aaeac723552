/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the memory of the run's processes within a time budget.
 *
 * A walk is a reading of PSS, for which the kernel walks all page tables of a process. A count is an estimate of
 * private memory from a sample of pages. A family is a group of processes that were forked from one program. */
#include "sampler/memory.h"

#include "os/self.h"

#define BUDGET_DIVISOR 100 /* 1 % of the elapsed time */
#define BUDGET_NS 50000000 /* initial budget, and maximum of the unused budget */
#define LONGEST_NS 1000000 /* if a walk took longer, the process is not walked again at this size */
enum {
	PAGE_KIB = 4,          /* smallest page size */
	CLEAR_KIB = 1024,      /* minimum growth of private memory after which a process is read again */
	FIRST_CLEAR_KIB = 256, /* minimum growth after which a fork is read if it was never counted */
	/* PSS may exceed RSS by this much, because the kernel updates RSS with a delay. */
	COUNTED_LATE_KIB = 1024,
	/* Minimum growth of file pages and shared memory after which other processes are read again, because they may
	   share these pages. */
	MAPPED_CLEAR_KIB = 8192,
	FAULTS_CLEAR = 16, /* minimum number of page faults for estimating how many of them create private pages */
	AGAIN_TICKS = 32   /* interval in ticks between two walks or counts of a process outside a family */
};

void memory_open(struct memory *memory, bool pss)
{
	*memory = (struct memory){.pss = pss, .left_ns = BUDGET_NS};
}

void memory_forget(struct member *member)
{
	member->memory = (struct member_memory){.file_kib = GAUGE_UNKNOWN};
	for (int i = 0; i < GAUGE_COUNT; i++)
		member->memory.slow_gauges[i] = GAUGE_UNKNOWN;
}

static bool is_living(const struct member *member)
{
	return member->used && member->look.fresh && !member->ended;
}

static uint64_t rss_kib(const struct member *member)
{
	return member->reading.gauge[GAUGE_RSS_KIB];
}

static uint64_t faults_of(const struct member *member)
{
	uint64_t minor = member->reading.minor_faults;
	return minor > 0 ? minor + member->reading.own[COUNTER_MAJOR_FAULTS] : 0; /* 0 if unknown */
}

/* -- families ------------------------------------------------------------------------------------- */

/* Returns the family of a process, or NULL if it is in none. */
static struct memory_family *family_of(struct memory *memory, const struct member *member)
{
	struct memory_family *family = &memory->families[member->memory.family];
	return member->memory.family > 0 && family->members > 1 ? family : NULL;
}

/* Returns the family of a process, or the group of all processes that have no family. In both, shared memory is counted
 * once. */
static struct memory_family *group_of(struct memory *memory, const struct member *member)
{
	struct memory_family *family = family_of(memory, member);
	return family ? family : &memory->families[0];
}

static uint8_t free_family(struct memory *memory)
{
	uint8_t i = 1;
	while (i < MEMORY_FAMILIES - 1 && memory->families[i].members > 0)
		i++;
	memory->families[i].members++;
	return i;
}

/* Puts a fork and its parent into one family. At a fork, all pages of the parent become shared, and the child has no
 * private pages. The parent's private memory is therefore unknown until its next reading. */
static void join(struct memory *memory, struct ledger *ledger, struct member *parent, struct member *child)
{
	uint8_t old = child->memory.family;

	if (parent->memory.family == 0)
		parent->memory.family = old > 0 ? old : free_family(memory);
	for (size_t i = 0; old > 0 && i < ledger->top; i++)
		if (ledger->members[i].memory.family == old)
			ledger->members[i].memory.family = parent->memory.family;
	child->memory.family = parent->memory.family;
	parent->memory.parent = true;
	for (int i = 0; i < 2; i++) {
		struct member_memory *one = i == 0 ? &parent->memory : &child->memory;
		one->known = false;
		one->own_kib = 0;
		one->read_faults = i == 0 ? faults_of(parent) : 0;
		one->read_rss_kib = rss_kib(parent);
		one->counted_mapped_kib = parent->memory.mapped_kib;
	}
}

/* Determines whether a process is a fork. A child of vfork uses its parent's memory until it calls exec, so it is
 * checked again at each tick. */
static void place(struct memory *memory, struct ledger *ledger, struct member *member)
{
	int index = ledger_find_alive(ledger, member->ppid);
	struct member *parent = index == MEMBER_NONE ? NULL : &ledger->members[index];
	bool same = parent && member->reading.image != 0 && member->reading.image == parent->reading.image;

	member->memory.lodges =
		same && (member->memory.lodges || process_shares_memory(member->id.pid, parent->id.pid));
	member->memory.placed = !member->memory.lodges;
	if (same && member->memory.placed)
		join(memory, ledger, parent, member);
}

static void place_all(struct memory *memory, struct ledger *ledger)
{
	for (int i = 0; i < MEMORY_FAMILIES; i++)
		memory->families[i].before = memory->families[i].members;
	for (size_t i = 0; i < ledger->top; i++)
		if (is_living(&ledger->members[i]) && !ledger->members[i].memory.placed)
			place(memory, ledger, &ledger->members[i]);
	for (int i = 0; i < MEMORY_FAMILIES; i++)
		memory->families[i].members = 0;
	for (size_t i = 0; i < ledger->top; i++)
		if (is_living(&ledger->members[i]))
			memory->families[ledger->members[i].memory.family].members++;
	for (int i = 0; i < MEMORY_FAMILIES; i++) {
		memory->families[i].part = memory->families[i].members > 0 ? memory->families[i].part : 0;
		memory->families[i].holder = MEMBER_NONE;
		memory->families[i].shared_kib = 0;
	}
}

/* Estimates the private memory of a process in a family. `part`: share of page faults that create private pages, used
 * if the process was never counted. */
static uint64_t own_by(const struct member *member, uint32_t part)
{
	const struct member_memory *last = &member->memory;
	uint64_t pages_kib = figures_above(faults_of(member), last->read_faults) * PAGE_KIB;

	if (!last->known && part > 0)
		pages_kib = pages_kib * part / MEMORY_WHOLE;
	uint64_t own = last->own_kib + figures_larger(pages_kib, figures_above(rss_kib(member), last->read_rss_kib));
	return own < rss_kib(member) ? own : rss_kib(member);
}

static uint64_t own_kib(const struct memory_family *family, const struct member *member)
{
	return own_by(member, family->part);
}

/* -- readings ------------------------------------------------------------------------------------- */

static bool may_walk(const struct member *member)
{
	return rss_kib(member) <= process_rollup_max_kib &&
	       (member->memory.too_long_kib == 0 || rss_kib(member) < member->memory.too_long_kib);
}

/* Returns whether the last walk or count is outdated. Meanwhile, other processes may have started or stopped sharing
 * pages. */
static bool is_old(const struct member_memory *last)
{
	return last->read_age > AGAIN_TICKS;
}

/* Returns whether other processes may have mapped the files or shared memory of this process since it was read. */
static bool has_been_touched(struct memory *memory, const struct member *member)
{
	const struct member_memory *last = &member->memory;
	return last->read_touched != group_of(memory, member)->touched && last->mapped_kib > MAPPED_CLEAR_KIB;
}

/* Returns whether a process must be read again. Page faults allocate pages, so without new faults, and with the same
 * RSS, its memory is unchanged. */
static bool wants_reading(struct memory *memory, struct member *member)
{
	struct member_memory *last = &member->memory;
	const struct memory_family *family = family_of(memory, member);
	bool rests = member->look.still > 1;

	/* An RSS of 0 may be a few pages, because Linux updates RSS with a delay. A zombie has no memory. */
	if (last->lodges || member->look.dies || rss_kib(member) == GAUGE_UNKNOWN ||
		(rss_kib(member) == 0 && (last->known || member->reading.state == 'Z')))
		return false;
	bool touched = has_been_touched(memory, member);
	if (family) {
		uint64_t grown_kib = own_kib(family, member) - last->own_kib;
		if (last->parent && family->members < family->before)
			return true;
		if (last->known)
			return touched || grown_kib > CLEAR_KIB + last->own_kib / 8;
		return family->part == 0 || (!rests && grown_kib > FIRST_CLEAR_KIB);
	}
	if (!is_old(last))
		last->read_age++;
	if (!last->known || (touched && !may_walk(member)))
		return true;
	return !rests && (faults_of(member) == 0 || faults_of(member) != last->read_faults ||
				 rss_kib(member) != last->read_rss_kib || is_old(last));
}

/* Stores a reading of a process outside a family. `file_kib`: all file pages, even shared ones. `own`: counted private
 * memory, or UINT64_MAX after a walk. A count excludes the shared part, mainly libraries, because that part is counted
 * once for all such processes. */
static void keep_alone(struct member *member, uint64_t file_kib, uint64_t own)
{
	struct member_memory *last = &member->memory;
	bool walked = own == UINT64_MAX;
	uint64_t *file_part_kib = &last->slow_gauges[GAUGE_FILE_KIB];

	last->shared_kib = walked ? 0 : figures_above(rss_kib(member), own);
	if (!walked && file_kib != GAUGE_UNKNOWN)
		*file_part_kib = figures_above(file_kib, last->shared_kib);
	last->alone_kib = walked ? last->slow_gauges[GAUGE_MEMORY_KIB] : own;
	/* PSS may exceed RSS, because RSS was read before the walk and the kernel updates RSS with a delay. */
	last->alone_rss_kib = rss_kib(member);
	if (last->alone_kib > last->alone_rss_kib + COUNTED_LATE_KIB)
		last->alone_rss_kib = last->alone_kib;
	last->alone_file_kib = file_kib != GAUGE_UNKNOWN ? file_kib : 0;
	last->alone_file_part_kib = file_kib != GAUGE_UNKNOWN && *file_part_kib != GAUGE_UNKNOWN ? *file_part_kib : 0;
	last->read_age = 0;
}

static void keep_own(struct memory_family *family, struct member *member, uint64_t own)
{
	uint64_t faults = figures_above(faults_of(member), member->memory.read_faults);
	uint64_t most = own_by(member, MEMORY_WHOLE);

	/* The growth of private memory is limited to the page faults, because only these create private pages. Pages
	 * also become private when another process drops them, but in this tick they are still counted for that
	 * process. */
	if (own == UINT64_MAX)
		own = own_kib(family, member);
	else if (own > most && member->memory.known && !(member->memory.parent && family->members < family->before))
		own = most;
	else if (!member->memory.known && faults >= FAULTS_CLEAR)
		family->part = 1 + (uint32_t)(own < faults * PAGE_KIB ? own * (MEMORY_WHOLE - 1) / (faults * PAGE_KIB)
								      : MEMORY_WHOLE - 1);
	member->memory.own_kib = own;
}

/* Returns whether to count the private pages of a process whose page tables are not walked. */
static bool wants_count(struct memory *memory, const struct member *member)
{
	const struct member_memory *last = &member->memory;

	return family_of(memory, member) || last->alone_rss_kib == 0 || is_old(last) ||
	       last->read_touched != memory->families[0].touched ||
	       last->mapped_kib > last->counted_mapped_kib + MAPPED_CLEAR_KIB;
}

static void read_member(struct memory *memory, struct member *member)
{
	struct member_memory *last = &member->memory;
	struct memory_family *family = family_of(memory, member), *group = group_of(memory, member);
	uint64_t own = UINT64_MAX;
	int64_t before_ns = thread_used_ns();
	int result = 0;

	process_read_status(member->id.pid, last->slow_gauges, &last->mapped_kib, &member->peak_rss_kib);
	uint64_t file_kib = last->slow_gauges[GAUGE_FILE_KIB];
	if (last->mapped_kib > last->shared_mapped_kib + MAPPED_CLEAR_KIB) {
		process_read_shared(member->id.pid, &last->shared);
		last->shared_mapped_kib = last->mapped_kib;
	}
	bool walk = may_walk(member), count = !walk && wants_count(memory, member);
	if (walk)
		result = process_read_rollup(member->id.pid, last->slow_gauges, &own);
	else if (count)
		own = process_count_own_kib(member->id.pid, rss_kib(member));
	int64_t cost_ns = thread_used_ns() - before_ns;
	memory->left_ns -= cost_ns;
	if (walk && cost_ns > LONGEST_NS)
		last->too_long_kib = rss_kib(member);
	last->file_kib = file_kib != GAUGE_UNKNOWN ? file_kib : last->slow_gauges[GAUGE_FILE_KIB];
	if (family && !last->known && (result != 0 || own == UINT64_MAX) &&
		process_anonymous_kib(member->id.pid) == 0) {
		/* The process has just ended, so its pages cannot be counted. An estimate from its page faults would
		 * treat shared pages as private. The exit row will contain the final figures. */
		last->read_rss_kib = rss_kib(member);
		last->read_faults = faults_of(member);
		return;
	}
	if (result != 0)
		return;
	if (family)
		keep_own(family, member, own);
	else if (walk || (count && own != UINT64_MAX))
		keep_alone(member, file_kib, walk ? UINT64_MAX : own);
	if (family || count) {
		group->touched += last->mapped_kib > last->counted_mapped_kib + MAPPED_CLEAR_KIB;
		last->counted_mapped_kib = last->mapped_kib;
		last->read_touched = group->touched;
	}
	last->known = true;
	last->read_rss_kib = rss_kib(member);
	last->read_faults = faults_of(member);
}

uint64_t memory_lazy_free_kib(const struct member *member)
{
	uint64_t gauges[GAUGE_COUNT], own_kib;

	for (int i = 0; i < GAUGE_COUNT; i++)
		gauges[i] = GAUGE_UNKNOWN;
	(void)process_read_rollup(member->id.pid, gauges, &own_kib);
	return gauges[GAUGE_LAZY_FREE_KIB];
}

/* -- a tick --------------------------------------------------------------------------------------- */

/* Removes the last process of a family from it. Its readings are discarded, because they divided shared memory among
 * all processes of the family. */
static void be_alone(struct member *member)
{
	struct member_memory *last = &member->memory;

	last->known = false;
	last->family = 0;
	last->alone_kib = last->alone_rss_kib = last->alone_file_kib = last->alone_file_part_kib = last->shared_kib = 0;
}

/* Finds the process of each family that has the largest shared part, because only this part is counted. The processes
 * outside families are treated as one family. A dying process is chosen only if all others are dying, because the
 * others still have the shared pages. */
static void hold_shared(struct memory *memory, const struct ledger *ledger, int index)
{
	const struct member *member = &ledger->members[index];
	struct memory_family *family = family_of(memory, member), *group = group_of(memory, member);
	uint64_t shared_kib = family ? rss_kib(member) - own_kib(family, member) : member->memory.shared_kib;
	const struct member *holder = group->holder != MEMBER_NONE ? &ledger->members[group->holder] : NULL;

	if (!holder || (holder->look.dies != member->look.dies ? holder->look.dies : shared_kib > group->shared_kib)) {
		group->holder = index;
		group->shared_kib = shared_kib;
	}
}

static void fill(struct memory *memory, int index, struct member *member)
{
	const struct member_memory *last = &member->memory;
	const struct memory_family *family = family_of(memory, member);
	uint64_t *gauge = member->gauge, *memory_kib = &gauge[GAUGE_MEMORY_KIB], *file_kib = &gauge[GAUGE_FILE_KIB];

	for (int i = 0; i < GAUGE_COUNT; i++)
		gauge[i] = member->reading.gauge[i] != GAUGE_UNKNOWN ? member->reading.gauge[i] : last->slow_gauges[i];
	*memory_kib = last->lodges ? 0 : rss_kib(member);
	if (!memory->pss || last->lodges || rss_kib(member) == GAUGE_UNKNOWN)
		return;
	bool holds = index == group_of(memory, member)->holder;
	*file_kib = last->file_kib;
	if (family) {
		uint64_t own = own_kib(family, member);
		*memory_kib = holds ? rss_kib(member) : own;
		*file_kib = holds ? last->file_kib : 0;
		memory->guessed_kib += own - last->own_kib;
	} else {
		uint64_t shared_kib = holds ? last->shared_kib : 0;
		*memory_kib = figures_above(last->alone_kib + rss_kib(member), last->alone_rss_kib);
		uint64_t unread_kib = figures_above(*memory_kib, last->alone_kib);
		memory->guessed_kib += last->known && last->mapped_kib < unread_kib ? last->mapped_kib : unread_kib;
		*memory_kib += shared_kib;
		if (shared_kib == 0 && last->file_kib != GAUGE_UNKNOWN)
			*file_kib = figures_above(last->alone_file_part_kib + last->file_kib, last->alone_file_kib);
	}
	if (last->file_kib != GAUGE_UNKNOWN) {
		uint64_t shared_kib = figures_above(last->mapped_kib, last->file_kib);
		uint64_t anonymous_kib = figures_above(rss_kib(member), last->mapped_kib);
		uint64_t most_kib = figures_above(*memory_kib, anonymous_kib + *file_kib);
		memory->mapped_kib += shared_kib < most_kib ? shared_kib : most_kib;
	}
	/* File pages are part of the memory, so they are limited to it. Huge pages are added, because no other figure
	 * includes them. */
	if (*file_kib != GAUGE_UNKNOWN && *file_kib > *memory_kib)
		*file_kib = *memory_kib;
	if (gauge[GAUGE_HUGETLB_KIB] != GAUGE_UNKNOWN)
		*memory_kib += gauge[GAUGE_HUGETLB_KIB];
}

void memory_read(struct memory *memory, struct ledger *ledger, int64_t elapsed_ns)
{
	size_t count = 0, top = ledger->top;

	memory->left_ns += elapsed_ns / BUDGET_DIVISOR;
	if (memory->left_ns > BUDGET_NS)
		memory->left_ns = BUDGET_NS;
	place_all(memory, ledger);
	for (size_t i = 0; i < top; i++)
		if (is_living(&ledger->members[i]) && ledger->members[i].memory.family > 0 &&
			!family_of(memory, &ledger->members[i]))
			be_alone(&ledger->members[i]);
	for (; memory->pss && count < top && memory->left_ns > 0; count++) {
		struct member *member = &ledger->members[(memory->turn + count) % top];
		if (is_living(member) && wants_reading(memory, member))
			read_member(memory, member);
	}
	/* If a process was read before another process mapped the same pages, too many of its pages were counted as
	 * private. Such processes are read again. */
	for (size_t i = 0; memory->pss && i < top && memory->left_ns > 0; i++) {
		struct member *member = &ledger->members[i];
		if (is_living(member) && family_of(memory, member) && member->memory.own_kib > CLEAR_KIB &&
			has_been_touched(memory, member) && wants_reading(memory, member))
			read_member(memory, member);
	}
	memory->turn = top > 0 ? (memory->turn + count) % top : 0;
	for (size_t i = 0; i < top; i++)
		if (is_living(&ledger->members[i]))
			hold_shared(memory, ledger, (int)i);
	memory->guessed_kib = memory->mapped_kib = 0;
	for (size_t i = 0; i < top; i++)
		if (is_living(&ledger->members[i]))
			fill(memory, (int)i, &ledger->members[i]);
}
