/* PSS within a budget; see memory.h. */
#include "sampler/memory.h"

#define BUDGET_DIVISOR 100 /* 1 % of the wall time */
#define BUDGET_START_NS 5000000
#define BUDGET_MAX_NS 100000000 /* what may be saved up for one large process */
#define HURRY_NS 2000000
#define READ_BASE_NS 40000 /* a first guess of a reading's cost … */
#define READ_NS_PER_KIB 3  /* … some 3 ms a GiB of small pages */

void memory_open(struct memory_budget *budget, bool pss)
{
	*budget = (struct memory_budget){pss, BUDGET_START_NS};
}

void memory_grant(struct memory_budget *budget, int64_t elapsed_ns)
{
	budget->left_ns += elapsed_ns / BUDGET_DIVISOR;
	if (budget->left_ns > BUDGET_MAX_NS)
		budget->left_ns = BUDGET_MAX_NS;
}

static int64_t expected_cost(const struct member *member)
{
	int64_t guess = READ_BASE_NS + (int64_t)member->reading.rss_kib * READ_NS_PER_KIB;
	return member->pss_cost_ns > 0 ? (member->pss_cost_ns + guess) / 2 : guess;
}

uint64_t memory_read(struct memory_budget *budget, struct member *member, bool hurry)
{
	uint64_t rss_kib = member->reading.rss_kib;
	int64_t cost = expected_cost(member);
	bool affordable = cost <= budget->left_ns || budget->left_ns == BUDGET_MAX_NS;

	if (budget->pss && affordable && rss_kib > 0 && (!hurry || cost <= HURRY_NS)) {
		uint64_t pss_kib;
		int64_t before = os_since_boot_ns();
		int result = process_read_pss(member->pid, &pss_kib);
		uint64_t peak_kib = process_read_peak_kib(member->pid);
		if (peak_kib > member->peak_rss_kib)
			member->peak_rss_kib = peak_kib;
		member->pss_cost_ns = os_since_boot_ns() - before;
		budget->left_ns -= member->pss_cost_ns;
		if (result == 0) {
			member->pss_known = true;
			member->pss_kib = pss_kib;
			member->pss_rss_kib = rss_kib;
			return pss_kib;
		}
	}
	if (!member->pss_known)
		return rss_kib;
	uint64_t carried = member->pss_kib + rss_kib;
	return carried > member->pss_rss_kib ? carried - member->pss_rss_kib : 0;
}
