/* PSS within a budget; see memory.h. */
#include "sampler/memory.h"

#include "os/self.h"

#define BUDGET_DIVISOR 100 /* 1 % of the wall time */
#define SPOKEN_DIVISOR 16  /* of that, for those that rest and have never been read, but a relative has */
#define BUDGET_START_NS 5000000
#define BUDGET_MAX_NS 100000000 /* what may be saved up for one large process */
#define ADVANCE_MAX_NS 50000000 /* what may be spent before it is granted */
#define HURRY_NS 2000000
#define SMALL_NS 100000
#define SHARED_MIN_KIB 8192 /* smaller forks are not worth a second look at their family */
enum { SAME_TICKS_MAX = 32, SHARED_CLEAR_KIB = 1024 };
#define READ_BASE_NS 40000 /* a first guess of a reading's cost … */
#define READ_NS_PER_KIB 3  /* … some 3 ms a GiB of small pages */

void memory_open(struct memory_budget *budget, bool pss)
{
	*budget = (struct memory_budget){.pss = pss, .left_ns = BUDGET_START_NS};
}

void memory_grant(struct memory_budget *budget, int64_t elapsed_ns)
{
	budget->left_ns += elapsed_ns / BUDGET_DIVISOR;
	if (budget->left_ns > BUDGET_MAX_NS)
		budget->left_ns = BUDGET_MAX_NS;
	budget->spoken_left_ns += elapsed_ns / BUDGET_DIVISOR / SPOKEN_DIVISOR;
	if (budget->spoken_left_ns > BUDGET_START_NS)
		budget->spoken_left_ns = BUDGET_START_NS;
	if (!budget->waiting_seen)
		budget->waiting = (struct process_id){0, 0};
	budget->waiting_seen = false;
	budget->guessed_kib = 0;
}

/* A child of vfork is looked at until it executes, and every other process once: that memory counts once. */
static void find_host(const struct ledger *ledger, struct member *member)
{
	if (!member->used || !member->look.fresh || member->ended || member->memory.apart)
		return;
	int index = ledger_find_alive(ledger, member->ppid);
	const struct member *parent = index == MEMBER_NONE ? NULL : &ledger->members[index];
	member->memory.lodges = parent && member->reading.image != 0 &&
				member->reading.image == parent->reading.image &&
				process_shares_memory(member->id.pid, parent->id.pid);
	member->memory.apart = !member->memory.lodges;
}

static bool is_new(const struct member *member)
{
	return member->used && member->look.fresh && !member->memory.lodges && !member->memory.known &&
	       member->reading.image != 0 && member->reading.gauge[GAUGE_RSS_KIB] >= SHARED_MIN_KIB;
}

static bool is_relative(const struct member *a, const struct member *b)
{
	return b->used && b->look.fresh && !b->memory.lodges && a->reading.image == b->reading.image;
}

static struct memory_like *find_like(struct memory_budget *budget, uint64_t image)
{
	for (int i = 0; i < MEMORY_LIKES && image != 0; i++)
		if (budget->likes[i].image == image)
			return &budget->likes[i];
	return NULL;
}

static void keep_like(struct memory_budget *budget, const struct member *member)
{
	struct memory_like *like = find_like(budget, member->reading.image);
	if (!like)
		like = &budget->likes[budget->next_like++ % MEMORY_LIKES];
	*like = (struct memory_like){member->reading.image, member->reading.gauge[GAUGE_RSS_KIB],
		member->memory.dear[GAUGE_MEMORY_KIB], member->memory.read_family};
}

static void outdate_family(struct ledger *ledger, const struct member *child)
{
	uint32_t family = 0;
	for (size_t i = 0; i < ledger->top; i++)
		family += is_relative(child, &ledger->members[i]);
	for (size_t i = 0; i < ledger->top && family > 1; i++) {
		if (!is_relative(child, &ledger->members[i]))
			continue;
		ledger->members[i].memory.outdated = true;
		ledger->members[i].memory.family = family;
	}
}

