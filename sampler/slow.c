/* Writes fewer rows if the spool's file system is slow.
 *
 * The sampler waits for each of its writes. Meanwhile rtrack-run passes on no signals, and a bare root that ends waits
 * for its thread. Therefore a write that took more than 200 ms is followed by a pause ten times as long, up to a
 * minute. The next tick then writes one row for the whole time. No row is buffered: it is written at once, or never
 * created. */
#include "sampler/state.h"

#define REST_TIMES 10
#define REST_MAX_NS 60000000000

bool slow_rests(const struct sampler *sampler)
{
	return sampler->slow.until_ns > os_since_boot_ns();
}

/* Reading this at each write would cost more than most writes. */
void slow_begin(struct sampler *sampler)
{
	sampler->slow.queued_ns = thread_queued_ns();
}

/* Time spent waiting for a CPU is not attributed to the spool. */
void slow_judge(struct sampler *sampler, int64_t before_ns)
{
	struct slow *slow = &sampler->slow;
	int64_t now_ns = os_since_boot_ns();
	int64_t waited_ns = now_ns - before_ns;

	if (waited_ns <= SPOOL_SLOW_NS)
		return;
	int64_t queued_ns = thread_queued_ns();
	waited_ns -= queued_ns - slow->queued_ns;
	bool told = queued_ns >= 0 && slow->queued_ns >= 0;
	slow->queued_ns = queued_ns;
	if (!told || waited_ns <= SPOOL_SLOW_NS)
		return;
	if (!slow->told)
		os_mark_slow(sampler->files.system, OS_MODE_TABLE);
	slow->told = true;
	int64_t from_ns = slow->until_ns > now_ns ? slow->until_ns : now_ns;
	int64_t until_ns = from_ns + REST_TIMES * waited_ns;
	slow->until_ns = until_ns < now_ns + REST_MAX_NS ? until_ns : now_ns + REST_MAX_NS;
}

int64_t slow_write(struct sampler *sampler, int file, struct text rows)
{
	int64_t before_ns = os_since_boot_ns();
	int64_t written = os_write(file, rows);

	slow_judge(sampler, before_ns);
	return written;
}

void slow_leave_out(struct sampler *sampler)
{
	if (!sampler->slow.left_out)
		os_mark_slow(sampler->files.start, OS_MODE_TABLE);
	sampler->slow.left_out = true;
}
