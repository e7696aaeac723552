/* PSS within a budget; see memory.h. */
#include "sampler/memory.h"

#include "os/clock.h"

#define BUDGET_DIVISOR 100 /* 1 % of the wall time */
#define BUDGET_START_NS 5000000
#define BUDGET_MAX_NS 100000000 /* what may be saved up for one large process */
#define ADVANCE_MAX_NS 50000000 /* what may be spent before it is granted */
#define HURRY_NS 2000000
#define SMALL_NS 100000
#define SHARED_MIN_KIB 8192 /* smaller forks are not worth a second look at their family */
#define READ_BASE_NS 40000  /* a first guess of a reading's cost … */
#define READ_NS_PER_KIB 3   /* … some 3 ms a GiB of small pages */

void memory_open(struct memory_budget *budget, bool pss)
{
	*budget = (struct memory_budget){.pss = pss, .left_ns = BUDGET_START_NS};
}

void memory_grant(struct memory_budget *budget, int64_t elapsed_ns)
{
	budget->left_ns += elapsed_ns / BUDGET_DIVISOR;
	if (budget->left_ns > BUDGET_MAX_NS)
		budget->left_ns = BUDGET_MAX_NS;
	if (!budget->waiting_seen)
		budget->waiting = (struct process_id){0, 0};
	budget->waiting_seen = false;
	budget->guessed_kib = 0;
}

static bool is_new(const struct member *member)
{
	return member->used && member->fresh && !member->dear_known && member->reading.image != 0 &&
	       member->reading.gauge[GAUGE_RSS_KIB] >= SHARED_MIN_KIB;
}

static bool is_relative(const struct member *a, const struct member *b)
{
	return b->used && b->fresh && a->reading.image == b->reading.image;
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
	*like = (struct memory_like){
		member->reading.image, member->reading.gauge[GAUGE_RSS_KIB], member->dear[GAUGE_MEMORY_KIB]};
}

static void outdate_family(struct ledger *ledger, const struct member *child)
{
	uint32_t family = 0;
	for (size_t i = 0; i < ledger->top; i++)
		family += is_relative(child, &ledger->members[i]);
	for (size_t i = 0; i < ledger->top && family > 1; i++) {
		if (!is_relative(child, &ledger->members[i]))
			continue;
		ledger->members[i].dear_outdated = true;
		ledger->members[i].family = family;
	}
}

void memory_part(struct ledger *ledger, const struct member *member)
{
	if (member->reading.image == 0 || member->reading.gauge[GAUGE_RSS_KIB] < SHARED_MIN_KIB ||
		member->reading.gauge[GAUGE_RSS_KIB] == GAUGE_UNKNOWN)
		return;
	for (size_t i = 0; i < ledger->top; i++)
		if (&ledger->members[i] != member && is_relative(member, &ledger->members[i]))
			ledger->members[i].dear_outdated = true;
}

/* One of a family stands for all that are new with it. */
void memory_outdate(struct memory_budget *budget, struct ledger *ledger)
{
	for (size_t i = 0; i < ledger->top; i++) {
		struct member *member = &ledger->members[i];
		if (is_new(member) && !member->dear_outdated) {
			struct memory_like *like = find_like(budget, member->reading.image);
			if (like)
				like->image = 0;
			outdate_family(ledger, member);
		}
		if (member->used && member->ended && !member->parted) {
			member->parted = true;
			memory_part(ledger, member);
		}
	}
}

static int64_t expected_cost(const struct member *member)
{
	int64_t guess = READ_BASE_NS + (int64_t)member->reading.gauge[GAUGE_RSS_KIB] * READ_NS_PER_KIB;
	return member->dear_cost_ns > 0 ? (member->dear_cost_ns + guess) / 2 : guess;
}

/* Whether the member's turn has come and the budget allows its reading now. */
static bool may_read(struct memory_budget *budget, const struct member *member, int64_t cost)
{
	bool waits = process_is(budget->waiting, member->id);
	budget->waiting_seen |= waits;
	bool outdated = member->dear_outdated || member->reading.gauge[GAUGE_RSS_KIB] / 3 * 2 > member->dear_rss_kib;
	if (outdated && budget->left_ns > -ADVANCE_MAX_NS)
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

/* What a member has that was never read, or not since its family grew, by a process of its image that was; within a
 * quarter, the RSS of both is the same. Else its part of the RSS. */
static uint64_t guess_kib(struct memory_budget *budget, const struct member *member)
{
	uint64_t rss_kib = member->reading.gauge[GAUGE_RSS_KIB];
	const struct memory_like *like = find_like(budget, member->reading.image);

	if (!like || like->rss_kib == 0 || rss_kib > like->rss_kib / 4 * 5 || rss_kib < like->rss_kib / 4 * 3)
		return member->family > 1 ? rss_kib / member->family : rss_kib;
	return like->memory_kib * rss_kib / like->rss_kib;
}

/* The memory of a member between two readings of its PSS. */
static uint64_t carried_kib(struct memory_budget *budget, const struct member *member)
{
	uint64_t rss_kib = member->reading.gauge[GAUGE_RSS_KIB];

	if (budget->pss && (member->family > 1 || !member->dear_known))
		return guess_kib(budget, member);
	if (!member->dear_known)
		return rss_kib;
	uint64_t carried = member->dear[GAUGE_MEMORY_KIB] + rss_kib;
	return carried > member->dear_rss_kib ? carried - member->dear_rss_kib : 0;
}

static void read_dear(struct memory_budget *budget, struct member *member)
{
	int64_t before = os_since_boot_ns();
	int result = process_read_dear(member->id.pid, member->dear);
	uint64_t peak_kib = process_read_peak_kib(member->id.pid);

	if (peak_kib > member->peak_rss_kib)
		member->peak_rss_kib = peak_kib;
	member->dear_cost_ns = os_since_boot_ns() - before;
	budget->left_ns -= member->dear_cost_ns;
	if (result != 0)
		return;
	member->dear_known = true;
	member->dear_outdated = false;
	member->family = 0;
	member->dear_rss_kib = member->reading.gauge[GAUGE_RSS_KIB];
	keep_like(budget, member);
}

void memory_read(struct memory_budget *budget, struct member *member, bool hurry)
{
	int64_t cost = expected_cost(member);
	/* What it did until it came to rest has been seen by the first reading after that. */
	bool rests = member->still > 1 && member->dear_known && !member->dear_outdated;

	/* Linux counts some dozens of pages late: what says that it has none may have a few. A zombie has none. */
	bool has_some =
		member->reading.gauge[GAUGE_RSS_KIB] > 0 || (!member->dear_known && member->reading.state != 'Z');

	if (budget->pss && !rests && has_some && (!hurry || cost <= HURRY_NS) && may_read(budget, member, cost))
		read_dear(budget, member);
	for (int i = 0; i < GAUGE_COUNT; i++)
		member->gauge[i] =
			member->reading.gauge[i] != GAUGE_UNKNOWN ? member->reading.gauge[i] : member->dear[i];
	member->gauge[GAUGE_MEMORY_KIB] = carried_kib(budget, member);
	if (budget->pss && !member->dear_known)
		budget->guessed_kib += member->gauge[GAUGE_MEMORY_KIB];
}