void memory_part(struct ledger *ledger, const struct member *member)
{
	if (member->memory.lodges || member->reading.image == 0 ||
		member->reading.gauge[GAUGE_RSS_KIB] < SHARED_MIN_KIB ||
		member->reading.gauge[GAUGE_RSS_KIB] == GAUGE_UNKNOWN)
		return;
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *other = &ledger->members[i];
		if (other == member || !is_relative(member, other))
			continue;
		other->memory.outdated |= other->memory.known;
		other->memory.family -= other->memory.family > 1;
	}
}

/* What a member had, at its last reading, that others have as well: nearly all of what it does not have for itself. */
static uint64_t shared_kib(const struct member *member)
{
	return member->memory.known ? figures_above(member->memory.read_rss_kib, member->memory.dear[GAUGE_MEMORY_KIB])
				    : 0;
}

/* A member that has ended leaves its family before the new ones are counted, since it is none of them. One of a family
 * stands for all that are new with it. */
void memory_outdate(struct memory_budget *budget, struct ledger *ledger)
{
	for (size_t i = 0; i < ledger->top; i++)
		find_host(ledger, &ledger->members[i]);
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		if (member->used && member->ended && !member->memory.parted) {
			member->memory.parted = true;
			budget->sharing += shared_kib(member) > SHARED_CLEAR_KIB;
			memory_part(ledger, member);
		}
	}
	for (size_t i = 0; i < ledger->top; i++)
		if (is_new(&ledger->members[i]) && !ledger->members[i].memory.outdated)
			outdate_family(ledger, &ledger->members[i]);
}

static int64_t expected_cost(const struct member *member)
{
	int64_t guess = READ_BASE_NS + (int64_t)member->reading.gauge[GAUGE_RSS_KIB] * READ_NS_PER_KIB;
	return member->memory.cost_ns > 0 ? (member->memory.cost_ns + guess) / 2 : guess;
}

/* Whether a member's reading is to speak for a family that has doubled since the last one did: a small family does not
 * tell what is a process' own. */
static bool speaks(struct memory_budget *budget, const struct member *member)
{
	const struct memory_like *like = find_like(budget, member->reading.image);

	return like && !member->memory.known && member->memory.family / 2 >= like->family;
}

/* Whether the member's turn has come and the budget allows its reading now. */
static bool may_read(struct memory_budget *budget, const struct member *member, int64_t cost)
{
	bool waits = process_is(budget->waiting, member->id);
	budget->waiting_seen |= waits;
	bool outdated =
		member->memory.outdated || member->reading.gauge[GAUGE_RSS_KIB] / 3 * 2 > member->memory.read_rss_kib;
	if (outdated && budget->left_ns > (speaks(budget, member) ? -2 : -1) * ADVANCE_MAX_NS)
		return true;
	if (budget->waiting.pid != 0 && !waits && cost > SMALL_NS)
		return false;
	if (cost <= budget->left_ns || budget->left_ns == BUDGET_MAX_NS) {
		if (waits)
			budget->waiting = (struct process_id){0, 0};
		return true;
	}
	if (budget->waiting.pid == 0) {
		budget->waiting = member->id;
		budget->waiting_seen = true;
	}
	return false;
}

/* What a reading says of a process after its family has changed its size: what it has for itself stays, and what all
 * shared is divided anew. Nothing is known to be a process' own that was read alone. */
static uint64_t divide(const struct memory_like *read, uint64_t rss_kib, uint32_t family)
{
	uint64_t many = read->family;
	uint64_t grown_kib = figures_above(rss_kib, read->rss_kib);

	if (many == 1 && family == 1)
		return figures_above(read->memory_kib + rss_kib, read->rss_kib);
	/* A fork gets the pages of files later than the others, and the kernel counts some of all late. */
	if (grown_kib <= read->rss_kib / 16)
		grown_kib = 0;
	uint64_t own_kib = many > 1 ? figures_above(read->memory_kib, read->rss_kib / many) * many / (many - 1) : 0;
	return own_kib + figures_above(figures_above(rss_kib, grown_kib), own_kib) / family + grown_kib;
}

/* Whether the reading of a process speaks for another of its image: within a quarter, the RSS of both is the same. */
static bool speaks_for(const struct memory_like *like, uint64_t rss_kib)
{
	return like && rss_kib <= like->rss_kib / 4 * 5 && rss_kib >= like->rss_kib / 4 * 3;
}

/* The memory of a member between two readings of its PSS; of one that was never read, by a process of its image that
 * was. Else its part of the RSS. */
static uint64_t carried_kib(struct memory_budget *budget, const struct member *member)
{
	uint64_t rss_kib = member->reading.gauge[GAUGE_RSS_KIB];
	uint32_t family = member->memory.family > 1 ? member->memory.family : 1;
	const struct memory_like own = {.rss_kib = member->memory.read_rss_kib,
		.memory_kib = member->memory.dear[GAUGE_MEMORY_KIB],
		.family = member->memory.read_family};
	const struct memory_like *like = member->memory.known ? &own : find_like(budget, member->reading.image);

	if (!budget->pss)
		return rss_kib;
	if (like != &own && !speaks_for(like, rss_kib))
		return rss_kib / family;
	return divide(like, rss_kib, family);
}

/* What the reading thread itself has used: on a busy machine it waits for a CPU in between. */
static uint64_t used_ns(void)
{
	uint64_t cpu_ns[2];

	thread_usage(cpu_ns);
	return cpu_ns[0] + cpu_ns[1];
}

/* 0: they are not told. */
static uint64_t faults_of(const struct member *member)
{
	uint64_t minor = member->reading.minor_faults;
	return minor > 0 ? minor + member->reading.own[COUNTER_MAJOR_FAULTS] : 0;
}

/* A peak grows by faults: a member that has taken none since its last reading, and has no more than then, has the peak
 * that it had. */
static bool has_the_same_peak(const struct member *member)
{
	return member->memory.known && member->memory.read_faults != 0 &&
	       faults_of(member) == member->memory.read_faults &&
	       member->reading.gauge[GAUGE_RSS_KIB] <= member->memory.read_rss_kib;
}

/* Pages come by faults. So a member that has taken none since its last reading, and has the same RSS, has what it had,
 * though it works, unless others have come to share its pages, or to do so no longer. Members that were seen to are
 * counted; for other processes it is read at times. */
static bool has_the_same(const struct memory_budget *budget, struct member *member)
{
	if (!has_the_same_peak(member) || member->memory.outdated || member->memory.read_age >= SAME_TICKS_MAX ||
		member->memory.read_sharing != budget->sharing ||
		member->reading.gauge[GAUGE_RSS_KIB] != member->memory.read_rss_kib)
		return false;
	member->memory.read_age++;
	return true;
}

/* Between the reading of a member and that of its PSS it may have grown by much, on a busy machine first of all. So its
 * RSS is that of the latter instant then, or what has come since would be carried on top of it. Linux counts some of
 * the pages late in all but the rollup: one reading more tells those from pages that came, and bounds it. */
static void bring_up_rss(struct member *member, uint64_t then_kib)
{
	enum { CLEAR_KIB = 1024 };
	struct process_reading again;
	uint64_t *rss_kib = &member->reading.gauge[GAUGE_RSS_KIB];

	if (then_kib == GAUGE_UNKNOWN || (then_kib <= *rss_kib + CLEAR_KIB && *rss_kib <= then_kib + CLEAR_KIB) ||
		process_read(member->id.pid, false, &again) != 0)
		return;
	uint64_t now_kib = again.gauge[GAUGE_RSS_KIB];
	uint64_t most_kib = figures_larger(now_kib, *rss_kib);
	uint64_t least_kib = now_kib < *rss_kib ? now_kib : *rss_kib;
	*rss_kib = then_kib > most_kib ? most_kib : figures_larger(then_kib, least_kib);
}

/* Whether some of a family have ended since the members were read: the PSS of the others rises, by what counts for
 * those that are gone in this row. What a process makes its own takes faults, and a reading that is doubted once is
 * taken at the next tick. */
static bool is_doubtful(struct memory_budget *budget, const struct member *member, uint64_t read_kib)
{
	enum { PAGE_MAX_KIB = 64 };
	uint64_t faults = figures_above(faults_of(member), member->memory.read_faults);

	return !member->memory.doubted && member->memory.read_family > 1 &&
	       member->memory.family <= member->memory.read_family &&
	       read_kib > carried_kib(budget, member) + SHARED_CLEAR_KIB + faults * PAGE_MAX_KIB;
}

static void read_dear(struct memory_budget *budget, struct member *member)
{
	uint64_t before_ns = used_ns();
	uint64_t shared_before_kib = shared_kib(member);
	uint64_t read[GAUGE_COUNT];
	__builtin_memcpy(read, member->memory.dear, sizeof read);
	int result = process_read_dear(member->id.pid, read);
	uint64_t peak_kib = has_the_same_peak(member) ? 0 : process_read_peak_kib(member->id.pid);

	if (peak_kib > member->peak_rss_kib)
		member->peak_rss_kib = peak_kib;
	member->memory.cost_ns = (int64_t)(used_ns() - before_ns);
	budget->left_ns -= member->memory.cost_ns;
	if (result != 0)
		return;
	bring_up_rss(member, read[GAUGE_RSS_KIB]);
	member->memory.outdated = member->memory.doubted = is_doubtful(budget, member, read[GAUGE_MEMORY_KIB]);
	if (member->memory.doubted)
		return;
	__builtin_memcpy(member->memory.dear, read, sizeof read);
	bool first = !member->memory.known;
	member->memory.known = true;
	member->memory.read_family = member->memory.family > 1 ? member->memory.family : 1;
	member->memory.read_rss_kib = member->reading.gauge[GAUGE_RSS_KIB];
	uint64_t shared_now_kib = shared_kib(member);
	budget->sharing += figures_above(shared_now_kib, shared_before_kib) > SHARED_CLEAR_KIB ||
			   figures_above(shared_before_kib, shared_now_kib) > SHARED_CLEAR_KIB;
	member->memory.read_sharing = budget->sharing;
	member->memory.read_faults = faults_of(member);
	member->memory.read_age = 0;
	/* A child has less to itself than its parent: a first reading speaks for those to come. */
	if (first || !find_like(budget, member->reading.image))
		keep_like(budget, member);
}

void memory_read(struct memory_budget *budget, struct member *member, bool hurry)
{
	int64_t cost = expected_cost(member);
	/* What it did until it came to rest has been seen by the first reading after that. */
	bool rests = member->look.still > 1 && member->memory.known && !member->memory.outdated;

	/* Thousands of forks that wait would have all of the budget for minutes, and say what one of them has said. */
	bool spoken = member->look.still > 1 && !member->memory.known && !member->memory.outdated &&
		      speaks_for(find_like(budget, member->reading.image), member->reading.gauge[GAUGE_RSS_KIB]);

	/* Linux counts some dozens of pages late: what says that it has none may have a few. A zombie has none. */
	bool has_some =
		member->reading.gauge[GAUGE_RSS_KIB] > 0 || (!member->memory.known && member->reading.state != 'Z');

	if (budget->pss && !member->memory.lodges && !rests && has_some && !has_the_same(budget, member) &&
		(!hurry || cost <= HURRY_NS) && (!spoken || budget->spoken_left_ns > 0) &&
		may_read(budget, member, cost)) {
		read_dear(budget, member);
		budget->spoken_left_ns -= spoken ? member->memory.cost_ns : 0;
	}
	for (int i = 0; i < GAUGE_COUNT; i++)
		member->gauge[i] =
			member->reading.gauge[i] != GAUGE_UNKNOWN ? member->reading.gauge[i] : member->memory.dear[i];
	member->gauge[GAUGE_MEMORY_KIB] = member->memory.lodges ? 0 : carried_kib(budget, member);
	/* What it took since then was not read: others may share it. */
	uint64_t read_kib = member->memory.known ? member->memory.dear[GAUGE_MEMORY_KIB] : 0;
	if (budget->pss && !member->memory.lodges)
		budget->guessed_kib += figures_above(member->gauge[GAUGE_MEMORY_KIB], read_kib);
	/* File pages are a part of it, and huge pages are in no other figure. */
	uint64_t *memory_kib = &member->gauge[GAUGE_MEMORY_KIB], *file_kib = &member->gauge[GAUGE_FILE_KIB];
	if (*file_kib != GAUGE_UNKNOWN && *file_kib > *memory_kib)
		*file_kib = *memory_kib;
	if (member->gauge[GAUGE_HUGETLB_KIB] != GAUGE_UNKNOWN && !member->memory.lodges)
		*memory_kib += member->gauge[GAUGE_HUGETLB_KIB];
}
